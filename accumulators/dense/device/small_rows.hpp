#pragma once
// What small products' kernel (dense/device/small.cpp) is built of: the launch, its shared memory, and short rows,
// whose products a few lanes hold in registers.
#include <algorithm>

#include "accumulators/common/device/in_order.hpp"
#include "accumulators/dense/device/bits.hpp"
#include "accumulators/dense/device/small.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense::small {

inline constexpr auto kShape = kShapes.small;
inline constexpr int kThreads = kShape.block;
inline constexpr int kGroup = 32, kGroups = kThreads / kGroup;  // that have late rows
inline constexpr int kGroupWords = kShape.late_words;           // of a group's bitmap that are in use, at most
inline constexpr int kBlockWords = kGroups * kGroupWords;       // of the block's
inline constexpr int kAhead = kShape.ahead;
inline constexpr int kTopBits = kBits * kBits;  // columns of a word of the top level
static_assert(kBlockWords * kBits >= kSmallColumns && kBlockWords % kThreads == 0);

inline constexpr int kPartInOrder = 128;  // a block's products that are ordered together (in_order.hpp)

using Rank = std::uint16_t;

template <class T>
struct Small {
  Operand<T> a, b;
  int tile_rows;   // at most as many as have lanes
  int top_words;   // that hold all columns of B
  int late_words;  // of late rows' bitmaps: of the block's, or all of its groups'
  bool in_order;
  std::int64_t* row_ptr;
  Column* col;
  T* val;
  std::int64_t capacity;
  LaunchWords words;
  HostMailbox<SmallTold>::Sender told;
};

/// rank[w]: bits in the words before w; returns all bits. By `lanes` lanes of a wave, of which this is the l-th, all
/// lanes of the wave together. Each takes words that follow each other, an odd number: they lie in different banks.
__device__ inline int rank_in_pieces(const unsigned* bits, Rank* rank, int words, int l, int lanes) {
  const int each = ((words + lanes - 1) / lanes) | 1;
  const int first = std::min(l * each, words), last = std::min(first + each, words);
  int found = 0;
  for (int w = first; w < last; w++) found += __popc(bits[w]);
  const Mask wave = simt::wave_mask();
  const int upto = simt::inclusive_sum(wave, found, lanes);
  int before = upto - found;
  for (int w = first; w < last; w++) {
    rank[w] = static_cast<Rank>(before);
    before += __popc(bits[w]);
  }
  return simt::shuffle(wave, upto, lanes - 1, lanes);
}

/// A row's columns in two levels: a bit for each word of 32 columns that has some, and those words, side by side.
struct TwoLevels {
  unsigned *top, *words;
  Rank *top_rank, *rank;

  __device__ void mark_top(int column) const { mark(top, column / kBits); }
  /// A column's bit in `words`.
  __device__ int bit(int column) const { return rank_of(top, top_rank, column / kBits) * kBits + column % kBits; }
};

/// A place that differs from those of the wave's other groups: all of them go together, a mask of each would take them
/// one after another (t60k in order 79 us for 72).
template <int kLanes>
__device__ int place_in_wave(int place) {
  return simt::lane() / kLanes << 16 | place;
}

/// What a late row costs a group, in products: an entry of A is waited for, too.
__device__ inline int cost_of(std::int64_t products, std::int64_t entries) {
  constexpr std::int64_t kMost = 1 << 24;  // of 32 rows the sum has 32 bits
  const std::int64_t cost = products + 2 * entries;
  return static_cast<int>(cost < kMost ? cost : kMost);
}

/// Arrays in shared memory. Short rows' bitmaps are done with before late rows' begin, in the same place.
template <class T, int kLanes, int kHeld>
struct Stage {
  static constexpr int kRows = kThreads / kLanes, kSlots = kHeld * kLanes;
  static constexpr int kMemory = kRows * kSlots * static_cast<int>(sizeof(T) + sizeof(Column)) / 8;
  // of `sums` and `columns`, once these are written of ordered products
  std::int64_t* memory;
  T* sums;
  Column* columns;
  TwoLevels row, late;  // the block's first, its groups' first

  __device__ Stage(simt::DynamicShared& shared, const Small<T>& p) {
    memory = shared.take<std::int64_t>(kMemory);
    sums = reinterpret_cast<T*>(memory);
    columns = reinterpret_cast<Column*>(sums + kRows * kSlots);
    auto* const bits = shared.take<unsigned>(bitmap_words(p.top_words, p.late_words));
    row = cut(bits, kRows * p.top_words, kRows * kSlots);
    late = cut(bits, kGroups * p.top_words, p.late_words);
  }
  [[nodiscard]] static constexpr std::size_t bytes(int top_words, int late_words) {
    return kMemory * sizeof(std::int64_t) +
           static_cast<std::size_t>(bitmap_words(top_words, late_words)) * sizeof(unsigned);
  }
  [[nodiscard]] __device__ TwoLevels of_row(int r, int top_words) const { return at(row, r * top_words, r * kSlots); }
  [[nodiscard]] __device__ TwoLevels of_late(int group, const Small<T>& p) const {
    return at(late, group * p.top_words, group * (p.late_words / kGroups));
  }

