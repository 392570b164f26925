#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/io.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// Rows [first, last) of a view with 64-bit row pointers.
template <class T>
struct RowsOf {
  std::vector<std::int64_t> ptr;
  CsrView<T> view;

  RowsOf(const CsrView<T>& m, std::int64_t first, std::int64_t last) {
    const std::int64_t begin = m.row_ptr[first];
    for (std::int64_t i = first; i <= last; i++) ptr.push_back(m.row_ptr[i] - begin);
    const auto from = static_cast<std::size_t>(begin), n = static_cast<std::size_t>(ptr.back());
    view = {.rows = last - first,
            .cols = m.cols,
            .row_ptr = std::span<const std::int64_t>(ptr),
            .col = m.col.subspan(from, n),
            .val = m.val.subspan(from, n)};
  }
};

/// The stated order: (alpha a) b in the order of A's entries, then beta e in the order of E's.
template <class T>
Product<T> added(T alpha, const CsrView<T>& a, const CsrView<T>& b, T beta, const CsrView<T>& e) {
  const auto left = entries_of(a), right = entries_of(b), more = entries_of(e);
  Product<T> c;
  c.rows = static_cast<std::int64_t>(left.size()), c.cols = b.transposed ? b.rows : b.cols;
  for (std::size_t i = 0; i < left.size(); i++) {
    std::map<Column, T> sums;
    const auto add = [&](Column column, T product) {
      T& sum = sums.try_emplace(column, T{0}).first->second;
      sum = sum + product;
    };
    for (const Entry<T>& x : left[i])
      for (const Entry<T>& y : right[static_cast<std::size_t>(x.col)]) add(y.col, (alpha * x.val) * y.val);
    for (const Entry<T>& x : more[i]) add(x.col, beta * x.val);
    for (const auto& [column, sum] : sums) c.col.push_back(column), c.val.push_back(sum);
    c.row_ptr.push_back(static_cast<std::int64_t>(c.col.size()));
  }
  return c;
}

}  // namespace

TEST_CASE_TEMPLATE("a B of several pieces gives the bits of one B, and so does a plan", T, float, double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list) {
      CAPTURE(s.name);
      const Factors<T> f(s, Values::reals);
      const CsrView<T> b = f.b();
      const RowsOf<T> top(b, 0, b.rows / 3), middle(b, b.rows / 3, b.rows / 3), rest(b, b.rows / 3, b.rows);
      const CsrView<T> pieces[] = {top.view, middle.view, rest.view};
      const Product<T> expected = textbook(f.a(), b);
      const Context context({.threads = 2});
      CHECK_EQ(difference(context.multiply(f.a(), StackedView<T>{pieces}), expected), "");
      const ::rowan::Plan plan = context.plan(f.a(), StackedView<T>{pieces});
      Csr<T> c;
      for (int execution = 0; execution < 3; execution++) {
        plan.execute(f.a(), StackedView<T>{pieces}, c);
        CHECK_EQ(difference(c, expected), "");
      }
      plan.execute(f.a(), b, c);  // one piece of the same rows
      CHECK_EQ(difference(c, expected), "");
    }
}

TEST_CASE("a single piece is multiplied as it is") {
  const Factors<double> f(shape("banded"), Values::reals);
  const CsrView<double> b = f.b();
  CHECK_EQ(difference(Context().multiply(f.a(), StackedView<double>{{&b, 1}}), textbook(f.a(), b)), "");
}

TEST_CASE("pieces that do not fit A, or the memory limit, are refused") {
  const Factors<double> f(shape("banded"), Values::reals);
  const CsrView<double> pieces[] = {f.b(), f.b()};
  const StackedView<double> twice{pieces};
  CHECK_EQ(error_of([&] { static_cast<void>(Context().multiply(f.a(), twice)); }),
           "invalid_argument: A has 200 columns, but B has 400 rows");
  CHECK_EQ(error_of([&] {
             static_cast<void>(Context({.memory_limit = 1000}).multiply(f.a(), twice));
           }).find("memory_limit: "),
           0U);
}

