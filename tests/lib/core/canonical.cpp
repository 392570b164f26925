#include <algorithm>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// Columns in order, entries that stand twice summed in stored order; the first is taken as it is, -0 stays -0.
template <class T>
Product<T> tidied(const CsrView<T>& m) {
  Product<T> p;
  const auto rows = entries_of(m);
  p.rows = static_cast<std::int64_t>(rows.size()), p.cols = m.transposed ? m.rows : m.cols;
  for (const auto& row : rows) {
    std::map<std::int32_t, T> sums;
    for (const auto& e : row)
      if (const auto [at, fresh] = sums.try_emplace(e.col, e.val); !fresh) at->second += e.val;
    for (const auto& [column, sum] : sums) p.col.push_back(column), p.val.push_back(sum);
    p.row_ptr.push_back(static_cast<std::int64_t>(p.col.size()));
  }
  return p;
}

}  // namespace

TEST_CASE_TEMPLATE("canonical rows rise and have no duplicates, whose values are summed in stored order", T, float,
                   double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      const Matrix<T> m = filled<T>(shape.right(), Values::special, 3);
      const Product<T> expected = tidied(m.view());
      const Csr<T> c = canonical(m.view());
      CHECK_EQ(difference(c, expected), "");
      CHECK(is_canonical<T>(c));
      CHECK_EQ(is_canonical(m.view()), expected.col == m.pattern.col);
    }
}

TEST_CASE("a transposed view is made canonical as what it stands for") {
  const Matrix<double> m = filled<double>(shape("duplicates in both").a, Values::reals, 1);
  CHECK_EQ(difference(canonical(transposed(m.view())), tidied(transposed(m.view()))), "");
  CHECK(!is_canonical(transposed(m.view())));
  const Matrix<double> sorted = filled<double>(shape("banded").a, Values::reals, 1);
  CHECK(is_canonical(transposed(sorted.view())));
}

TEST_CASE("a broken matrix is not made canonical") {
  Matrix<double> m = filled<double>(shape("identity").a, Values::reals, 1);
  m.pattern.col[0] = -1;
  CHECK_EQ(error_of([&] { static_cast<void>(canonical(m.view())); }),
           "invalid_argument: the matrix: column -1 in row 0 is outside [0, 70)");
  CHECK_EQ(error_of([&] { static_cast<void>(transpose(m.view())); }),
           "invalid_argument: the matrix: column -1 in row 0 is outside [0, 70)");
}

}  // namespace rowan::test
