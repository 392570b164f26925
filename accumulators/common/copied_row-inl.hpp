// A row of B times a number, as a row of C where its columns rise. (Included inside foreach_target.)
#if defined(ROWAN_COMMON_COPIED_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_COPIED_ROW_INL
#undef ROWAN_COMMON_COPIED_ROW_INL
#else
#define ROWAN_COMMON_COPIED_ROW_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "accumulators/candidate.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

/// A sum's first product: sums start at +0 in every accumulator, so that a lone product -0 is +0 in all of them.
template <class T>
HWY_INLINE T first_product(T x, T y) {
  return PlusTimes<T>::add(PlusTimes<T>::zero(), PlusTimes<T>::multiply(x, y));
}

/// n entries of B from `from` on, times x; returns whether columns rise strictly. Up to kWriteSlack entries are written
/// behind where that may be.
template <class T>
HWY_INLINE bool copy_scaled(const Operand<T>& b, std::int64_t from, std::int64_t n, T x, bool behind, Column* col,
                            T* val) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<Column, 8> dc;
  const hn::CappedTag<T, 8> dv;
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(dc)),
                 kValues = static_cast<std::int64_t>(hn::MaxLanes(dv));
  const std::int64_t last = HWY_MIN(b.nnz() - kStep - 1 - from, behind ? n : n - kStep);
  auto falls = hn::FirstN(dc, 0);
  std::int64_t e = 0;
  for (; e < n && e <= last; e += kStep) {
    const auto columns = hn::LoadU(dc, b.col + from + e);
    const auto pairs = hn::FirstN(dc, static_cast<std::size_t>(HWY_MIN(n - 1 - e, kStep)));
    const auto rises = hn::Lt(columns, hn::LoadU(dc, b.col + from + e + 1));
    falls = hn::Or(falls, hn::AndNot(rises, pairs));
    hn::StoreU(columns, dc, col + e);
    for (std::int64_t v = 0; v < kStep; v += kValues) {
      const auto products = PlusTimes<T>::multiply(hn::Set(dv, x), hn::LoadU(dv, b.val + from + e + v));
      hn::StoreU(PlusTimes<T>::add(PlusTimes<T>::zero(dv), products), dv, val + e + v);
    }
  }
  bool some_fall = !hn::AllFalse(dc, falls);
  for (; e < n; e++) {
    some_fall |= e > 0 && b.col[from + e - 1] >= b.col[from + e];
    col[e] = b.col[from + e], val[e] = first_product(x, b.val[from + e]);
  }
  return !some_fall;
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