TEST_CASE_TEMPLATE("alpha A B + beta E: products in the order of A's entries, beta E last", T, float, double) {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list)
      for (const Values values : {Values::reals, Values::special}) {
        CAPTURE(s.name);
        const Factors<T> f(s, values);
        const Product<T> ab = textbook(f.a(), f.b());
        if (ab.col.empty()) continue;
        // E: C's own pattern and other values, so that every sum has one more
        Sparsity of_e;
        of_e.rows = ab.rows, of_e.cols = ab.cols, of_e.ptr = ab.row_ptr, of_e.col = ab.col;
        const Matrix<T> e = filled<T>(of_e, values, 3);
        const T alpha = static_cast<T>(-1.7), beta = static_cast<T>(0.3);
        CHECK_EQ(difference(multiply_add(alpha, f.a(), f.b(), beta, e.view(), {.threads = 2}),
                            added(alpha, f.a(), f.b(), beta, e.view())),
                 "");
        CHECK_EQ(difference(multiply_add(T{1}, f.a(), f.b(), T{1}, e.narrow_view()),
                            added(T{1}, f.a(), f.b(), T{1}, e.view())),
                 "");
      }
}

TEST_CASE("E has entries where A B has none, and transposed operands are what they show") {
  const Matrix<double> a = filled<double>(shape("wide").a, Values::reals, 1);
  const Csr<double> c = multiply(transposed(a.view()), a.view());
  const CsrView<double> e = transposed(c.view());
  CHECK_EQ(difference(multiply_add(2.5, transposed(a.view()), a.view(), -1.0, e),
                      added(2.5, transposed(a.view()), a.view(), -1.0, e)),
           "");
  Sparsity diagonal;
  diagonal.rows = diagonal.cols = 200;
  for (Column i = 0; i < 200; i++) diagonal.col.push_back(199 - i), diagonal.ptr.push_back(i + 1);
  const Factors<double> f(shape("banded"), Values::reals);
  const Matrix<double> other = filled<double>(diagonal, Values::reals, 5);
  CHECK_EQ(difference(multiply_add(0.0, f.a(), f.b(), 3.0, other.view()), added(0.0, f.a(), f.b(), 3.0, other.view())),
           "");
}

TEST_CASE("what is added to a product of many chunks has the stated order, on any number of threads") {
  // 300,000 products: several chunks, rows that are raced, and a hub
  const Csr<double> a = load_matrix("generated:powerlaw:n=20000");
  const Csr<double> c = multiply(a, a);
  const CsrView<double> pattern = c.view();
  // as C, as A, of few rows, with rows that do not rise
  std::vector<Column> col(a.col().begin(), a.col().end());
  for (std::int64_t i = 0; i < a.rows(); i += 7)
    std::reverse(col.begin() + a.row_ptr()[static_cast<std::size_t>(i)],
                 col.begin() + a.row_ptr()[static_cast<std::size_t>(i) + 1]);
  CsrView<double> falls = a.view();
  falls.col = col;
  Sparsity of_diagonal;
  of_diagonal.rows = of_diagonal.cols = a.rows();
  for (Column i = 0; i < a.rows(); i++) of_diagonal.col.push_back(i), of_diagonal.ptr.push_back(i + 1);
  const Matrix<double> diagonal = filled<double>(of_diagonal, Values::reals, 3);
  for (const CsrView<double>& e : {pattern, a.view(), diagonal.view(), falls})
    for (const int threads : {1, 2}) {
      Stats stats;
      const Csr<double> sum = Context({.threads = threads}).multiply_add(2.0, a.view(), a.view(), -3.0, e, &stats);
      CHECK_EQ(difference(sum, added(2.0, a.view(), a.view(), -3.0, e)), "");
      CHECK_EQ(stats.nnz, sum.nnz());
      CHECK_GE(stats.bytes_temporary, 0);
    }
  // rows of A without entries have E's
  const Csr<double> no_rows(a.rows(), a.cols(), Array<std::int64_t>::zeroed(a.rows() + 1), {}, {});
  CHECK_EQ(difference(multiply_add(1.0, no_rows.view(), a.view(), 2.0, a.view()),
                      added(1.0, no_rows.view(), a.view(), 2.0, a.view())),
           "");
}

TEST_CASE("an E of another size, and broken operands, are refused by name") {
  const Factors<double> f(shape("banded"), Values::reals);
  CsrView<double> e = f.a();
  e.cols++;
  CHECK_EQ(error_of([&] { static_cast<void>(multiply_add(1.0, f.a(), f.b(), 1.0, e)); }),
           "invalid_argument: E is 200 x 201, but A B is 200 x 200");
  e = f.a(), e.val = e.val.first(1);
  CHECK_EQ(error_of([&] { static_cast<void>(multiply_add(1.0, f.a(), f.b(), 1.0, e)); }).find("invalid_argument: E: "),
           0U);
  const CsrView<double> b = e;
  CHECK_EQ(error_of([&] { static_cast<void>(multiply_add(1.0, f.a(), b, 1.0, f.a())); }).find("invalid_argument: B: "),
           0U);
}

}  // namespace rowan::test
