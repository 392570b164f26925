#include <algorithm>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

template <class T>
Product<T> as_product(const CsrView<T>& m) {
  Product<T> p;
  const auto rows = entries_of(m);
  p.rows = static_cast<std::int64_t>(rows.size()), p.cols = m.transposed ? m.rows : m.cols;
  for (const auto& row : rows) {
    for (const auto& e : row) p.col.push_back(e.col), p.val.push_back(e.val);
    p.row_ptr.push_back(static_cast<std::int64_t>(p.col.size()));
  }
  return p;
}

/// Shapes whose columns may be counted one by one.
template <class F>
void for_narrow_shapes(const F& f) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list)
      for (const Sparsity* s : {&shape.a, &shape.right()})
        if (s->cols <= 1 << 22) {
          CAPTURE(shape.name);
          f(*s);
        }
}

}  // namespace

TEST_CASE_TEMPLATE("a transpose keeps the order of the rows that entries come from", T, float, double) {
  for_narrow_shapes([](const Sparsity& s) {
    const Matrix<T> m = filled<T>(s, Values::special, 1);
    CHECK_EQ(difference(transpose(m.view()), as_product(transposed(m.view()))), "");
    CHECK_EQ(difference(transpose(m.narrow_view()), as_product(transposed(m.view()))), "");
  });
}

TEST_CASE_TEMPLATE("the transpose of a transposed view is what is stored", T, float, double) {
  const Matrix<T> m = filled<T>(shape("duplicates in both").a, Values::reals, 1);
  CHECK_EQ(difference(transpose(transposed(m.view())), as_product(m.view())), "");
  CHECK_EQ(difference(copy(transposed(m.view())), as_product(transposed(m.view()))), "");
}

TEST_CASE_TEMPLATE("a copy has the same entries in the same order", T, float, double) {
  for (const Shape& shape : shapes()) {
    CAPTURE(shape.name);
    const Matrix<T> m = filled<T>(shape.right(), Values::special, 1);
    CHECK_EQ(difference(copy(m.view()), as_product(m.view())), "");
    CHECK_EQ(difference(copy(m.narrow_view()), as_product(m.view())), "");
  }
}

TEST_CASE("a transpose is the same by any number of workers") {
  for_narrow_shapes([](const Sparsity& s) {
    const Matrix<double> m = filled<double>(s, Values::reals, 1);
    const Product<double> expected = as_product(transposed(m.view()));
    for (const int threads : {1, 2, 3, 4, 9})
      CHECK_EQ(difference(transpose_stored(m.view(), Team(threads)), expected), "");
  });
}

TEST_CASE("a transpose is the same whether its rows are long, so that stores are prefetched, or not") {
  Random random(3);
  Rows rows;
  for (int i = 0; i < 3000; i++) rows.push_back(some_columns(random, 5, 0, 40));
  for (const std::int64_t cols : {40, 460, 480, 30000}) {  // 15,000 entries: 375 to less than one a column
    CAPTURE(cols);
    const Matrix<double> m = filled<double>(from_rows(rows, cols), Values::reals, 1);
    const Product<double> expected = as_product(transposed(m.view()));
    for (const int threads : {1, 2, 3}) CHECK_EQ(difference(transpose_stored(m.view(), Team(threads)), expected), "");
  }
}

}  // namespace rowan::test
