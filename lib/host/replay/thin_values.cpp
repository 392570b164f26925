// Values of a chunk whose positions are known: products go to a list in the first-level cache, a vector of a row of B
// at a time, each row over what was too much of the one before; the list is added to the chunk's sums, product by
// product in the order of A's entries; then every entry of C takes its sum. No branch depends on where rows of A, B or
// C end. Rows of B that are longer than two vectors are added without the list.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/replay/thin_values.cpp"
#include <algorithm>

#include <hwy/foreach_target.h>

#include "accumulators/common/prefetch.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/plus_times-inl.hpp"
#include "lib/host/replay/thin_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

namespace kn = rowan::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kAhead = 16;
constexpr std::int64_t kLongRows = 8;  // products an entry of A beyond which the list does not pay

template <class T>
using Ring = kn::PlusTimes<T>;

/// Adds each row of B as it is met.
template <class T>
HWY_INLINE void add_rows(const ThinValuesTask<T>& t, T* sums) {
  const Operand<T> a = t.a, b = t.b;
  const std::int64_t prefetch_end = is_far(b) ? a.nnz() - 2 * kAhead : 0;
  const ThinPosition* position = t.position_of;
  for (std::int64_t e = a.ptr[t.first], end = a.ptr[t.last]; e < end; e++) {
    if (e < prefetch_end) prefetch_followed_values(a, b, e, kAhead);
    const T x = a.val[e];
    const std::int64_t begin = b.ptr[a.col[e]], n = b.ptr[a.col[e] + 1] - begin;
    const T* const val = b.val + begin;
    for (std::int64_t k = 0; k < n; k++)
      sums[position[k]] = Ring<T>::add(sums[position[k]], Ring<T>::multiply(x, val[k]));
    position += n;
  }
}

template <class T>
HWY_INLINE const ThinPosition* add_list(const T* list, std::int64_t n, const ThinPosition* position, T* sums) {
  std::int64_t k = 0;
  for (; k + 4 <= n; k += 4) {
    const std::size_t p = position[k], q = position[k + 1], r = position[k + 2], s = position[k + 3];
    sums[p] = Ring<T>::add(sums[p], list[k]);
    sums[q] = Ring<T>::add(sums[q], list[k + 1]);
    sums[r] = Ring<T>::add(sums[r], list[k + 2]);
    sums[s] = Ring<T>::add(sums[s], list[k + 3]);
  }
  for (; k < n; k++) sums[position[k]] = Ring<T>::add(sums[position[k]], list[k]);
  return position + n;
}

/// By way of the list, `Step` products together.
template <std::size_t Step, class T>
HWY_INLINE void add_short_rows(const ThinValuesTask<T>& t, T* sums) {
  constexpr std::int64_t kListed = 512, kLong = 64;
  const hn::CappedTag<T, Step> d;
  HWY_ALIGN T list[kListed + kLong + Step];
  const Operand<T> a = t.a, b = t.b;
  const std::int64_t prefetch_end = is_far(b) ? a.nnz() - 2 * kAhead : 0;
  const std::int64_t whole = b.nnz() - static_cast<std::int64_t>(Step);
  const ThinPosition* position = t.position_of;
  std::int64_t listed = 0;
  for (std::int64_t e = a.ptr[t.first], end = a.ptr[t.last]; e < end; e++) {
    if (e < prefetch_end) prefetch_followed_values(a, b, e, kAhead);
    const T x = a.val[e];
    const std::int64_t begin = b.ptr[a.col[e]], last = b.ptr[a.col[e] + 1], n = last - begin;
    const T* const val = b.val + begin;
    if (HWY_LIKELY(last <= whole && n <= kLong)) {
      std::int64_t k = 0;
      do {
        for (std::size_t v = 0; v < Step; v += hn::Lanes(d), k += static_cast<std::int64_t>(hn::Lanes(d)))
          hn::StoreU(Ring<T>::multiply(hn::Set(d, x), hn::LoadU(d, val + k)), d, list + listed + k);
      } while (HWY_UNLIKELY(k < n));
      listed += n;
      if (HWY_UNLIKELY(listed >= kListed)) position = add_list(list, listed, position, sums), listed = 0;
    } else {
      position = add_list(list, listed, position, sums), listed = 0;
      for (std::int64_t k = 0; k < n; k++)
        sums[position[k]] = Ring<T>::add(sums[position[k]], Ring<T>::multiply(x, val[k]));
      position += n;
    }
  }
  add_list(list, listed, position, sums);
}

template <class T>
void values_of_rows(const ThinValuesTask<T>& t) {
  T* const HWY_RESTRICT sums = t.sums;
  std::fill_n(sums, t.entries, Ring<T>::zero());
  const std::int64_t entries_of_a = t.a.ptr[t.last] - t.a.ptr[t.first];
  if (t.products > kLongRows * entries_of_a)
    add_rows(t, sums);
  else if (t.products > 4 * entries_of_a)
    add_short_rows<8>(t, sums);
  else
    add_short_rows<4>(t, sums);
  for (std::int64_t k = 0; k < t.entries; k++) t.val[k] = sums[t.sum_of[k]];
}
ROWAN_KERNELS(ValuesOfRows, values_of_rows, ThinValuesTask)

}  // namespace rowan::replay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::replay {

ROWAN_DISPATCH(void, thin_values, ValuesOfRows, ThinValuesTask)

}  // namespace rowan::replay
#endif
