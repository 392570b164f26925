// A copy around the caches, compiled once for every instruction set.
#if defined(ROWAN_CORE_STREAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_CORE_STREAM_INL
#undef ROWAN_CORE_STREAM_INL
#else
#define ROWAN_CORE_STREAM_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Values of a cache line.
template <class V>
constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(V));

/// A copy that goes around the caches, whole lines at a time: what is written elsewhere is not read first. Others see
/// it after hwy::FlushStream().
template <class V>
HWY_INLINE void stream(const V* from, std::int64_t n, V* to) {
  const hn::CappedTag<V, 64 / sizeof(V)> d;
  std::int64_t k = 0;
  for (; k < n && reinterpret_cast<std::uintptr_t>(to + k) % 64 != 0; k++) to[k] = from[k];
  for (; k + kLine<V> <= n; k += kLine<V>)
    for (std::int64_t v = 0; v < kLine<V>; v += static_cast<std::int64_t>(hn::Lanes(d)))
      hn::Stream(hn::LoadU(d, from + k + v), d, to + k + v);
  for (; k < n; k++) to[k] = from[k];
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
