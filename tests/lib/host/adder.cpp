#include "lib/host/adder.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/oracle.hpp"
#include <rowan/generate.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// Rows of so many entries each, up to `most`.
Csr<double> drawn(std::int64_t rows, std::int64_t cols, std::int64_t least, std::int64_t most, int seed) {
  return generate("rectangular:rows=" + std::to_string(rows) + ",cols=" + std::to_string(cols) + ",least=" +
                  std::to_string(least) + ",most=" + std::to_string(most) + ",seed=" + std::to_string(seed));
}

/// C + beta E, entry by entry.
Product<double> sum_of(const Csr<double>& c, double beta, const Csr<double>& e) {
  const auto left = entries_of(c.view()), right = entries_of(e.view());
  Product<double> sum;
  sum.rows = c.rows(), sum.cols = c.cols();
  for (std::size_t i = 0; i < left.size(); i++) {
    for (std::size_t p = 0, q = 0; p < left[i].size() || q < right[i].size();) {
      const bool of_c = q == right[i].size() || (p < left[i].size() && left[i][p].col <= right[i][q].col);
      const bool of_e = p == left[i].size() || (q < right[i].size() && right[i][q].col <= left[i][p].col);
      sum.col.push_back(of_c ? left[i][p].col : right[i][q].col);
      double value = of_c ? left[i][p].val : 0;
      if (of_e) value += beta * right[i][q].val;
      sum.val.push_back(value), p += of_c ? 1 : 0, q += of_e ? 1 : 0;
    }
    sum.row_ptr.push_back(static_cast<std::int64_t>(sum.col.size()));
  }
  return sum;
}

Csr<double> added(const Csr<double>& c, double beta, const Csr<double>& e) {
  const Operand<double> right = {{e.rows(), e.cols(), e.row_ptr().data(), e.col().data()}, e.val().data()};
  return add(transpose(transpose(c.view()).view()), right, beta);  // a copy of C
}

}  // namespace

TEST_CASE("an adder adds rows in their own memory: what is behind a new entry moves, a row of one pattern stays") {
  // the product {1 4} {} {0 2}, E {4} {3} {0 2}, rows 1 to 3 of four
  const std::array<Offset, 5> e_ptr{0, 1, 2, 3, 5};
  const std::array<Column, 5> e_col{9, 4, 3, 0, 2};
  const std::array<double, 5> e_val{7, 1, 2, 3, 4};
  const Operand<double> e{{4, 10, e_ptr.data(), e_col.data()}, e_val.data()};
  const Adder<double> adder(e, 10);
  CHECK_EQ(adder.entries(1, 4), 4);
  CHECK_EQ(adder.entries(), 5);
  std::array<Offset, 4> counts{-1, 2, 0, 2};
  std::array<Column, 6> col{1, 4, 0, 2, -1, -1};
  std::array<double, 6> val{100, 200, 300, 400, -1, -1};
  CHECK_EQ(adder.take({1, 4, 0}, counts.data(), col.data(), val.data()), 5);
  CHECK_EQ(counts, std::array<Offset, 4>{-1, 2, 1, 2});
  CHECK_EQ(col, std::array<Column, 6>{1, 4, 3, 0, 2, -1});
  CHECK_EQ(val, std::array<double, 6>{100, 210, 20, 330, 440, -1});
  // one pattern, which is no row's: as long, but other rows
  std::array<Offset, 4> others{-1, 0, 2, 2};
  std::array<Column, 8> other_col{3, 4, 0, 2, -1, -1, -1, -1};
  std::array<double, 8> other_val{1, 1, 1, 1, -1, -1, -1, -1};
  CHECK_EQ(adder.take({1, 4, 0}, others.data(), other_col.data(), other_val.data()), 5);
  CHECK_EQ(others, std::array<Offset, 4>{-1, 1, 2, 2});
  CHECK_EQ(other_col, std::array<Column, 8>{4, 3, 4, 0, 2, -1, -1, -1});
  CHECK_EQ(other_val, std::array<double, 8>{10, 21, 1, 31, 41, -1, -1, -1});
}

TEST_CASE("a matrix is added to one that is there already, whatever rows meet") {
  const Csr<double> c = drawn(300, 500, 0, 60, 1);
  CHECK_EQ(difference(added(c, 0.3, c), sum_of(c, 0.3, c)), "");
  // few entries and long rows (searched), as many, more, none; and rows without an entry of C
  for (const auto& [least, most] : {std::array{0, 5}, std::array{0, 60}, std::array{100, 200}, std::array{0, 0}})
    for (const int seed : {2, 3}) {
      const Csr<double> e = drawn(300, 500, least, most, seed);
      CHECK_EQ(difference(added(c, -2.5, e), sum_of(c, -2.5, e)), "");
      CHECK_EQ(difference(added(e, -2.5, c), sum_of(e, -2.5, c)), "");
    }
}

TEST_CASE("rows rise strictly or not, on any number of threads") {
  const Csr<double> m = drawn(5000, 90, 0, 9, 4);
  for (const int threads : {1, 3}) {
    const Team team(threads);
    const auto rise = [&](const Column* col) {
      return rows_rise<double>({{m.rows(), m.cols(), m.row_ptr().data(), col}, m.val().data()}, team);
    };
    CHECK(rise(m.col().data()));
    std::vector<Column> col(m.col().begin(), m.col().end());
    const auto last = static_cast<std::size_t>(m.row_ptr()[4990]);
    std::int64_t row = 4990;
    while (m.row_ptr()[static_cast<std::size_t>(row) + 1] - m.row_ptr()[static_cast<std::size_t>(row)] < 2) row++;
    const auto k = static_cast<std::size_t>(m.row_ptr()[static_cast<std::size_t>(row)]);
    CHECK(k >= last);
    col[k] = col[k + 1];  // twice
    CHECK_FALSE(rise(col.data()));
    col[k]++;  // falls
    CHECK_FALSE(rise(col.data()));
  }
}

}  // namespace rowan::test
