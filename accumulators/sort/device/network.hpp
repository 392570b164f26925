#pragma once
// A sorting network over the registers of a group of lanes.
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

__device__ inline void sort_two(unsigned& low, unsigned& high) {
  const unsigned x = low, y = high;
  low = x < y ? x : y;
  high = x < y ? y : x;
}

/// Sorts a lane's words, rising: bitonic (Batcher 1968), every comparison the same way round, a merge beginning by
/// comparing each place with its mirror image; six by the network with the fewest comparisons (Knuth, 5.3.4).
template <int kKeys>
__device__ void sort_in_lane(Held<unsigned, kKeys>& key) {
  const auto order = [&](int low, int high) { sort_two(key[low], key[high]); };
  if constexpr (kKeys == 6) {
    order(0, 5), order(1, 3), order(2, 4);
    order(1, 2), order(3, 4);
    order(0, 3), order(2, 5);
    order(0, 1), order(2, 3), order(4, 5);
    order(1, 2), order(3, 4);
  } else {
    static_assert((kKeys & (kKeys - 1)) == 0);
    ROWAN_UNROLL
    for (int run = 2; run <= kKeys; run *= 2) {
      ROWAN_UNROLL
      for (int t = 0; t < kKeys; t++)
        if ((t ^ (run - 1)) > t) order(t, t ^ (run - 1));
      ROWAN_UNROLL
      for (int step = run / 4; step > 0; step /= 2) {
        ROWAN_UNROLL
        for (int t = 0; t < kKeys; t++)
          if ((t & step) == 0) order(t, t + step);
      }
    }
  }
}

/// The same of words that rise and then fall, or the other way round.
template <int kKeys>
__device__ void merge_in_lane(Held<unsigned, kKeys>& key) {
  const auto order = [&](int low, int high) { sort_two(key[low], key[high]); };
  if constexpr (kKeys == 6) {
    order(0, 3), order(1, 4), order(2, 5);
    order(0, 1), order(3, 4);
    order(1, 2), order(4, 5);
    order(0, 1), order(3, 4);
  } else {
    ROWAN_UNROLL
    for (int step = kKeys / 2; step > 0; step /= 2) {
      ROWAN_UNROLL
      for (int t = 0; t < kKeys; t++)
        if ((t & step) == 0) order(t, t + step);
    }
  }
}

/// Sorts kLanes * kKeys words of every group of kLanes lanes of the wave, rising: lane l ends up with places l * kKeys
/// to (l + 1) * kKeys - 1. All lanes of the wave come along. `kKeys`: a power of two, or 6.
template <int kLanes, int kKeys>
__device__ void sort_in_registers(Held<unsigned, kKeys>& key) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  const auto keep = [&](int t, unsigned other, bool larger) { key[t] = (other < key[t]) != larger ? other : key[t]; };
  sort_in_lane<kKeys>(key);
  ROWAN_UNROLL
  for (int run = 2; run <= kLanes; run *= 2) {  // lanes that are merged
    const bool upper = (l & (run / 2)) != 0;
    Held<unsigned, kKeys> other;
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) other[t] = simt::shuffle_xor(wave, key[kKeys - 1 - t], run - 1, kLanes);
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) keep(t, other[t], upper);
    ROWAN_UNROLL
    for (int step = run / 4; step > 0; step /= 2) {
      const bool larger = (l & step) != 0;
      ROWAN_UNROLL
      for (int t = 0; t < kKeys; t++) keep(t, simt::shuffle_xor(wave, key[t], step, kLanes), larger);
    }
    merge_in_lane<kKeys>(key);
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
