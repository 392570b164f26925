#include "lib/core/pattern_checks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/core/pattern_checks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Four vectors at a time, each with what it found so far: one alone waits for itself (a million columns 80 us as the
// compiler has it with SSE2, 41 with AVX-512; so many rows 270 and 120).
constexpr std::size_t kTogether = 4;

/// Calls step(of which, at) for each whole vector of [0, n); where they end.
template <class D, class F>
HWY_INLINE std::int64_t for_vectors(D d, std::int64_t n, const F& step) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t at = 0;
  for (; at + static_cast<std::int64_t>(kTogether) * lanes <= n; at += static_cast<std::int64_t>(kTogether) * lanes)
    for (std::size_t k = 0; k < kTogether; k++) step(k, at + static_cast<std::int64_t>(k) * lanes);
  for (; at + lanes <= n; at += lanes) step(0, at);
  return at;
}

template <class P>
HWY_INLINE bool falls(const P* ptr, std::int64_t n) {
  const hn::ScalableTag<P> d;
  using V = hn::Vec<decltype(d)>;
  V found[kTogether] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::int64_t at = for_vectors(d, n, [&](std::size_t k, std::int64_t i) HWY_ATTR {
    const auto less = hn::Lt(hn::LoadU(d, ptr + i + 1), hn::LoadU(d, ptr + i));
    found[k] = hn::Or(found[k], hn::VecFromMask(d, less));
  });
  bool any = !hn::AllTrue(d, hn::Eq(hn::Or(hn::Or(found[0], found[1]), hn::Or(found[2], found[3])), hn::Zero(d)));
  for (; at < n; at++) any |= ptr[at + 1] < ptr[at];
  return any;
}

bool Falls64(const std::int64_t* ptr, std::int64_t n) {
  return falls(ptr, n);
}
bool Falls32(const std::int32_t* ptr, std::int64_t n) {
  return falls(ptr, n);
}
bool Outside(const Column* columns, std::int64_t n, std::uint32_t cols) {
  const auto* const col = reinterpret_cast<const std::uint32_t*>(columns);  // those below 0 are greatest
  const hn::ScalableTag<std::uint32_t> d;
  using V = hn::Vec<decltype(d)>;
  V most[kTogether] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  std::int64_t at = for_vectors(
      d, n, [&](std::size_t k, std::int64_t i) HWY_ATTR { most[k] = hn::Max(most[k], hn::LoadU(d, col + i)); });
  std::uint32_t greatest =
      hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(most[0], most[1]), hn::Max(most[2], most[3]))));
  for (; at < n; at++) greatest = greatest < col[at] ? col[at] : greatest;
  return n != 0 && greatest >= cols;
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

HWY_EXPORT(Falls64);
HWY_EXPORT(Falls32);
HWY_EXPORT(Outside);
bool any_falls(const std::int64_t* ptr, std::int64_t n) {
  return HWY_DYNAMIC_DISPATCH(Falls64)(ptr, n);
}
bool any_falls(const std::int32_t* ptr, std::int64_t n) {
  return HWY_DYNAMIC_DISPATCH(Falls32)(ptr, n);
}
bool any_outside(const Column* col, std::int64_t n, std::int64_t cols) {
  return HWY_DYNAMIC_DISPATCH(Outside)(col, n, static_cast<std::uint32_t>(cols));
}

}  // namespace rowan
#endif
