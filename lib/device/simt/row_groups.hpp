#pragma once
// Rows shared out in groups of lanes, the long ones kept for whole waves and the longest for the block: one row of
// thousands of entries would otherwise hold up a wave for as long as all others take together.
#include <algorithm>
#include <type_traits>

#include "lib/device/runtime/shapes.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kRowThreads = kShapes.row_groups.block;
inline constexpr std::int64_t kLongForALane = kShapes.row_groups.long_for_lane;  // entries

/// Blocks of kRowThreads for for_rows: as many as rows need, and where these are few up to one for a wave's rows.
[[nodiscard]] constexpr std::int64_t row_blocks(std::int64_t rows, int lanes) noexcept {
  constexpr std::int64_t kLeastBlocks = kShapes.row_groups.least_blocks;
  const auto of = [&](std::int64_t threads) { return (rows * lanes + threads - 1) / threads; };
  return std::max(of(kRowThreads), std::min(of(kLeastWave), kLeastBlocks));
}

/// Lanes for rows of this many entries on average. A lane alone, where rows are short and fill the device: what several
/// find must be put together, which takes longer than to load some more (delaunay: half the time of two lanes).
[[nodiscard]] constexpr int row_lanes(std::int64_t rows, std::int64_t nnz) noexcept {
  constexpr std::int64_t kMostALane = kShapes.row_groups.most_a_lane, kLeastALane = kShapes.row_groups.least_a_lane,
                         kManyLanes = kShapes.row_groups.many_lanes;
  int lanes = 1;
  const auto too_few = [&] {
    const std::int64_t all = lanes * rows;
    return all * kMostALane < nnz || (all < kManyLanes && all * kLeastALane < nnz);
  };
  while (lanes < kLeastWave && too_few()) lanes *= 2;
  return lanes;
}

/// Calls f(who, row, begin, end) once for each row of the block, `who` being a lane, a group of kLanes lanes, a wave or
/// the whole block; the row's entries are [begin, end). A wave has neighbouring rows, a block's waves have rows that
/// are far apart: long rows stand together in many matrices, and would be one block's. How many lanes is a constant:
/// with a number to divide by, finding a row took a fifth of a pass's instructions, and every reduction was a loop.
template <int kLanes, class F>
__device__ void for_rows(std::int64_t rows, const std::int64_t* ptr, const F& f) {
  const int width = simt::wave_width(), waves = kRowThreads / width, of_wave = width / kLanes;
  const auto row_of = [&](int group) {  // groups are numbered through the block
    return (static_cast<std::int64_t>(group / of_wave) * gridDim.x + blockIdx.x) * of_wave + group % of_wave;
  };
  const int mine = static_cast<int>(threadIdx.x) / kLanes;
  const std::int64_t row = row_of(mine), begin = row < rows ? ptr[row] : 0, end = row < rows ? ptr[row + 1] : 0;
  const bool is_long = end - begin > kLongForALane * kLanes;
  if (row < rows && !is_long) {
    if constexpr (kLanes == 1)
      f(OneLane{}, row, begin, end);
    else
      f(Lanes(kLanes), row, begin, end);
  }
  if (!simt::any_of_block(is_long)) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  ROWAN_SHARED(int, late, kRowThreads);
  ROWAN_SHARED(int, late_rows, 1);
  if (threadIdx.x == 0) late_rows[0] = 0;
  __syncthreads();
  if (is_long && static_cast<int>(threadIdx.x) % kLanes == 0) late[simt::atomic_add(late_rows, 1)] = mine;
  __syncthreads();
  const auto late_row = [&](const auto& who, int k, bool for_block) {
    const std::int64_t r = row_of(late[k]), from = ptr[r], to = ptr[r + 1];
    if ((to - from > kLongForALane * width) == for_block) f(who, r, from, to);
  };
  const Lanes wave(width);
  for (int k = static_cast<int>(threadIdx.x) / width; k < late_rows[0]; k += waves) late_row(wave, k, false);
  const WholeBlock block(scratch);
  for (int k = 0; k < late_rows[0]; k++) late_row(block, k, true);
}

/// Calls f with `lanes`, of row_lanes(), as a constant.
template <class F>
void with_lanes(int lanes, const F& f) {
  switch (lanes) {
    case 1:
      return f(std::integral_constant<int, 1>());
    case 2:
      return f(std::integral_constant<int, 2>());
    case 4:
      return f(std::integral_constant<int, 4>());
    case 8:
      return f(std::integral_constant<int, 8>());
    case 16:
      return f(std::integral_constant<int, 16>());
    default:
      return f(std::integral_constant<int, kLeastWave>());
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
