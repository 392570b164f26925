// Sorting as many rows together as a vector has 32-bit lanes, eight at most: key e of row g is lane g of vector e, so a
// comparison is a minimum and a maximum of two vectors and no lane ever moves. (Included inside foreach_target.)
#if defined(ROWAN_SORT_NETWORK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_SORT_NETWORK_INL
#undef ROWAN_SORT_NETWORK_INL
#else
#define ROWAN_SORT_NETWORK_INL
#endif

#include <bit>
#include <cstdint>
#include <utility>

#include <hwy/highway.h>

#include "accumulators/sort/network.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::sort::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Key = std::uint32_t;
/// Not sixteen with AVX-512: rows are filled up to the longest of a batch and all of them should fit the first-level
/// cache, while a core does as many minima a cycle either way (rows of 100 products, yelp2018: 37 -> 25 ms on Zen 4).
inline constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(Key), 8);
using KeyTag = hn::CappedTag<Key, kLanes>;

using Keys = hn::Vec<KeyTag>;

/// Lane by lane the lesser key to `low`, the greater to `high`.
HWY_INLINE void order(Keys& low, Keys& high) {
  const auto least = hn::Min(low, high);
  high = hn::Max(low, high);
  low = least;
}

HWY_INLINE void compare(Key* low, Key* high) {
  const KeyTag d;
  auto x = hn::Load(d, low), y = hn::Load(d, high);
  order(x, y);
  hn::Store(x, d, low);
  hn::Store(y, d, high);
}

/// N vectors through a list of comparators, without a loop: what fits stays in registers. `List` is a type whose
/// static `at` are the comparators.
template <std::size_t N, class List, std::size_t... C>
HWY_INLINE void run_piece(Key* keys, std::index_sequence<C...>) {
  const KeyTag d;
  Keys v[N];
  for (std::size_t i = 0; i < N; i++) v[i] = hn::Load(d, keys + i * kLanes);
  (order(v[List::at[C].low], v[List::at[C].high]), ...);
  for (std::size_t i = 0; i < N; i++) hn::Store(v[i], d, keys + i * kLanes);
}

template <std::size_t N>
struct WholeNetwork {
  static constexpr auto at = network<N>();
};
template <std::size_t First>
struct Cleaners {
  static constexpr auto list = half_cleaners<kPiece>(First);
  static constexpr auto at = list.at;
};

template <std::size_t N>
HWY_INLINE void sort_piece(Key* keys) {
  run_piece<N, WholeNetwork<N>>(keys, std::make_index_sequence<comparators(N)>());
}

/// Half-cleaners of a piece from `First` places apart down to one.
template <std::size_t First>
HWY_INLINE void clean_piece(Key* keys) {
  run_piece<kPiece, Cleaners<First>>(keys, std::make_index_sequence<Cleaners<First>::list.count>());
}

/// Two steps of a merge together, for `count` groups of four vectors: a meets c and b meets d, or in a merge's first
/// step a meets d and b meets c, and then a meets b and c meets d. `Present`: vectors there are, of the four; those
/// that are not would hold last keys. c and d run down in a first step.
template <int Present, bool First>
HWY_INLINE void two_steps(Key* a, Key* b, Key* c, Key* d, std::size_t count) {
  const KeyTag tag;
  for (std::size_t i = 0; i < count * kLanes; i += kLanes) {
    auto va = hn::Load(tag, a + i), vb = hn::Load(tag, b + i);
    Key *const to_c = First ? c - i : c + i, *const to_d = First ? d - i : d + i;
    if constexpr (Present >= 3) {
      auto vc = hn::Load(tag, to_c);
      if constexpr (Present == 4) {
        auto vd = hn::Load(tag, to_d);
        order(va, First ? vd : vc), order(vb, First ? vc : vd);
        order(vc, vd);
        hn::Store(vd, tag, to_d);
      } else {
        order(First ? vb : va, vc);
      }
      hn::Store(vc, tag, to_c);
    }
    order(va, vb);
    hn::Store(va, tag, a + i);
    hn::Store(vb, tag, b + i);
  }
}

