#pragma once
// What sorting in registers replaces: the same keys sorted in shared memory, two places a comparison (bhSPARSE's way).
// Only a table of kernel shapes with sort.in_shared_memory has it, to be compared with.
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

/// Sorts kLanes * kKeys words, rising (bitonic, Batcher 1968); as sort_in_registers, all lanes of the wave come along.
template <int kLanes, int kKeys>
__device__ void sort_in_shared(unsigned* keys) {
  constexpr int kWords = kLanes * kKeys;
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  for (int run = 2; run <= kWords; run *= 2)
    for (int step = run / 2; step > 0; step /= 2) {
      simt::sync_wave(wave);
      for (int t = l; t < kWords / 2; t += kLanes) {
        const int low = 2 * t - (t & (step - 1)), high = low + step;
        const unsigned x = keys[low], y = keys[high];
        if ((x > y) == ((low & run) == 0)) keys[low] = y, keys[high] = x;
      }
    }
  simt::sync_wave(wave);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
