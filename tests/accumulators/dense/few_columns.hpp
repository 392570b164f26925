#pragma once
// Products with a B of few columns, and a check of what takes them.
#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {

inline constexpr std::int64_t kFewColumnsRows = 40;  // of A, and of B

/// Rows of A of no entry and more, times a B of so many columns, whose rows have none, some, up to `most`, or all of
/// them.
inline Shape few_columns(std::int64_t columns, std::int64_t most) {
  Random random(static_cast<std::uint64_t>(columns));
  Rows a, b;
  for (std::int64_t i = 0; i < kFewColumnsRows; i++) {
    a.push_back(some_columns(random, random.between(0, 9), 0, kFewColumnsRows));
    b.push_back(some_columns(random, random.between(0, std::min(columns, most)), 0, columns));
  }
  b[3] = some_columns(random, columns, 0, columns);
  b[4].clear();
  b.back() = {static_cast<std::int32_t>(columns - 1)};  // B ends with a row of one entry, and A meets it
  a[5] = {3, 4, static_cast<std::int32_t>(kFewColumnsRows - 1)};
  a[6].clear();
  return {"", from_rows(a, kFewColumnsRows), from_rows(b, columns)};
}

/// By every instruction set, on values of all kinds, measured and not.
template <class T>
void check_few_columns(const Candidate& candidate, const Shape& shape) {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const Values values : kAllValues) {
      const Problem<T> p(shape, values);
      CHECK_EQ(kernel_fault(candidate, p, {0, 5, 6, 20, kFewColumnsRows}), "");
      CHECK_EQ(kernel_fault(candidate, p, {0, 20, kFewColumnsRows}, 0xA5A5A5A5, false, false), "");
    }
  }
}

/// The same with rows of B that do not rise: in any order, with columns that come twice, and with one such
/// row that only the last rows of C meet, which `spoil` makes of row 3's columns.
template <class T, class Spoil>
void check_falling_columns(const Candidate& candidate, const Shape& rising, const Spoil& spoil) {
  check_few_columns<T>(candidate, {"", rising.a, shuffled(*rising.b, 1)});
  check_few_columns<T>(candidate, {"", rising.a, repeated(*rising.b, 3, 2)});
  Shape late = rising;
  spoil(late.b->col.data() + late.b->ptr[3]);
  check_few_columns<T>(candidate, late);
}

}  // namespace rowan::test
