// Sums of one column for the rows of a run, side by side; compiled once for every instruction set.
#if defined(ROWAN_DENSE_QUAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_DENSE_QUAD_INL
#undef ROWAN_DENSE_QUAD_INL
#else
#define ROWAN_DENSE_QUAD_INL
#endif

#include <hwy/highway.h>

#include "accumulators/dense/layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Four values as one or two vectors.
template <class T>
struct Quad {
  using D = hn::CappedTag<T, kRunRows>;
  static constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), kRunRows);
  static constexpr std::size_t kVectors = kRunRows / kLanes;
  hn::Vec<D> v[kVectors];

  static HWY_INLINE Quad load(const T* p) {
    Quad q;
    for (std::size_t i = 0; i < kVectors; i++) q.v[i] = hn::LoadU(D(), p + i * kLanes);
    return q;
  }
  HWY_INLINE void store(T* p) const {
    for (std::size_t i = 0; i < kVectors; i++) hn::StoreU(v[i], D(), p + i * kLanes);
  }
  HWY_INLINE void add_product(const Quad& x, T y) {
    for (std::size_t i = 0; i < kVectors; i++) v[i] = hn::Add(v[i], hn::Mul(x.v[i], hn::Set(D(), y)));
  }
};

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
