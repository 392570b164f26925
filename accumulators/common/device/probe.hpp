#pragma once
// A step of an open-addressing table of columns that many threads fill at once.
#include "lib/device/runtime/shapes.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kNoKey = -1;  // of a place without a column: these are never negative

/// Finds or inserts `column` from place `at` on; its place. One access to the table a probe (OpSparse, section 5.2,
/// algorithm 4): what the swap returns tells all three cases apart. The table must have it or room for it.
template <class Next>
__device__ int probe(int* keys, int at, int column, bool& fresh, const Next& next) {
  while (true) {
    if constexpr (kShapes.hash.looks_before_swap) {
      fresh = false;
      if (simt::load_relaxed(keys + at) == column) return at;
      if (const int seen = simt::load_relaxed(keys + at); seen != kNoKey) {
        if (seen == column) return at;  // somebody was quicker: without this it would stand there twice
        at = next(at);
        continue;
      }
    }
    const int before = simt::atomic_cas(keys + at, kNoKey, column);
    fresh = before == kNoKey;
    if (fresh || before == column) return at;
    at = next(at);
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
