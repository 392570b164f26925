#pragma once
// What the kernels of row runs share: rows of B that are walked as one, and a bitmap's words that are not zero.
#include "accumulators/common/device/task.hpp"
#include "accumulators/dense/device/bits.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

inline constexpr int kTeamLanes = 32;  // that make groups of rows of B, and a wave's team

/// Rows of B of one pattern, one after another, that as many entries of A's row meet.
struct alignas(16) EqualRows {
  std::int64_t from;         // where the first one is in B
  std::int32_t n;            // entries of each
  std::int16_t entry, rows;  // the first one's entry, from the batch's first on
};

/// Puts entries `begin` to `begin + n` of A, of one row and no more than kTeamLanes, into groups of at most kMost; how
/// many groups. By kTeamLanes lanes, which must pass a barrier before they read the groups.
///
/// A lane has an entry of A. It is chained to the lane before it where their rows of B are neighbours of one pattern. A
/// chain is cut into groups of kMost: its lanes 0, kMost, 2 kMost ... are the first ones of groups.
template <int kMost>
__device__ int make_groups(const Lanes& lanes, const Pattern& a, const Pattern& b, const std::uint8_t* same,
                           std::int64_t begin, int n, EqualRows* groups) {
  constexpr int kLast = kTeamLanes - 1;
  const int l = lanes.rank();
  const bool here = l < n;
  const Mask mask = simt::group_mask(kTeamLanes);
  const auto bits_of = [&](bool p) { return static_cast<unsigned>(simt::ballot(mask, p) >> (simt::lane() - l)); };
  int j = -2;
  std::int64_t from = 0, to = 0;
  std::uint8_t relation = 0;
  if (here) j = a.col[begin + l], from = b.ptr[j], to = b.ptr[j + 1], relation = same[j];
  const int left = simt::shuffle_up(mask, j, 1, kTeamLanes);  // the row of B of the lane before
  const unsigned chain = bits_of(l > 0 && j == left + 1 && relation == kSameAsPrevious);
  // the chain begins at the highest lane up to this one that is not chained; lane 0 never is
  const unsigned begins_to_here = ~chain & (~0U >> (kLast - l));
  const int chain_begin = kLast - __clz(static_cast<int>(begins_to_here));
  const int behind = l - chain_begin;
  const bool first = here && behind % kMost == 0;
  const unsigned firsts = bits_of(first);
  if (first) {
    // the group ends before the next lane that begins a group or a chain
    const unsigned ends = (firsts | ~chain) >> l >> 1;
    const int rows = ends == 0 ? kTeamLanes - l : __ffs(ends);
    const int groups_before = __popc(firsts & ((1U << l) - 1));
    groups[groups_before] = {from, static_cast<std::int32_t>(to - from), static_cast<std::int16_t>(l),
                             static_cast<std::int16_t>(rows)};
  }
  return __popc(firsts);
}

/// Marks the columns of a row's products, `lo` being the bitmap's first, from batch `first` of its entries on, every
/// `step`: groups of eight lanes walk a group of rows of B each. By kTeamLanes lanes; `groups`: theirs alone.
template <bool kLook>
__device__ void mark_products(const Lanes& lanes, const Pattern& a, const Pattern& b, const std::uint8_t* same,
                              std::int64_t row, int first, int step, int lo, unsigned* bits, EqualRows* groups) {
  constexpr int kWalkers = kShapes.run.walkers, kTogether = kShapes.run.marks_together;
  const std::int64_t begin = a.ptr[row];
  const int length = static_cast<int>(a.ptr[row + 1] - begin);
  const int walker = lanes.rank() / kWalkers, l = lanes.rank() % kWalkers;
  const auto set = [&](int column) {
    // most bits are there already where rows compress: a look is cheaper than an atomic, where words have many lanes
    if (!kLook || (simt::load_relaxed(bits + column / kBits) & bit_of(column)) == 0) mark(bits, column);
  };
  for (int base = first * kTeamLanes; base < length; base += step * kTeamLanes) {
    const int n = make_groups<kTeamLanes>(lanes, a, b, same, begin + base, length - base, groups);
    lanes.sync();
    for (int g = walker; g < n; g += kTeamLanes / kWalkers) {
      const Column* const col = b.col + groups[g].from;
      const int entries = groups[g].n;
      int k = l;
      for (; k + (kTogether - 1) * kWalkers < entries; k += kTogether * kWalkers) {
        Held<int, kTogether> c;
        ROWAN_UNROLL
        for (int u = 0; u < kTogether; u++) c[u] = col[k + u * kWalkers] - lo;
        ROWAN_UNROLL
        for (int u = 0; u < kTogether; u++) set(c[u]);
      }
      for (; k < entries; k += kWalkers) set(col[k] - lo);
    }
    lanes.sync();
  }
}

/// Calls f(k, word) for the words of a bitmap that are not zero; how many there are. By kTeamLanes lanes.
template <class F>
__device__ int for_words(const Lanes& lanes, const unsigned* bits, int words, const F& f) {
  const Mask mask = simt::group_mask(kTeamLanes);
  int kept = 0, before = 0;
  for (int base = 0; base < words; base += kTeamLanes) {
    const int w = base + lanes.rank();
    const unsigned b = w < words ? bits[w] : 0;
    const Mask filled = simt::ballot(mask, b != 0);
    if (filled == 0) continue;  // most of a wide span
    int found;
    const int under = before + lanes.exclusive_sum(__popc(b), found);
    if (b != 0)
      f(kept + simt::popcount(filled & simt::below(simt::lane())),
        SavedWord{b, static_cast<std::uint32_t>(w) << SavedWord::kBitsBefore | static_cast<std::uint32_t>(under)});
    kept += simt::popcount(filled), before += found;
  }
  return kept;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
