// The oracle itself against others: Eigen, and sums in long double.
#include <Eigen/SparseCore>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

template <class T>
Eigen::SparseMatrix<T, Eigen::RowMajor> eigen(const CsrView<T>& m) {
  std::vector<Eigen::Triplet<T>> entries;
  for (std::int64_t i = 0; i < m.rows; i++)
    for (auto k = static_cast<std::size_t>(m.row_ptr[i]); k < static_cast<std::size_t>(m.row_ptr[i + 1]); k++)
      entries.emplace_back(static_cast<int>(i), m.col[k], m.val[k]);
  Eigen::SparseMatrix<T, Eigen::RowMajor> e(m.rows, m.cols);
  e.setFromTriplets(entries.begin(), entries.end());
  return e;
}

}  // namespace

TEST_CASE_TEMPLATE("integer-valued products equal Eigen's exactly", T, float, double) {
  for (const Shape& shape : shapes()) {
    if (shape.right().cols > 1000000) continue;  // Eigen's accumulator is as wide as B
    CAPTURE(shape.name);
    const Factors<T> f(shape, Values::integers);
    const Csr<T> c = multiply(f.a(), f.b());
    CHECK_EQ(difference(c, textbook(f.a(), f.b())), "");
    const Eigen::SparseMatrix<T, Eigen::RowMajor> e = eigen(f.a()) * eigen(f.b());
    REQUIRE_EQ(e.nonZeros(), c.nnz());  // Eigen keeps structural zeros too
    bool same = true;
    for (std::int64_t i = 0, k = 0; i < c.rows(); i++)
      for (typename Eigen::SparseMatrix<T, Eigen::RowMajor>::InnerIterator it(e, i); it; ++it, k++)
        same = same && c.col()[static_cast<std::size_t>(k)] == it.col() &&
               c.val()[static_cast<std::size_t>(k)] == it.value();
    CHECK(same);
  }
}

TEST_CASE_TEMPLATE("real values are within k eps |A| |B| of the sums in long double", T, float, double) {
  for (const Shape& shape : shapes()) {
    CAPTURE(shape.name);
    const Factors<T> f(shape, Values::reals);
    const Csr<T> c = multiply(f.a(), f.b());
    const auto exact = textbook<T, long double>(f.a(), f.b());
    const auto magnitude = textbook<T, long double, Magnitudes<long double>>(f.a(), f.b());
    REQUIRE_EQ(pattern_difference(c, exact), "");
    const long double k = 2 + static_cast<long double>(f.a().nnz());  // no row has more products for one entry
    bool close = true;
    for (std::size_t e = 0; e < exact.val.size(); e++)
      close = close && std::abs(static_cast<long double>(c.val()[e]) - exact.val[e]) <=
                           k * static_cast<long double>(std::numeric_limits<T>::epsilon()) * magnitude.val[e];
    CHECK(close);
  }
}

TEST_CASE("structural zeros are kept and a lone product of -0 is +0") {
  const Matrix<double> a{.pattern = from_rows({{0, 1}, {2}, {3}}, 4), .narrow_ptr = {}, .val = {1, -1, -0.0, 0}};
  const Matrix<double> b{.pattern = from_rows({{0}, {0}, {1}, {2}}, 3), .narrow_ptr = {}, .val = {5, 5, 7, 9}};
  for (const std::string force : {"direct", "sort", "dense-window", "dense-run", "dense-rank", "hash"}) {
    CAPTURE(force);
    Options options;
    options.force = force;
    const Csr<double> c = multiply(a.view(), b.view(), options);
    CHECK_EQ(c.nnz(), 3);
    for (const double v : c.val()) CHECK(same_bits(v, 0.0));
  }
}

}  // namespace rowan::test
