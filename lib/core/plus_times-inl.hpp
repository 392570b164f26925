// The sum and the product of C = A B on vectors, too, compiled once for every instruction set.
#if defined(ROWAN_CORE_PLUS_TIMES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_CORE_PLUS_TIMES_INL
#undef ROWAN_CORE_PLUS_TIMES_INL
#else
#define ROWAN_CORE_PLUS_TIMES_INL
#endif

#include <hwy/highway.h>

#include "lib/core/plus_times.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

template <class T>
struct PlusTimes : rowan::PlusTimes<T> {
  using rowan::PlusTimes<T>::zero;
  using rowan::PlusTimes<T>::multiply;
  using rowan::PlusTimes<T>::add;
  template <class D>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> zero(D d) {
    return hwy::HWY_NAMESPACE::Zero(d);
  }
  template <class V>
  static HWY_INLINE V multiply(V x, V y) {
    return hwy::HWY_NAMESPACE::Mul(x, y);
  }
  template <class V>
  static HWY_INLINE V add(V x, V y) {
    return hwy::HWY_NAMESPACE::Add(x, y);
  }
};

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
