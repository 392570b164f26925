#pragma once
// The products of one row, shared out among lanes: groups of g lanes each take an entry of A and walk its row of B.
#include "accumulators/device/task.hpp"
#include "lib/device/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

struct NoValue {};

/// Calls f(place in B, A's value) for every product of the row that falls to these lanes, and `after` when all of them
/// are done with a row of B each. Lanes load a batch of A's entries and where their rows of B are at once, and hand
/// them round by shuffles: one wait for memory a batch instead of one an entry. `first` and `step` tell which batches.
template <class V, class F, class After>
__device__ void walk(const Lanes& lanes, const Pattern& a, const V* a_val, const std::int64_t* b_ptr, std::int64_t row,
                     int group, std::int64_t first, std::int64_t step, const F& f, const After& after) {
  constexpr bool kValues = !std::is_same_v<V, NoValue>;
  const int size = lanes.size(), groups = size / group, mine = lanes.rank() / group, l = lanes.rank() & (group - 1);
  const Mask mask = simt::group_mask(size);
  const std::int64_t end = a.ptr[row + 1];
  for (std::int64_t base = a.ptr[row] + first; base < end; base += step) {
    std::int64_t from = 0;
    int n = 0;
    V x{};
    if (const std::int64_t k = base + lanes.rank(); k < end) {
      const std::int64_t j = a.col[k];
      from = b_ptr[j];
      n = static_cast<int>(b_ptr[j + 1] - from);
      if constexpr (kValues) x = a_val[k];
    }
    const int entries = end - base < size ? static_cast<int>(end - base) : size;
    for (int e = 0; e < entries; e += groups) {
      const std::int64_t row_from = simt::shuffle(mask, from, e + mine, size);
      const int row_n = simt::shuffle(mask, n, e + mine, size);
      V scale{};
      if constexpr (kValues) scale = simt::shuffle(mask, x, e + mine, size);
      for (int i = l; i < row_n; i += group) f(row_from + i, scale);
      after();
    }
  }
}

/// All batches of a row, for lanes that have it to themselves.
template <class V, class F, class After>
__device__ void walk(const Lanes& lanes, const Pattern& a, const V* a_val, const std::int64_t* b_ptr, std::int64_t row,
                     int group, const F& f, const After& after) {
  walk(lanes, a, a_val, b_ptr, row, group, 0, lanes.size(), f, after);
}

/// The batches that fall to this thread's wave, where a block has the row.
template <class V, class F>
__device__ void walk_in_block(const Pattern& a, const V* a_val, const std::int64_t* b_ptr, std::int64_t row, int group,
                              const F& f) {
  const int width = simt::wave_width();
  const Lanes wave(width);
  const std::int64_t first = static_cast<std::int64_t>(threadIdx.x) / width * width;
  walk(wave, a, a_val, b_ptr, row, group, first, static_cast<std::int64_t>(blockDim.x), f, [] {});
}

}  // namespace rowan::device::inline ROWAN_BACKEND
