#pragma once
// How rows of runs are put together (runs.hpp), row by row: the binning pass makes bundles on its way.
#include "lib/binning/device/runs.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// By a whole wave, each lane with a row of its own, neighbours: the mark of this lane's row. `moved`: of every row, 1
/// where its products are the row before's moved by one column (features/device/measure.hpp). Bundles are cut every
/// ShiftMark::kMaxRows rows: a wave finds where its rows' bundles begin and end by the bits of so many rows, without
/// other waves.
__device__ inline ShiftMark mark_of_row(std::int64_t rows, const std::uint8_t* moved, std::int64_t row) {
  constexpr int kRows = ShiftMark::kMaxRows, kWord = 64;
  static_assert(kRows == 2 * kWord);
  const std::int64_t cut = row / kRows * kRows;  // the same for the whole wave
  const int width = simt::wave_width(), at = static_cast<int>(row - cut);
  std::uint64_t still[2] = {0, 0};  // rows that are not moved: where a bundle begins
  for (int k = 0; k < kRows; k += width) {
    const std::int64_t other = cut + k + simt::lane();
    const bool begins = other == cut || other >= rows || moved[other] == 0;
    const std::uint64_t bits = simt::ballot(simt::wave_mask(), begins);
    still[k < kWord ? 0 : 1] |= bits << (k % kWord);
  }
  const auto upto = [](int bit) { return ~std::uint64_t{0} >> (kWord - 1 - bit); };
  const auto highest = [](std::uint64_t bits) { return kWord - 1 - __clzll(static_cast<long long>(bits)); };
  const auto lowest = [](std::uint64_t bits) { return __ffsll(static_cast<long long>(bits)) - 1; };
  const bool in_upper = at >= kWord;
  const std::uint64_t here = in_upper ? still[1] : still[0], upto_row = upto(at % kWord);
  int first = 0, end = kRows;
  if (const std::uint64_t before = here & upto_row; before != 0)
    first = highest(before) + (in_upper ? kWord : 0);
  else
    first = highest(still[0]);
  if (const std::uint64_t behind = here & ~upto_row; behind != 0)
    end = lowest(behind) + (in_upper ? kWord : 0);
  else if (!in_upper && still[1] != 0)
    end = lowest(still[1]) + kWord;
  if (end - first < ShiftMark::kMinRows) return {};
  return at == first ? ShiftMark::leader(end - first) : ShiftMark::follower(at - first);
}

/// Where a row is in its run.
struct PlaceInRun {
  std::int64_t leader;
  std::uint8_t bundle_rows;  // how many rows from this row on are multiplied together; 0: it follows in their bundle
};
/// It looks for the run's leader, at most kRunRows rows before it. A row that is in no run is its own leader.
__device__ inline PlaceInRun place_in_run(std::int64_t rows, const std::uint8_t* relation, std::int64_t row) {
  const std::int64_t cut = row / kRunRows * kRunRows, limit = cut + kRunRows < rows ? cut + kRunRows : rows;
  std::int64_t first = row, end = row + 1;
  while (first > cut && relation[first] == kSameAsPrevious) first--;
  while (end < limit && relation[end] == kSameAsPrevious) end++;
  // bundles of almost one size, the larger ones first: six rows are three and three, five are three and two
  const int length = static_cast<int>(end - first), bundles = (length + kMaxBundleRows - 1) / kMaxBundleRows;
  const int small = length / bundles, large = length % bundles;  // rows of a bundle; bundles of one row more
  const int of_run = static_cast<int>(row - first), behind_large = of_run - large * (small + 1);
  const int of_bundle = behind_large < 0 ? of_run % (small + 1) : behind_large % small;
  return {first, static_cast<std::uint8_t>(of_bundle != 0 ? 0 : behind_large < 0 ? small + 1 : small)};
}

}  // namespace rowan::device::inline ROWAN_BACKEND
