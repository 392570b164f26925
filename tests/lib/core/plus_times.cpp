// The textbook over another semiring than plus and times.
#include "lib/core/plus_times.hpp"

#include <algorithm>
#include <limits>

#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"

namespace rowan::test {
namespace {

/// Shortest paths: the sum is the lesser, the product the sum of two lengths.
struct MinPlus {
  static double zero() { return std::numeric_limits<double>::infinity(); }
  static double multiply(double x, double y) { return x + y; }
  static double add(double x, double y) { return std::min(x, y); }
};

/// The shortest way from i over any k to j, each tried; infinite where there is none.
double shortest(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b, std::size_t i,
                std::size_t j) {
  double least = MinPlus::zero();
  for (std::size_t k = 0; k < b.size(); k++) least = std::min(least, a[i][k] + b[k][j]);
  return least;
}

std::vector<std::vector<double>> dense(const CsrView<double>& m) {
  std::vector<std::vector<double>> all(static_cast<std::size_t>(m.rows),
                                       std::vector<double>(static_cast<std::size_t>(m.cols), MinPlus::zero()));
  for (std::size_t i = 0; i < all.size(); i++)
    for (auto k = static_cast<std::size_t>(m.row_ptr[static_cast<std::int64_t>(i)]);
         k < static_cast<std::size_t>(m.row_ptr[static_cast<std::int64_t>(i) + 1]); k++)
      all[i][static_cast<std::size_t>(m.col[k])] = m.val[k];
  return all;
}

}  // namespace

TEST_CASE("the textbook takes another sum and product") {
  const Shape s{"", from_rows({{0, 2}, {1, 2, 3}, {}, {0, 3}, {1}}, 4), from_rows({{1, 5}, {0, 1}, {1, 2, 5}, {5}}, 6)};
  const Factors<double> f(s, Values::reals);
  const Product<double> c = textbook<double, double, MinPlus>(f.a(), f.b());
  const auto a = dense(f.a()), b = dense(f.b());
  std::size_t entries = 0, differ = 0;
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < 6; j++) {
      const double expected = shortest(a, b, i, j);
      if (expected == MinPlus::zero()) continue;
      REQUIRE(entries < c.col.size());
      differ += c.col[entries] != static_cast<Column>(j) || c.val[entries] != expected ? 1U : 0U;
      entries++;
    }
  CHECK_EQ(entries, c.val.size());
  CHECK_EQ(differ, 0U);
  CHECK_EQ(textbook(f.a(), f.b()).col, c.col);
  CHECK(textbook(f.a(), f.b()).val != c.val);
}

}  // namespace rowan::test
