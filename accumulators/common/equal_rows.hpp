#pragma once
// Rows of B with one pattern, whose columns are looked up once for all of them.
#include <cstdint>

#include "lib/binning/rows.hpp"
#include "lib/core/pattern.hpp"

namespace rowan {

inline constexpr int kMostEqualRows = 4;  // of B, that one lookup serves

/// How many consecutive entries of A, from `a`, meet consecutive rows of B with one pattern; at most kMostEqualRows.
[[gnu::always_inline]] inline int equal_rows(const Pattern& m, const RowRun* b_run, std::int64_t a, std::int64_t end) {
  const std::int64_t j = m.col[a];
  int s = 1;
  while (s < kMostEqualRows && s < b_run[j].rows && a + s < end && m.col[a + s] == j + s) s++;
  return s;
}

}  // namespace rowan
