// One value of each of a run's rows, side by side; compiled once for every instruction set.
#if defined(ROWAN_COMMON_RUN_VALUES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_RUN_VALUES_INL
#undef ROWAN_COMMON_RUN_VALUES_INL
#else
#define ROWAN_COMMON_RUN_VALUES_INL
#endif

#include <type_traits>

#include <hwy/highway.h>

#include "lib/binning/rows.hpp"
#include "lib/core/pattern.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Values of kRows rows, of kFewSummedRows or kSummedRows, as one vector or a few.
template <class T, std::size_t kRows>
struct RunValues {
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

/// The values of rows i .. i + rows - 1 of A, all of one pattern, entry by entry, and zeros where there are no more
/// rows.
template <std::size_t kRows, class T>
HWY_INLINE void put_side_by_side(const Operand<T>& a, std::int64_t i, std::int64_t rows, T* x) {
  constexpr auto kStride = static_cast<std::int64_t>(kRows);
  const std::int64_t begin = a.ptr[i], m = a.length(i);
  for (std::int64_t r = 0; r < rows; r++)
    for (std::int64_t e = 0; e < m; e++) x[e * kStride + r] = a.val[begin + r * m + e];
  for (std::int64_t r = rows; r < kStride; r++)
    for (std::int64_t e = 0; e < m; e++) x[e * kStride + r] = 0;
}

/// Calls f(how many values lie side by side) as a constant, where a run's `rows` are multiplied together.
template <class F>
HWY_INLINE auto with_summed_rows(std::int64_t rows, const F& f) {
  return rows > kFewSummedRows ? f(std::integral_constant<std::size_t, kSummedRows>{})
                               : f(std::integral_constant<std::size_t, kFewSummedRows>{});
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
