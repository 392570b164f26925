// Sorting as many rows at once as a vector has 32-bit lanes: key e of row g is lane g of vector e, so a comparison is a
// minimum and a maximum of two vectors and no lane ever moves. (Included inside foreach_target.)
#if defined(ROWAN_SORT_NETWORK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_SORT_NETWORK_INL
#undef ROWAN_SORT_NETWORK_INL
#else
#define ROWAN_SORT_NETWORK_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "accumulators/sort/network.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::sort::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Key = std::uint32_t;
using KeyTag = hn::ScalableTag<Key>;
inline constexpr std::size_t kLanes = HWY_MAX_BYTES / sizeof(Key);

HWY_INLINE void compare(Key* low, Key* high) {
  const KeyTag d;
  const auto x = hn::Load(d, low), y = hn::Load(d, high);
  hn::Store(hn::Min(x, y), d, low);
  hn::Store(hn::Max(x, y), d, high);
}

/// Sorts n vectors of keys, lane by lane. Above kListed keys, sorted pieces of kListed are merged by Batcher's odd-even
/// merge in loops, whose inner runs are long there.
HWY_INLINE void sort_columns(Key* keys, std::size_t n) {
  for (std::size_t from = 0; from < n; from += kListed) {
    const std::size_t m = HWY_MIN(kListed, n - from);
    Key* const piece = keys + from * kLanes;
    for (const Comparator c : network_for(m))
      if (c.high < m) compare(piece + c.low * kLanes, piece + c.high * kLanes);
  }
  for (std::size_t p = kListed; p < n; p *= 2)
    for (std::size_t from = 0; from + p < n; from += 2 * p) {
      const std::size_t end = HWY_MIN(from + 2 * p, n);
      for (std::size_t i = from; i < from + p && i + p < end; i++) compare(keys + i * kLanes, keys + (i + p) * kLanes);
      for (std::size_t k = p / 2; k >= 1; k /= 2)
        for (std::size_t j = from + k; j + k < end; j += 2 * k)
          for (std::size_t i = j; i < j + k && i + k < end; i++) compare(keys + i * kLanes, keys + (i + k) * kLanes);
    }
}

}  // namespace rowan::sort::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
