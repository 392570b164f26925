#pragma once
// Bitmaps over a row's span of columns, and the ranks of their bits.
#include "accumulators/common/device/heavy_rows.hpp"
#include "lib/device/runtime/shapes.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

inline constexpr int kBits = 32;  // of a bitmap's word

__device__ inline unsigned bit_of(int column) {
  return 1U << (static_cast<unsigned>(column) % kBits);
}
/// Whether it is the first to mark the column.
__device__ inline bool mark(unsigned* bits, int column) {  // NOLINT(modernize-use-nodiscard)
  return (simt::atomic_or(bits + column / kBits, bit_of(column)) & bit_of(column)) == 0;
}

/// before[w]: bits in the words before w.
template <class Scope>
__device__ void rank_words(const Scope& scope, const unsigned* bits, unsigned* before, int words) {
  int upto = 0;
  for (int base = 0; base < words; base += scope.size()) {
    const int w = base + scope.rank(), n = w < words ? __popc(bits[w]) : 0;
    int found;
    const int under = scope.exclusive_sum(n, found);
    if (w < words) before[w] = static_cast<unsigned>(upto + under);
    upto += found;
  }
}
/// How many bits are before a column's.
template <class Count>
__device__ int rank_of(const unsigned* bits, const Count* before, int column) {
  const int w = column / kBits;
  return static_cast<int>(before[w]) + static_cast<int>(__popc(bits[w] & (bit_of(column) - 1)));
}
/// The columns of a word's bits, of which the lowest is `first`.
__device__ inline void write_columns(unsigned word, int first, Column* to) {
  for (; word != 0; word &= word - 1) *to++ = first + __ffs(word) - 1;
}
/// The columns of a bitmap of `found` bits, of which the lowest is `lo`, the bits of word w from before(w) on: a thread
/// a word, or where words are full enough 32 of them, so that neighbours write next to each other.
template <class Scope, class Before>
__device__ void write_bitmap(const Scope& scope, const unsigned* bits, int words, int found, int lo,
                             const Before& before, Column* to) {
  if (found < kShapes.rank.bits_of_full_word * words) {
    for (int w = scope.rank(); w < words; w += scope.size()) write_columns(bits[w], lo + w * kBits, to + before(w));
    return;
  }
  const int mine = scope.rank() % kBits;
  const unsigned below = bit_of(mine) - 1;
  for (int w = scope.rank() / kBits; w < words; w += scope.size() / kBits) {
    const unsigned word = bits[w];
    if ((word >> mine & 1) != 0) to[before(w) + static_cast<int>(__popc(word & below))] = lo + w * kBits + mine;
  }
}

/// Where a column of a row is in its bitmap.
struct InGroup {
  std::int64_t group;
  int word;
  unsigned bit;

  __device__ explicit InGroup(int column) : group(column / BitGroup::kColumns) {
    const int rest = column % BitGroup::kColumns;
    word = rest / kBits;
    bit = bit_of(rest);
  }
};

/// How many columns there are before that one.
__device__ inline int rank_in(const BitGroup* bitmap, const InGroup& at) {
  const BitGroup group = bitmap[at.group];
  int rank = group.before;
  ROWAN_UNROLL
  for (int u = 0; u < BitGroup::kWords; u++) {
    const unsigned below = u < at.word ? ~0U : u == at.word ? at.bit - 1 : 0U;
    rank += static_cast<int>(__popc(group.bits[u] & below));
  }
  return rank;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
