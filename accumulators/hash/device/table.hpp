#pragma once
// An open-addressing table that many threads fill at once.
#include <cstdint>

#include "lib/device/scope.hpp"
#include "lib/device/variants.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

inline constexpr int kEmpty = -1;                          // columns are never negative
inline constexpr unsigned kScale = 107;                    // HASH_SCALE of nsparse and OpSparse
inline constexpr std::uint64_t kLast = ~std::uint64_t{0};  // sorts behind every entry

/// Finds or inserts `column` from place `at` on; its place. One access to the table a probe (OpSparse, section 5.2,
/// algorithm 4): what the swap returns tells all three cases apart. The table must have it or room for it.
template <class Next>
__device__ int probe(int* keys, int at, int column, bool& fresh, const Next& next) {
  while (true) {
    if (kVariant == Variant::multi_access) {
      fresh = false;
      if (simt::load_relaxed(keys + at) == column) return at;
      if (simt::load_relaxed(keys + at) != kEmpty) {
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

/// In a table of a power of two of places.
__device__ inline int insert(int* keys, int table, int column, bool& fresh) {
  const int first = static_cast<int>(static_cast<unsigned>(column) * kScale & static_cast<unsigned>(table - 1));
  return probe(keys, first, column, fresh, [table](int at) { return (at + 1) & (table - 1); });
}
/// In a table of any size.
__device__ inline int insert_anywhere(int* keys, int table, int column, bool& fresh) {
  const int first = static_cast<int>(static_cast<unsigned>(column) * kScale % static_cast<unsigned>(table));
  return probe(keys, first, column, fresh, [table](int at) { return at + 1 < table ? at + 1 : 0; });
}

/// Bitonic sort (Batcher 1968) of n words, a power of two.
template <class Scope>
__device__ void bitonic_sort(const Scope& scope, std::uint64_t* words, int n) {
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      for (int t = scope.rank(); t < n / 2; t += scope.size()) {
        const int i = 2 * t - (t & (j - 1)), partner = i + j;
        const std::uint64_t x = words[i], y = words[partner];
        if ((x > y) == ((i & k) == 0)) words[i] = y, words[partner] = x;
      }
      scope.sync();
    }
}

/// Threads that sort faster by counting what is smaller than each of their words: O(n^2), but two barriers in all.
inline constexpr int kMostCounting = kVariant == Variant::no_counting ? 0 : kVariant == Variant::counting_128 ? 32 : 16;
inline constexpr int kCounted = 4;  // words a thread

template <class Scope>
__device__ void counting_sort(const Scope& scope, std::uint64_t* words, int n) {
  constexpr int kWords = kCounted;
  std::uint64_t mine[kWords];
  int smaller[kWords];
  ROWAN_UNROLL
  for (int p = 0; p < kWords; p++) {
    const int at = scope.rank() + p * scope.size();
    mine[p] = at < n ? words[at] : 0, smaller[p] = 0;
  }
  for (int k = 0; k < n; k++) {
    const auto column = static_cast<unsigned>(words[k] >> 32);
    ROWAN_UNROLL
    for (int p = 0; p < kWords; p++) smaller[p] += column < static_cast<unsigned>(mine[p] >> 32) ? 1 : 0;
  }
  scope.sync();
  ROWAN_UNROLL
  for (int p = 0; p < kWords; p++)
    if (scope.rank() + p * scope.size() < n) words[smaller[p]] = mine[p];
  scope.sync();
}

/// An entry to be sorted: its column above its place in the table.
__device__ inline std::uint64_t word_of(int column, int place) {
  return static_cast<std::uint64_t>(static_cast<unsigned>(column)) << 32 | static_cast<unsigned>(place);
}
__device__ inline int column_of(std::uint64_t word) {
  return static_cast<int>(word >> 32);
}
__device__ inline int place_of(std::uint64_t word) {
  return static_cast<int>(word & 0xffffffffU);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
