// One value of each of a run's rows, side by side; compiled once for every instruction set.
#if defined(ROWAN_COMMON_RUN_VALUES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_RUN_VALUES_INL
#undef ROWAN_COMMON_RUN_VALUES_INL
#else
#define ROWAN_COMMON_RUN_VALUES_INL
#endif

#include <hwy/highway.h>

#include "lib/binning/rows.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Values of kSummedRows rows as one or two vectors.
template <class T>
struct RunValues {
  static constexpr auto kRows = static_cast<std::size_t>(kSummedRows);
  using Tag = hn::CappedTag<T, kRows>;
  static constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), kRows);
  static constexpr std::size_t kVectors = kRows / kLanes;
  hn::Vec<Tag> v[kVectors];

  static HWY_INLINE RunValues load(const T* p) {
    RunValues q;
    for (std::size_t i = 0; i < kVectors; i++) q.v[i] = hn::LoadU(Tag(), p + i * kLanes);
    return q;
  }
  HWY_INLINE void store(T* p) const {
    for (std::size_t i = 0; i < kVectors; i++) hn::StoreU(v[i], Tag(), p + i * kLanes);
  }
  HWY_INLINE void add_product(const RunValues& x, T y) {
    using Ring = PlusTimes<T>;
    for (std::size_t i = 0; i < kVectors; i++) v[i] = Ring::add(v[i], Ring::multiply(x.v[i], hn::Set(Tag(), y)));
  }
};

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
