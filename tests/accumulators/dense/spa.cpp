// dense-spa: rows of every number of distinct columns, by every way of sorting them.
#include <algorithm>

#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// Each row meets so many distinct columns, most of them several times.
Shape distinct(const std::vector<std::int64_t>& lengths) {
  Random random(7);
  constexpr std::int64_t kColumns = 3000;
  Rows a, b;
  for (const std::int64_t length : lengths) {
    const auto first = static_cast<std::int32_t>(b.size());
    const auto all = some_columns(random, length, 0, kColumns);
    b.push_back(all);
    for (int times = 0; times < 2; times++) {
      b.emplace_back();
      for (const std::int32_t column : all)
        if (random.below(3) != 0) b.back().push_back(column);
    }
    a.push_back({first + 2, first, first + 1});  // in no order: new columns are met late
  }
  return {"", from_rows(a, static_cast<std::int64_t>(b.size())), from_rows(b, kColumns)};
}

/// Rows of A with one entry, and some with two, that meet rows of B that rise, fall and have a column twice.
Shape copies() {
  Random random(8);
  constexpr std::int64_t kColumns = 500;
  Rows a, b;
  for (std::int64_t j = 0; j < 60; j++) {
    auto row = some_columns(random, j, 0, kColumns);
    if (j % 4 == 1) std::reverse(row.begin(), row.end());
    if (j % 4 == 2 && j > 2) row.push_back(row[1]);
    if (j % 4 == 3) row.push_back(row.back());
    b.push_back(row);
  }
  for (std::int32_t i = 0; i < 60; i++) a.push_back(i % 7 == 3 ? std::vector{i, 59 - i} : std::vector{i});
  return {"", from_rows(a, 60), from_rows(b, kColumns)};
}

/// Rows of C that are nearly one row of B, or two, with columns of short ones before, between and behind.
Shape with_long_rows() {
  Random random(9);
  constexpr std::int64_t kColumns = 6000;
  Rows a, b;
  for (const std::int64_t length : {257, 300, 511, 1024, 2500}) {
    const auto first = static_cast<std::int32_t>(b.size());
    b.push_back(some_columns(random, length, 500, 5500));
    b.push_back(some_columns(random, length / 12, 0, kColumns));
    b.push_back(some_columns(random, 3, 0, 500));
    b.push_back(some_columns(random, 5, 5500, kColumns));
    b.push_back(some_columns(random, length, 0, kColumns));
    b.push_back({b[static_cast<std::size_t>(first)].front()});
    b.push_back({});
    for (const std::vector<std::int32_t>& of_a : {std::vector{0},
                                                  {0, 1},
                                                  {1, 0},
                                                  {2, 0, 3},
                                                  {3, 2, 1, 0},
                                                  {2, 3, 0},
                                                  {0, 4},
                                                  {6, 0, 6},
                                                  {0, 5},
                                                  {1, 4, 0},
                                                  {0, 3, 2},
                                                  {1, 2, 3}}) {
      a.emplace_back();
      for (const std::int32_t row : of_a) a.back().push_back(first + row);
    }
  }
  return {"", from_rows(a, static_cast<std::int64_t>(b.size())), from_rows(b, kColumns)};
}

/// dense-spa's rows with every instruction set, of which something was measured or nothing.
template <class T>
void check_all_sets(const Shape& shape) {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const Values values : kAllValues) {
      const Problem<T> p(shape, values);
      CHECK_EQ(kernel_fault(dense::spa, p, {0, 10, 11, p.a.rows}), "");
      CHECK_EQ(kernel_fault(dense::spa, p, {0, p.a.rows}, 0xA5A5A5A5, false, false), "");
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("rows that are nearly one row of B are the textbook's", T, float, double) {
  check_all_sets<T>(with_long_rows());
}

TEST_CASE_TEMPLATE("rows of one entry of A are the textbook's, whatever order B's columns are in", T, float, double) {
  check_all_sets<T>(copies());
}

TEST_CASE_TEMPLATE("rows of every number of distinct columns are the textbook's", T, float, double) {
  check_all_sets<T>(distinct({0, 1, 8, 9, 16, 17, 32, 33, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 600}));
}

}  // namespace rowan::test
