#pragma once
// What the kernels for few columns share: a set of columns, from how many entries on a row of A is long, and the
// threads of a block that sums.
#include <cstdint>

#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

constexpr std::int64_t kLongRow = 512, kPartEntries = 2 * kLongRow;
constexpr int kFewThreads = 256;

/// How many blocks share a long row of `length` entries.
[[nodiscard]] constexpr std::int64_t parts_of(std::int64_t length) noexcept {
  return (length + kPartEntries - 1) / kPartEntries;
}

/// Columns, a bit each.
template <int kWords>
struct Columns {
  Held<unsigned, kWords> word;

  __device__ void clear() {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) word[w] = 0;
  }
  __device__ void add(const Columns& other) {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) word[w] |= other.word[w];
  }
  __device__ void add_all(const std::uint32_t* mask) {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) word[w] |= mask[w];
  }
  __device__ void store(std::uint32_t* mask) const {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) mask[w] = word[w];
  }
  // Of column `first` + lane, all of whose lanes' columns are in one word: what is constant once loops are unrolled.
  [[nodiscard]] __device__ bool has(int first, int lane) const {
    return (word[first / 32] >> (first % 32 + lane) & 1) != 0;
  }
  [[nodiscard]] __device__ int before(int first, int lane) const {
    int n = static_cast<int>(__popc(word[first / 32] & ((1U << (first % 32 + lane)) - 1)));
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++)
      if (w < first / 32) n += static_cast<int>(__popc(word[w]));
    return n;
  }
  [[nodiscard]] __device__ bool has(int column) const {
    bool found = false;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++)
      if (column / 32 == w) found = (word[w] >> (column % 32) & 1) != 0;
    return found;
  }
  /// How many of them are less.
  [[nodiscard]] __device__ int before(int column) const {
    int n = 0;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) {
      if (column / 32 == w) n += static_cast<int>(__popc(word[w] & ((1U << (column % 32)) - 1)));
      if (column / 32 > w) n += static_cast<int>(__popc(word[w]));
    }
    return n;
  }
  [[nodiscard]] __device__ int count() const {
    int n = 0;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) n += static_cast<int>(__popc(word[w]));
    return n;
  }
};

/// What a group of lanes has found, to all of them.
template <int kWords>
__device__ void join(Columns<kWords>& columns, int lanes) {
  const Mask group = simt::group_mask(lanes);
  for (int d = lanes / 2; d > 0; d /= 2) {
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) columns.word[w] |= simt::shuffle_xor(group, columns.word[w], d, lanes);
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
