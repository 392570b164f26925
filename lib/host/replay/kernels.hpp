#pragma once
// Multiplying known patterns again: each product's position in its row of C was written down, so there is no sort, no
// bitmap and no table. Rows of one pattern share their positions, and are multiplied together; rows of a shift run need
// none (direct-shift). Short rows of C that are alone have masks instead (masks.hpp).
#include "accumulators/candidate.hpp"
#include "accumulators/direct/candidate.hpp"
#include "lib/host/replay/masks.hpp"

namespace rowan::replay {

/// Entries of the buffer through which a run's rows go around the caches, beside the rows' own.
inline constexpr std::int64_t kStreamSlack = 32;

/// The rows [first, last) of a multiplication that is planned.
struct PlannedRows {
  const Pattern& a;
  const Pattern& b;
  const CRow* rows;
  const RowRun* b_run;
  const std::int64_t* row_ptr;  // of C
  bool sorted_b;
  std::int64_t first, last;
  bool masks = false;  // where they pay: has_masks(), and B is sorted
};

/// Whether the row is in a shift run that direct-shift takes: nothing is written down for it.
[[nodiscard]] inline bool in_shifts(const CRow& row) noexcept {
  return row.run.in_shift_run() && row.nprod <= direct::shift.max_nprod && row.span() <= direct::shift.max_span;
}

/// Rows from i on that are all in shift runs, or all not.
struct Segment {
  std::int64_t end;
  bool shifts;
};
[[nodiscard]] inline Segment segment_at(const PlannedRows& r, std::int64_t i, std::int64_t last) noexcept {
  const bool shifts = in_shifts(r.rows[i]);
  do i += std::max(r.rows[i].run.rows, r.rows[i].run.shifts);  // rows of a run are alike
  while (i < last && in_shifts(r.rows[i]) == shifts);
  return {std::min(i, last), shifts};
}

/// Where the rows that are multiplied together with row i end, one or up to kSummedRows of one pattern.
[[nodiscard]] inline std::int64_t end_of_run(const PlannedRows& r, std::int64_t i) noexcept {
  return std::min({i + r.rows[i].run.rows, i + kSummedRows, r.last});
}

/// Whether row i, alone, has masks.
[[nodiscard]] inline bool masked(const PlannedRows& r, std::int64_t i) noexcept {
  const std::int64_t n = r.row_ptr[i + 1] - r.row_ptr[i];
  return r.masks && n <= kMostMasked && masks_pay(masked_vectors(r.a.length(i), n), r.rows[i].nprod);
}
/// Bytes of its masks, so many that positions may follow.
[[nodiscard]] inline std::int64_t masked_bytes(const PlannedRows& r, std::int64_t i) noexcept {
  constexpr std::int64_t kWidest = sizeof(std::uint32_t);
  const std::int64_t bytes = r.a.length(i) * mask_bytes(r.row_ptr[i + 1] - r.row_ptr[i]);
  return (bytes + kWidest - 1) / kWidest * kWidest;
}

/// What is written down for rows [first, last): positions of products, and bytes of masks. Of the rows with positions,
/// the longest of C, and of those in runs the longest of C and of A.
struct PositionCount {
  std::int64_t positions = 0, mask_bytes = 0, longest = 0, run_longest = 0, run_a_longest = 0;
};
[[nodiscard]] PositionCount count_positions(const PlannedRows& r) noexcept;

/// Writes the positions of rows [first, last) down, run by run, product by product, and masks in between. `col` is C's;
/// `position_of` has an entry for every column of B. P is wide enough for the longest row of C. O(products).
template <class P>
void write_positions(const PlannedRows& r, const Column* col, std::uint32_t* position_of, P* positions);

/// Values of rows [first, last) of C, none of them in a shift run.
template <class T>
struct ReplayTask {
  const Operand<T>& a;
  const Operand<T>& b;
  const PlannedRows& rows;
  const void* positions;  // of the first row; kMaskSlack more bytes behind the last
  bool narrow;            // 16 bits each, else 32
  T* sums;                // zero, kSummedRows for each entry of C's longest row in a run; handed back zero
  T* run_values;          // kSummedRows for each entry of A's longest row in a run
  T* stream_buffer;  // as much as `sums` and kStreamSlack more where C is so large that runs go around the caches, else
                     // null
  T* val;            // C's
};
/// Returns where the rows' positions end.
#define ROWAN_DECLARE_RUN(T) [[nodiscard]] const void* run(const ReplayTask<T>& task);
ROWAN_FOR_EACH_VALUE(ROWAN_DECLARE_RUN)
#undef ROWAN_DECLARE_RUN

}  // namespace rowan::replay
