#pragma once
// Rows of B with one pattern, whose columns are looked up once for all of them.
#include <cstdint>
#include <type_traits>

#include "lib/binning/rows.hpp"
#include "lib/core/pattern.hpp"

namespace rowan {

inline constexpr int kMostEqualRows = 8;  // of B, that one lookup serves

/// How many consecutive entries of A, from `a`, meet consecutive rows of B with one pattern: 1 to 4, 6 or
/// kMostEqualRows of them that are taken together.
[[gnu::always_inline]] inline int equal_rows(const Pattern& m, const RowRun* b_run, std::int64_t a, std::int64_t end) {
  const std::int64_t j = m.col[a];
  int s = 1;
  while (s < kMostEqualRows && s < b_run[j].rows && a + s < end && m.col[a + s] == j + s) s++;
  return s > 4 ? s & ~1 : s;
}

/// Calls f(s) as a constant, for a number that equal_rows() returns.
template <class F>
[[gnu::always_inline]] inline auto with_equal_rows(int s, const F& f) {
  if (s == 1) return f(std::integral_constant<std::size_t, 1>{});
  if (s == 2) return f(std::integral_constant<std::size_t, 2>{});
  if (s == 3) return f(std::integral_constant<std::size_t, 3>{});
  if (s == 4) return f(std::integral_constant<std::size_t, 4>{});
  if (s == 6) return f(std::integral_constant<std::size_t, 6>{});
  return f(std::integral_constant<std::size_t, 8>{});
}

}  // namespace rowan
