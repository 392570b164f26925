#pragma once
// How a table with sums is put in the order of columns: what is in it packed as words, or all of its places.
#include <cstdint>

#include "accumulators/hash/device/sizes.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

inline constexpr std::uint64_t kLast = ~std::uint64_t{0};  // a word that sorts behind every entry

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

/// The steps of a bitonic sort (Batcher 1968) of n places, a power of two: step(i, partner, rising) puts two in order.
template <class Scope, class Step>
__device__ void bitonic_steps(const Scope& scope, int n, const Step& step) {
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      for (int t = scope.rank(); t < n / 2; t += scope.size()) {
        const int i = 2 * t - (t & (j - 1));
        step(i, i + j, (i & k) == 0);
      }
      scope.sync();
    }
}
template <class Scope>
__device__ void bitonic_sort(const Scope& scope, std::uint64_t* words, int n) {
  bitonic_steps(scope, n, [&](int i, int partner, bool rising) {
    const std::uint64_t x = words[i], y = words[partner];
    if ((x > y) == rising) words[i] = y, words[partner] = x;
  });
}

/// A whole table in order of its keys, sums along with them, empty places first (DCU-nsparse, section 5.3).
template <class Scope, class T>
__device__ void sort_places(const Scope& scope, int* keys, T* sums, int n) {
  bitonic_steps(scope, n, [&](int i, int partner, bool rising) {
    const int x = keys[i], y = keys[partner];
    if ((x > y) != rising) return;
    keys[i] = y, keys[partner] = x;
    const T sum = sums[i];
    sums[i] = sums[partner], sums[partner] = sum;
  });
}

/// Threads that sort faster by counting what is smaller than each of their words: O(n^2), but two barriers in all.
inline constexpr int kMostCounting = kShapes.hash.most_counting_lanes;
inline constexpr int kCounted = kShapes.hash.counted_words;  // a thread

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

/// Lanes that rank words together by ballots: those of a row, or of a wave of its block.
__device__ inline Lanes ranking(const Lanes& lanes) {
  return lanes;
}
__device__ inline Lanes ranking(const WholeBlock&) {
  return Lanes(simt::wave_width());
}
/// Lane d: how many words go before those of its lanes with digit d, of which they have `mine`. A barrier of all.
__device__ inline int words_before(const Lanes& lanes, int mine, int*) {
  int all;
  lanes.sync();
  return lanes.exclusive_sum(lanes.rank() < kDigits ? mine : 0, all);
}
__device__ inline int words_before(const WholeBlock& block, int mine, int* counters) {
  const int width = simt::wave_width(), waves = block.size() / width, digit = simt::lane() & (kDigits - 1);
  const int own = digit * waves + block.rank() / width;  // digit by digit, wave by wave
  if (simt::lane() < kDigits) counters[own] = mine;
  block.sync();
  const bool has = block.rank() < kDigits * waves;
  int all;
  const int before = block.exclusive_sum(has ? counters[block.rank()] : 0, all);
  if (has) counters[block.rank()] = before;
  block.sync();
  return counters[own];
}

/// Radix sort of n words with columns from `lo` to `hi`, the last digit first; at most kSlotsAThread a thread, which
/// holds them while they change places. By kDigits lanes and more. A word's rank among its lanes' is found by ballots,
/// one a bit: no atomics. `counters`: digit_counters() of a block.
template <class Scope>
__device__ void radix_sort(const Scope& scope, std::uint64_t* words, int n, int lo, int hi, int* counters) {
  constexpr int kDigitBits = 5;
  static_assert(1 << kDigitBits == kDigits);
  const Lanes lanes = ranking(scope);
  const Mask mask = simt::group_mask(lanes.size());
  const int each = (n + scope.size() - 1) / scope.size();
  const int first = scope.rank() / lanes.size() * each * lanes.size() + lanes.rank();
  const auto span = static_cast<unsigned>(hi - lo);
  for (int shift = 0; shift < 32 && span >> shift != 0; shift += kDigitBits) {
    Held<std::uint64_t, kSlotsAThread> mine;
    Held<int, kSlotsAThread> to;
    const auto digit = [&](std::uint64_t word, int at) {  // behind the last word is nothing: it stays there
      return at < n ? static_cast<int>(static_cast<unsigned>(column_of(word) - lo) >> shift) & (kDigits - 1)
                    : kDigits - 1;
    };
    int ranked = 0;  // lane d: words of these lanes with digit d, so far
    const auto rank = [&](int p) {
      const int at = first + p * lanes.size();
      mine[p] = at < n ? words[at] : kLast;
      const int d = digit(mine[p], at);
      Mask same = mask, of_lane = mask;
      ROWAN_UNROLL
      for (int bit = 0; bit < kDigitBits; bit++) {
        const Mask ones = simt::ballot(mask, (d >> bit & 1) != 0);
        same &= (d >> bit & 1) != 0 ? ones : ~ones;
        of_lane &= (lanes.rank() >> bit & 1) != 0 ? ones : ~ones;
      }
      to[p] = simt::shuffle(mask, ranked, d, lanes.size()) + simt::popcount(same & simt::below(simt::lane()));
      ranked += simt::popcount(of_lane);
    };
    ROWAN_UNROLL
    for (int p = 0; p < kSlotsAThread; p++)
      if (p < each) rank(p);
    const int before = words_before(scope, ranked, counters);
    const auto move = [&](int p) {
      to[p] += simt::shuffle(mask, before, digit(mine[p], first + p * lanes.size()), lanes.size());
      if (to[p] < n) words[to[p]] = mine[p];
    };
    ROWAN_UNROLL
    for (int p = 0; p < kSlotsAThread; p++)
      if (p < each) move(p);
    scope.sync();
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
