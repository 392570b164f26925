#pragma once
// A sorting network over the registers of a group of lanes.
#include "lib/device/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

/// Sorts kLanes * kKeys words of every group of kLanes lanes of the wave, rising: lane l ends up with places l * kKeys
/// to (l + 1) * kKeys - 1. All lanes of the wave come along. Bitonic (Batcher 1968), every comparison the same way
/// round: a merge begins by comparing each place of a run with its mirror image in the other.
template <int kLanes, int kKeys>
__device__ void sort_in_registers(Held<unsigned, kKeys>& key) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  const auto order = [&](int low, int high) {
    const unsigned x = key[low], y = key[high];
    key[low] = x < y ? x : y;
    key[high] = x < y ? y : x;
  };
  const auto keep = [&](int t, unsigned other, bool larger) { key[t] = (other < key[t]) != larger ? other : key[t]; };
  ROWAN_UNROLL
  for (int run = 2; run <= kLanes * kKeys; run *= 2) {
    if (run <= kKeys) {
      ROWAN_UNROLL
      for (int t = 0; t < kKeys; t++)
        if ((t ^ (run - 1)) > t) order(t, t ^ (run - 1));
    } else {
      const bool larger = (l & (run / kKeys / 2)) != 0;
      Held<unsigned, kKeys> other;
      ROWAN_UNROLL
      for (int t = 0; t < kKeys; t++) other[t] = simt::shuffle_xor(wave, key[kKeys - 1 - t], run / kKeys - 1, kLanes);
      ROWAN_UNROLL
      for (int t = 0; t < kKeys; t++) keep(t, other[t], larger);
    }
    ROWAN_UNROLL
    for (int step = run / 4; step > 0; step /= 2) {
      if (step >= kKeys) {
        const bool larger = (l & (step / kKeys)) != 0;
        ROWAN_UNROLL
        for (int t = 0; t < kKeys; t++) keep(t, simt::shuffle_xor(wave, key[t], step / kKeys, kLanes), larger);
      } else {
        ROWAN_UNROLL
        for (int t = 0; t < kKeys; t++)
          if ((t & step) == 0) order(t, t + step);
      }
    }
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
