// Sorting as many rows at once as a vector has 32-bit lanes: key e of row g is lane g of vector e, so a comparison is a
// minimum and a maximum of two vectors and no lane ever moves. (Included inside foreach_target.)
#if defined(ROWAN_SORT_NETWORK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_SORT_NETWORK_INL
#undef ROWAN_SORT_NETWORK_INL
#else
#define ROWAN_SORT_NETWORK_INL
#endif

#include <cstdint>
#include <utility>

#include <hwy/highway.h>

#include "accumulators/sort/network.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::sort::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Key = std::uint32_t;
using KeyTag = hn::ScalableTag<Key>;
inline constexpr std::size_t kLanes = HWY_LANES(Key);

HWY_INLINE void compare(Key* low, Key* high) {
  const KeyTag d;
  const auto x = hn::Load(d, low), y = hn::Load(d, high);
  hn::Store(hn::Min(x, y), d, low);
  hn::Store(hn::Max(x, y), d, high);
}

/// N vectors through the whole network, without a loop: what fits stays in registers.
template <std::size_t N>
HWY_INLINE void sort_piece(Key* keys) {
  const KeyTag d;
  static constexpr auto kNetwork = network<N>();
  hn::Vec<KeyTag> v[N];
  for (std::size_t i = 0; i < N; i++) v[i] = hn::Load(d, keys + i * kLanes);
  const auto step = [&]<std::size_t C>() HWY_ATTR {
    const auto low = hn::Min(v[kNetwork[C].low], v[kNetwork[C].high]);
    v[kNetwork[C].high] = hn::Max(v[kNetwork[C].low], v[kNetwork[C].high]);
    v[kNetwork[C].low] = low;
  };
  [&]<std::size_t... C>(std::index_sequence<C...>) HWY_ATTR {
    (step.template operator()<C>(), ...);
  }
  (std::make_index_sequence<comparators(N)>());
  for (std::size_t i = 0; i < N; i++) hn::Store(v[i], d, keys + i * kLanes);
}

/// Sorts n vectors of keys lane by lane; n == padded(n).
HWY_INLINE void sort_columns(Key* keys, std::size_t n) {
  if (n <= 1) return;
  if (n == 2) return sort_piece<2>(keys);
  if (n == 4) return sort_piece<4>(keys);
  if (n == 8) return sort_piece<8>(keys);
  for (std::size_t from = 0; from < n; from += kPiece) sort_piece<kPiece>(keys + from * kLanes);
  // odd-even merges of neighbouring pieces; comparisons with places behind n are left out: those keys would be last
  for (std::size_t p = kPiece; p < n; p *= 2)
    for (std::size_t from = 0; from + p < n; from += 2 * p) {
      const std::size_t end = HWY_MIN(from + 2 * p, n);
      for (std::size_t i = from; i + p < end; i++) compare(keys + i * kLanes, keys + (i + p) * kLanes);
      for (std::size_t k = p / 2; k >= 1; k /= 2)
        for (std::size_t j = from + k; j + k < end; j += 2 * k)
          for (std::size_t i = j; i < HWY_MIN(j + k, end - k); i++) compare(keys + i * kLanes, keys + (i + k) * kLanes);
    }
}

}  // namespace rowan::sort::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