 private:
  /// Of both levels with their ranks.
  [[nodiscard]] static constexpr int bitmap_words(int top_words, int late_words) {
    const int words = std::max(kRows * (top_words + kSlots), kGroups * top_words + late_words);
    return words + (words + 1) / 2;
  }
  [[nodiscard]] static __device__ TwoLevels cut(unsigned* bits, int top_words, int words) {
    auto* const ranks = reinterpret_cast<Rank*>(bits + top_words + words);
    return {bits, bits + top_words, ranks, ranks + top_words};
  }
  [[nodiscard]] static __device__ TwoLevels at(const TwoLevels& first, int top, int word) {
    return {first.top + top, first.words + word, first.top_rank + top, first.rank + word};
  }
};

/// A product and its column.
template <class T>
struct Made {
  Column column;
  T product;
};

/// A lane's products of a short row, in registers.
template <class T, int kHeld>
struct HeldProducts {
  Held<int, kHeld> column;  // -1: none
  Held<T, kHeld> product;
};

inline constexpr int kNotCounted = INT32_MAX;

/// The row's entries of A are [begin, end); all its products into registers, position u * kLanes + l into the u-th of
/// lane l. Returns how many; none are taken where they are more than there is room for, nor counted where A has more
/// entries than lanes.
template <int kLanes, class T, int kHeld>
__device__ int hold(const Small<T>& p, std::int64_t begin, std::int64_t end, HeldProducts<T, kHeld>& held) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  std::int64_t from = 0;
  int n = 0;
  T x{};
  if (begin + l < end) {
    const std::int64_t j = p.a.col[begin + l];
    x = p.a.val[begin + l];
    from = p.b.ptr[j];
    n = static_cast<int>(p.b.ptr[j + 1] - from);
  }
  const int upto = simt::inclusive_sum(wave, n, kLanes);
  int all = simt::shuffle(wave, upto, kLanes - 1, kLanes);
  from -= upto - n;
  if (end - begin > kLanes) all = kNotCounted;
  const int here = all <= kHeld * kLanes ? all : 0;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    held.column[u] = -1;
    const int q = u * kLanes + l;
    if (simt::ballot(wave, u * kLanes < here) == 0) continue;
    int owner = 0;
    ROWAN_UNROLL
    for (int step = kLanes / 2; step > 0; step /= 2)
      if (simt::shuffle(wave, upto, owner + step - 1, kLanes) <= q) owner += step;
    const std::int64_t at = simt::shuffle(wave, from, owner, kLanes) + q;
    const T scale = simt::shuffle(wave, x, owner, kLanes);
    if (q >= here) continue;
    held.column[u] = p.b.col[at];
    held.product[u] = scale * p.b.val[at];
  }
  return all;
}

/// Sums and columns of a short row, staged; how many entries.
template <int kLanes, class T, int kHeld>
__device__ int stage_row(const HeldProducts<T, kHeld>& held, const TwoLevels& bits, bool in_order, T* sums,
                         Column* columns) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  int lo = INT32_MAX, hi = -1;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    if (held.column[u] < 0) continue;
    lo = held.column[u] < lo ? held.column[u] : lo;
    hi = held.column[u] > hi ? held.column[u] : hi;
  }
  lo = simt::min(wave, lo, kLanes) / kBits * kBits;
  hi = simt::max(wave, hi, kLanes);
  const int top_words = hi < 0 ? 0 : (hi - lo) / kTopBits + 1;
  for (int w = l; w < top_words; w += kLanes) bits.top[w] = 0;
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) bits.words[u * kLanes + l] = 0, sums[u * kLanes + l] = T{0};
  simt::sync_wave(wave);
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++)
    if (held.column[u] >= 0) bits.mark_top(held.column[u] - lo);
  simt::sync_wave(wave);
  const int in_use = rank_in_pieces(bits.top, bits.top_rank, top_words, l, kLanes);
  simt::sync_wave(wave);
  Held<int, kHeld> bit;
  unsigned owned = 0;  // columns that this lane is to store
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    bit[u] = 0;
    if (held.column[u] < 0) continue;
    bit[u] = bits.bit(held.column[u] - lo);
    if (mark(bits.words, bit[u])) owned |= 1U << u;
  }
  simt::sync_wave(wave);
  const int entries = rank_in_pieces(bits.words, bits.rank, in_use, l, kLanes);
  simt::sync_wave(wave);
  ROWAN_UNROLL
  for (int u = 0; u < kHeld; u++) {
    const bool has = held.column[u] >= 0;
    const int at = has ? rank_of(bits.words, bits.rank, bit[u]) : 0;
    if ((owned >> u & 1U) != 0) columns[at] = held.column[u];
    if (in_order) {
      add_same(wave, has ? place_in_wave<kLanes>(at) : kNoPlace, held.product[u], sums + at);
      simt::sync_wave(wave);
    } else if (has) {
      simt::atomic_add(sums + at, held.product[u]);
    }
  }
  return entries;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense::small
