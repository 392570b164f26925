#pragma once
// How rows of runs are put together (runs.hpp), row by row: the binning pass makes bundles on its way.
#include "lib/binning/device/runs.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kShiftRows = 1024;  // shift runs are cut every so many rows, and after ShiftMark::kMaxRows

/// Eight flags of a byte each, 0 or 1, from a row on: bit k is the k-th; rows that are not there have none. `from` is a
/// multiple of eight, and `flags` is aligned like it.
__device__ inline unsigned eight_flags(std::int64_t rows, const std::uint8_t* flags, std::int64_t from) {
  constexpr std::uint64_t kGather = 0x0102040810204080;  // moves the lowest bit of byte k to bit 56 + k
  if (from + 8 <= rows)
    return static_cast<unsigned>(*reinterpret_cast<const std::uint64_t*>(flags + from) * kGather >> 56);
  unsigned bits = 0;
  for (int k = 0; from + k < rows; k++) bits |= unsigned{flags[from + k]} << k;
  return bits;
}

inline constexpr int kStillWords = kShiftRows / 32;
static_assert(kStillWords == kLeastWave);
/// Word `k` of the kShiftRows rows from `cut` on that are not moved, where runs begin. `moved`: of every row, 1 where
/// its products are the row before's moved by one column (features/device/measure.hpp).
__device__ inline unsigned still_rows(std::int64_t rows, const std::uint8_t* moved, std::int64_t cut, int k) {
  constexpr int kWord = 32, kEight = 8;
  unsigned moved_rows = 0;
  for (int i = 0; i < kWord; i += kEight) moved_rows |= eight_flags(rows, moved, cut + k * kWord + i) << i;
  return ~moved_rows | (k == 0 ? 1 : 0);
}

/// By a whole wave, each lane with a row of its own, neighbours: the mark of this lane's row. `still`: of lane k the
/// k-th of the still_rows() of their cut, so that a wave finds where runs begin and end without other waves; else 0.
__device__ inline ShiftMark mark_of_row(unsigned still, std::int64_t row) {
  constexpr int kWord = 32;
  const int at = static_cast<int>(static_cast<std::uint32_t>(row) % kShiftRows), mine = at / kWord;
  const Mask wave = simt::wave_mask();
  const auto highest = [](std::uint64_t bits) { return 63 - __clzll(static_cast<long long>(bits)); };
  const Mask some = simt::ballot(wave, still != 0), above = some & ~simt::below(mine) & ~(Mask{1} << mine);
  const unsigned own = simt::shuffle(wave, still, mine), upto_row = ~0U >> (kWord - 1 - at % kWord);
  // the word with the last such row up to this one, and with the first one behind it
  const int first_word = (own & upto_row) != 0 ? mine : highest(some & simt::below(mine));
  const int end_word = (own & ~upto_row) != 0 || above == 0 ? mine : simt::lowest(above);
  const unsigned first_bits = simt::shuffle(wave, still, first_word), end_bits = simt::shuffle(wave, still, end_word);
  const int first = first_word * kWord + highest(first_word == mine ? first_bits & upto_row : first_bits);
  const unsigned behind_row = end_word == mine ? end_bits & ~upto_row : end_bits;
  const int end = behind_row == 0 ? kShiftRows : end_word * kWord + simt::lowest(behind_row);
  const int behind = (at - first) % ShiftMark::kMaxRows, left = end - (at - behind);
  const int length = left < ShiftMark::kMaxRows ? left : ShiftMark::kMaxRows;
  return length < ShiftMark::kMinRows ? ShiftMark()
         : behind == 0                ? ShiftMark::leader(length)
                                      : ShiftMark::follower(behind);
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
