#pragma once
// What is known of a row of C before it is multiplied: the result of the feature pass, read by everything after it.
#include <algorithm>
#include <cstdint>

#include "lib/core/offset.hpp"
#include <rowan/types.hpp>

namespace rowan {

/// How a row's pattern (or that of its products) relates to its neighbours'. Counts saturate at 255; a run never
/// reaches over a block of rows that was looked at in one piece, so it may end early, never late.
struct RowRun {
  std::uint8_t rows = 1;    // rows from here on, this one included, with this pattern
  std::uint8_t shifts = 1;  // rows from here on, each the one before moved right by one column
  bool same = false;        // this pattern is the previous row's
  bool shifted = false;     // this pattern is the previous row's moved right by one column
  [[nodiscard]] constexpr bool in_run() const noexcept { return rows > 1 || same; }
  [[nodiscard]] constexpr bool in_shift_run() const noexcept { return shifts > 1 || shifted; }
};

/// Rows of a run whose sums lie side by side, so that they are multiplied together, at most: four, or where there are
/// more, eight. Cuts between workers leave such rows together.
inline constexpr std::int64_t kSummedRows = 8, kFewSummedRows = 4;

/// Rows in no run that may be multiplied together where they meet the same rows of B. Workers get whole groups of them.
inline constexpr std::int64_t kRowsTogether = 8;

/// Shorter shift runs are not worth their recipe (accumulators/direct/recipe.hpp).
inline constexpr std::int64_t kShiftRun = 8;

struct CRow {
  Offset nprod = 0;        // products; an upper bound of the row's nnz
  Column lo = 0;           // all columns of the row lie in [lo, hi]
  Column hi = -1;          // hi < lo: no products
  std::int32_t b_max = 0;  // longest row of B it meets
  RowRun run;              // runs of A's rows; shift runs of the products, of kShiftRun rows and more

  [[nodiscard]] constexpr std::int64_t span() const noexcept { return std::int64_t{hi} - lo + 1; }
  /// No row of C has more entries than this.
  [[nodiscard]] constexpr std::int64_t bound() const noexcept { return std::min<std::int64_t>(nprod, span()); }
};
static_assert(ROWAN_OFFSET_BITS != 64 || sizeof(CRow) == 24, "read once for every row: keep it small");

}  // namespace rowan
