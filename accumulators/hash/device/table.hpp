#pragma once
// An open-addressing table that many threads fill at once.
#include <cstdint>

#include "lib/device/runtime/shapes.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

inline constexpr int kEmpty = -1;        // columns are never negative
inline constexpr unsigned kScale = 107;  // HASH_SCALE of nsparse and OpSparse

/// Finds or inserts `column` from place `at` on; its place. One access to the table a probe (OpSparse, section 5.2,
/// algorithm 4): what the swap returns tells all three cases apart. The table must have it or room for it.
template <class Next>
__device__ int probe(int* keys, int at, int column, bool& fresh, const Next& next) {
  while (true) {
    if constexpr (kShapes.hash.looks_before_swap) {
      fresh = false;
      if (simt::load_relaxed(keys + at) == column) return at;
      if (const int seen = simt::load_relaxed(keys + at); seen != kEmpty) {
        if (seen == column) return at;  // somebody was quicker: without this it would stand there twice
        at = next(at);
        continue;
      }
    }
    const int before = simt::atomic_cas(keys + at, kEmpty, column);
    fresh = before == kEmpty;
    if (fresh || before == column) return at;
    at = next(at);
  }
}

/// In a table of a power of two of places; collision() is called for every probe beyond the first.
template <class Collision>
__device__ int insert(int* keys, int table, int column, bool& fresh, const Collision& collision) {
  const int first = static_cast<int>(static_cast<unsigned>(column) * kScale & static_cast<unsigned>(table - 1));
  return probe(keys, first, column, fresh, [&](int at) {
    collision();
    return (at + 1) & (table - 1);
  });
}
__device__ inline int insert(int* keys, int table, int column, bool& fresh) {
  return insert(keys, table, column, fresh, [] {});
}
/// In a table of any size.
__device__ inline int insert_anywhere(int* keys, int table, int column, bool& fresh) {
  const int first = static_cast<int>(static_cast<unsigned>(column) * kScale % static_cast<unsigned>(table));
  return probe(keys, first, column, fresh, [table](int at) { return at + 1 < table ? at + 1 : 0; });
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
