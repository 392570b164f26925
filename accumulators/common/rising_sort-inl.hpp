// Keys of which most stand in order already: the columns of a row of C as they are met, new ones of one row of B after
// another, where one of these rows is long (hubs of a circuit, of a network). (Included inside foreach_target.)
#if defined(ROWAN_COMMON_RISING_SORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_RISING_SORT_INL
#undef ROWAN_COMMON_RISING_SORT_INL
#else
#define ROWAN_COMMON_RISING_SORT_INL
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "accumulators/common/dominant.hpp"
#include "accumulators/common/short_sort-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

/// Keys [begin, end), which rise.
struct RisingKeys {
  std::size_t begin = 0, end = 0;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

/// The longest rising stretch of n keys; empty where there are many of them: then none is worth anything.
HWY_INLINE RisingKeys longest_rising(const std::uint32_t* keys, std::size_t n) {
  constexpr int kMostStretches = 40;
  RisingKeys longest;
  std::size_t begin = 0;
  int stretches = 0;
  const auto ends = [&](std::size_t at) {
    if (at - begin > longest.size()) longest = {begin, at};
    begin = at;
    return ++stretches > kMostStretches;
  };
  std::size_t e = 1;
#if HWY_TARGET != HWY_SCALAR
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint32_t, 16> d;
  for (; e + hn::Lanes(d) <= n; e += hn::Lanes(d)) {
    const auto falls = hn::Lt(hn::LoadU(d, keys + e), hn::LoadU(d, keys + e - 1));
    if (hn::AllFalse(d, falls)) continue;
    std::uint8_t raw[8] = {};
    hn::StoreMaskBits(d, falls, raw);
    std::uint64_t bits = 0;
    std::memcpy(&bits, raw, sizeof bits);
    for (; bits != 0; bits &= bits - 1)
      if (ends(e + static_cast<std::size_t>(std::countr_zero(bits)))) return {};
  }
#endif
  for (; e < n; e++)
    if (keys[e] < keys[e - 1] && ends(e)) return {};
  ends(n);
  return longest;
}

/// Sorts n keys where they stand. Up to 64 keys from the first on are read and written.
HWY_INLINE void sort_some(std::uint32_t* keys, std::size_t n, hwy::Sorter& sorter) {
  if (n <= 8)
    sort_short<8>(keys, n, keys);
  else if (n <= 32)
    sort_short<32>(keys, n, keys);
  else
    sort_columns(keys, n, sorter);
}

/// The first place from `at` on, of keys [at, n) which rise, whose key is not below `key`; those before it go to `to`,
/// which is not behind them.
HWY_INLINE std::size_t move_below(std::uint32_t* keys, std::size_t at, std::size_t n, std::uint32_t key,
                                  std::uint32_t* to) {
#if HWY_TARGET != HWY_SCALAR
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  for (; at + lanes <= n; at += lanes, to += lanes) {
    const auto v = hn::LoadU(d, keys + at);
    const auto below = hn::Lt(v, hn::Set(d, key));
    if (!hn::AllTrue(d, below)) {
      const std::size_t count = hn::CountTrue(d, below);
      for (std::size_t e = 0; e < count; e++) to[e] = keys[at + e];
      return at + count;
    }
    hn::StoreU(v, d, to);
  }
#endif
  for (; at < n && keys[at] < key; at++) *to++ = keys[at];
  return at;
}

/// Sorts n different keys, most of which are one rising stretch: the others, an eighth at most, are sorted and put
/// between. False where they are more; nothing is done then. `room`: for n / 8 keys, and 64. O(n).
HWY_NOINLINE inline bool sort_mostly_rising(std::uint32_t* keys, std::size_t n, std::uint32_t* room,
                                            hwy::Sorter& sorter) {
  constexpr auto kShare = static_cast<std::size_t>(kDominantShare);
  const RisingKeys rising = longest_rising(keys, n);
  const std::size_t others = n - rising.size();
  if (others * kShare > n) return false;
  std::memcpy(room, keys, rising.begin * sizeof *keys);
  std::memcpy(room + rising.begin, keys + rising.end, (n - rising.end) * sizeof *keys);
  std::memmove(keys + others, keys + rising.begin, rising.size() * sizeof *keys);
  if (others != 0) sort_some(room, others, sorter);
  std::size_t at = others, to = 0;  // to <= at: as many of the others are still to come as lie between
  for (std::size_t o = 0; o < others; o++) {
    const std::size_t upto = move_below(keys, at, n, room[o], keys + to);
    to += upto - at, at = upto;
    keys[to++] = room[o];
  }
  return true;
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
