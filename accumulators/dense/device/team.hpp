#pragma once
// What the kernels of row runs share: rows of B that are walked as one, and a bitmap without its words that are zero.
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

/// Calls f(column) for a row's products, columns counted from `lo`, from batch `first` of its entries on, every `step`:
/// groups of eight lanes walk a group of rows of B each. By kTeamLanes lanes; `groups`: theirs alone.
template <class F>
__device__ void for_columns(const Lanes& lanes, const Pattern& a, const Pattern& b, const std::uint8_t* same,
                            std::int64_t row, int first, int step, int lo, EqualRows* groups, const F& f) {
  constexpr int kWalkers = kShapes.run.walkers, kTogether = kShapes.run.marks_together;
  const std::int64_t begin = a.ptr[row];
  const int length = static_cast<int>(a.ptr[row + 1] - begin);
  const int walker = lanes.rank() / kWalkers, l = lanes.rank() % kWalkers;
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
        for (int u = 0; u < kTogether; u++) f(c[u]);
      }
      for (; k < entries; k += kWalkers) f(col[k] - lo);
    }
    lanes.sync();
  }
}

/// Marks a bit that is mostly marked already, where rows compress: a look is cheaper than an atomic.
__device__ inline void look_and_mark(unsigned* word, unsigned bit) {
  if ((simt::load_relaxed(word) & bit) == 0) simt::atomic_or(word, bit);
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

/// A word of a bitmap, and how many bits are in the words before it.
struct alignas(8) RankedWord {
  unsigned bits, before;
  /// Bits before the word's bit for `column`.
  __device__ int rank(int column) const {
    return static_cast<int>(before) + static_cast<int>(__popc(bits & (bit_of(column) - 1)));
  }
};

/// Bits before each of the words; how many there are in all. By kTeamLanes lanes.
__device__ inline int rank_words(const Lanes& lanes, RankedWord* words, int n) {
  int before = 0;
  for (int base = 0; base < n; base += kTeamLanes) {
    const int w = base + lanes.rank();
    int found;
    const int under = lanes.exclusive_sum(w < n ? __popc(words[w].bits) : 0, found);
    if (w < n) words[w].before = static_cast<unsigned>(before + under);
    before += found;
  }
  return before;
}

/// The words of a row's bitmap that are not zero, found by a bitmap above of which words these are: few of a wide span
/// are. Clearing and searching all of them took most of the time where a bundle spans 100,000 columns and more.
struct SparseBitmap {
  RankedWord* above;
  /// Of `above`, for so many words of the span.
  [[nodiscard]] static constexpr std::int64_t size_above(std::int64_t words) noexcept {
    return (words + kBits - 1) / kBits;
  }
  /// Which of the words that are not zero is the one with this column.
  __device__ int word_of(int column) const { return above[column / kBits / kBits].rank(column / kBits); }
  __device__ void mark_above(int word) const { look_and_mark(&above[word / kBits].bits, bit_of(word)); }
  /// Calls f(k, w): word w of the span is not zero, and k words before it are not; by every `step`th word above.
  template <class F>
  __device__ void for_words(int first, int step, int size, const F& f) const {
    for (int i = first; i < size; i += step) {
      int k = static_cast<int>(above[i].before);
      for (unsigned left = above[i].bits; left != 0; left &= left - 1)
        f(k++, i * kBits + static_cast<int>(__ffs(left)) - 1);
    }
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