/// The same for a block of groups, of which some vectors may lie behind the last key at `end`.
template <bool First>
HWY_INLINE void two_steps_before(const Key* end, Key* a, Key* b, Key* c, Key* d, std::size_t count) {
  if (d < end)
    two_steps<4, First>(a, b, c, d, count);
  else if (c < end)
    two_steps<3, First>(a, b, c, d, count);
  else if (b < end)
    two_steps<2, First>(a, b, c, d, count);
}

HWY_INLINE Key* vector_at(Key* keys, std::size_t i) {
  return keys + i * kLanes;
}

/// The first two steps of a merge of 2p vectors: p and p / 2 apart, the second list from its end.
HWY_INLINE void first_two_steps(Key* keys, std::size_t p, const Key* end) {
  const std::size_t block = HWY_MIN(p / 2, kPiece);
  for (std::size_t i = 0; i < p / 2; i += block)
    two_steps_before<true>(end, vector_at(keys, i), vector_at(keys, p / 2 + i), vector_at(keys, 3 * p / 2 - 1 - i),
                           vector_at(keys, 2 * p - 1 - i), block);
}

/// One step, of n vectors: those `apart` places apart.
HWY_INLINE void one_step(Key* keys, std::size_t n, std::size_t apart) {
  for (std::size_t from = 0; from + apart < n; from += 2 * apart)
    for (std::size_t i = from; i < from + apart && i + apart < n; i++)
      compare(vector_at(keys, i), vector_at(keys, i + apart));
}

/// Two steps, of n vectors: those `apart` and then those apart / 2 places apart.
HWY_INLINE void next_two_steps(Key* keys, std::size_t n, std::size_t apart, const Key* end) {
  for (std::size_t from = 0; from < n; from += 2 * apart)
    for (std::size_t i = from; i < from + apart / 2; i += kPiece)
      two_steps_before<false>(end, vector_at(keys, i), vector_at(keys, i + apart / 2), vector_at(keys, i + apart),
                              vector_at(keys, i + 3 * apart / 2), kPiece);
}

/// Merges two sorted lists of p vectors at `keys`, p = kPiece, 2 kPiece, 4 kPiece ... The second list may be cut off at
/// `end`: what would lie behind are last keys. As bitonic lists are merged (Batcher 1968): a step compares vectors p
/// apart, the next p / 2, and so on down to 1. Comparators stay in blocks, so that steps are taken two by two, in
/// registers: a network whose every step goes through memory took twice as long.
///   p and p / 2                   first_two_steps
///   p / 4 down to kPiece          one_step where their number is odd, then next_two_steps
///   below kPiece, or below p / 2  a piece at a time in registers
HWY_INLINE void merge(Key* keys, std::size_t p, const Key* end) {
  const std::size_t n = HWY_MIN(static_cast<std::size_t>(end - keys) / kLanes, 2 * p);
  first_two_steps(keys, p, end);
  std::size_t apart = p / 4;
  const bool odd = apart >= kPiece && std::countr_zero(apart / kPiece) % 2 == 0;
  if (odd) {
    one_step(keys, n, apart);
    apart /= 2;
  }
  for (; apart > kPiece; apart /= 4) next_two_steps(keys, n, apart, end);
  for (std::size_t from = 0; from < n; from += kPiece)
    if (p > kPiece)
      clean_piece<kPiece / 2>(vector_at(keys, from));
    else
      clean_piece<kPiece / 4>(vector_at(keys, from));
}

/// Sorts n vectors of keys lane by lane; n == padded(n).
HWY_INLINE void sort_columns(Key* keys, std::size_t n) {
  if (n <= 1) return;
  if (n == 2) return sort_piece<2>(keys);
  if (n == 4) return sort_piece<4>(keys);
  if (n == 8) return sort_piece<8>(keys);
  for (std::size_t from = 0; from < n; from += kPiece) sort_piece<kPiece>(keys + from * kLanes);
  const Key* const end = keys + n * kLanes;
  for (std::size_t p = kPiece; p < n; p *= 2)
    for (std::size_t from = 0; from + p < n; from += 2 * p) merge(keys + from * kLanes, p, end);
}

}  // namespace rowan::sort::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
