#pragma once
// Rows shared out in groups of lanes, the long ones kept for whole waves and the longest for the block: one row of
// thousands of entries would otherwise hold up a wave for as long as all others take together.
#include "lib/device/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kRowThreads = 256;
inline constexpr std::int64_t kLongForALane = 64;  // entries

/// Blocks of kRowThreads that for_rows needs.
[[nodiscard]] constexpr std::int64_t row_blocks(std::int64_t rows, int lanes) noexcept {
  return (rows * lanes + kRowThreads - 1) / kRowThreads;
}

/// Lanes for rows of this many entries on average: about four each, so that a lane has several loads on their way.
[[nodiscard]] constexpr int row_lanes(std::int64_t rows, std::int64_t nnz) noexcept {
  constexpr std::int64_t kEntriesALane = 4;
  int lanes = 1;
  while (lanes < kLeastWave && lanes * rows * kEntriesALane < nnz) lanes *= 2;
  return lanes;
}

/// Calls f(who, row) once for each row of the block, `who` being a group of lanes or the whole block.
template <class F>
__device__ void for_rows(std::int64_t rows, const std::int64_t* ptr, int lanes, const F& f) {
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  ROWAN_SHARED(int, late, kRowThreads);
  ROWAN_SHARED(int, late_rows, 1);
  const Lanes group(lanes);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (kRowThreads / lanes);
  const int mine = static_cast<int>(threadIdx.x) / lanes;
  if (threadIdx.x == 0) late_rows[0] = 0;
  __syncthreads();
  if (const std::int64_t row = first + mine; row < rows) {
    if (ptr[row + 1] - ptr[row] <= kLongForALane * lanes)
      f(group, row);
    else if (group.rank() == 0)
      late[simt::atomic_add(late_rows, 1)] = mine;
  }
  __syncthreads();
  const int width = simt::wave_width(), waves = kRowThreads / width;
  const auto for_block = [&](int k) {
    const std::int64_t row = first + late[k];
    return ptr[row + 1] - ptr[row] > kLongForALane * width;
  };
  const Lanes wave(width);
  for (int k = static_cast<int>(threadIdx.x) / width; k < late_rows[0]; k += waves)
    if (!for_block(k)) f(wave, first + late[k]);
  const WholeBlock block(scratch);
  for (int k = 0; k < late_rows[0]; k++)
    if (for_block(k)) f(block, first + late[k]);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
