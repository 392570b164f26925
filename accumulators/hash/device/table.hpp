#pragma once
// An open-addressing table that many threads fill at once.
#include <cstdint>

#include "accumulators/common/device/probe.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

inline constexpr unsigned kScale = 107;  // HASH_SCALE of nsparse and OpSparse

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
