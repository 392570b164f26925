// Values of a chunk of rows, dense, by positions or by masks (thin_kernels.hpp).
//   positions  products go to a list in the first-level cache, a vector of a row of B at a time, each row over what was
//              too much of the one before; then the list is added to C. No branch depends on where rows end
//   masks      C's row in registers (masks.hpp)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/replay/thin_values.cpp"
#include <algorithm>

#include <hwy/foreach_target.h>

#include "accumulators/common/prefetch.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/plus_times-inl.hpp"
#include "lib/host/replay/masked_row-inl.hpp"
#include "lib/host/replay/thin_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

namespace kn = rowan::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Ring = kn::PlusTimes<T>;

template <class T>
void add_dense(const ThinValuesTask<T>& t) {
  const Operand<T> a = t.a, b = t.b;
  const std::int64_t* const row_ptr = t.rows.row_ptr;
  const Column* const col = t.rows.col;
  T* const sums = t.sums;
  const std::int64_t prefetch_end = prefetched(a, is_far_away(b));
  for (std::int64_t i = t.rows.first; i < t.rows.last; i++) {
    for (std::int64_t e = a.ptr[i], end = a.ptr[i + 1]; e < end; e++) {
      if (e < prefetch_end) prefetch_followed(a, b, e, kValuesAhead);
      const T x = a.val[e];
      const std::int64_t row = a.col[e];
      for (std::int64_t k = b.ptr[row], last = b.ptr[row + 1]; k < last; k++)
        add_product<Ring<T>>(sums[b.col[k]], x, b.val[k]);
    }
    for (std::int64_t k = row_ptr[i], end = row_ptr[i + 1]; k < end; k++)
      t.val[k] = sums[col[k]], sums[col[k]] = Ring<T>::zero();
  }
}

template <class T>
HWY_INLINE const std::uint16_t* add_list(const T* list, std::int64_t n, const std::uint16_t* position, T* out) {
  for (std::int64_t k = 0; k < n; k++) out[position[k]] = Ring<T>::add(out[position[k]], list[k]);
  return position + n;
}

/// By way of the list, `Step` products together.
template <std::size_t Step, class T>
void add_positions(const ThinValuesTask<T>& t) {
  constexpr std::int64_t kAtOnce = 512, kLong = 64;
  const hn::CappedTag<T, Step> d;
  HWY_ALIGN T list[kAtOnce + kLong + Step];
  const Operand<T> a = t.a, b = t.b;
  const std::int64_t prefetch_end = prefetched(a, is_far_away(b));
  const std::int64_t whole = b.nnz() - static_cast<std::int64_t>(Step);
  const auto* position = reinterpret_cast<const std::uint16_t*>(t.steps);
  T* const out = t.val + t.rows.row_ptr[t.rows.first];
  std::fill(out, t.val + t.rows.row_ptr[t.rows.last], Ring<T>::zero());
  std::int64_t listed = 0;
  for (std::int64_t e = a.ptr[t.rows.first], end = a.ptr[t.rows.last]; e < end; e++) {
    if (e < prefetch_end) prefetch_followed_values(a, b, e, kValuesAhead);
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
      if (HWY_UNLIKELY(listed >= kAtOnce)) position = add_list(list, listed, position, out), listed = 0;
    } else {
      position = add_list(list, listed, position, out), listed = 0;
      for (std::int64_t k = 0; k < n; k++) add_product<Ring<T>>(out[position[k]], x, val[k]);
      position += n;
    }
  }
  add_list(list, listed, position, out);
}

template <class T>
void add_masked(const ThinValuesTask<T>& t) {
  const Operand<T> a = t.a, b = t.b;
  const std::int64_t prefetch_end = prefetched(a, is_far_away(b));
  const std::int64_t* const row_ptr = t.rows.row_ptr;
  const std::byte* mask = t.steps;
  for (std::int64_t i = t.rows.first; i < t.rows.last; i++) {
    const std::int64_t n = row_ptr[i + 1] - row_ptr[i];
    add_masked_row(a, b, i, prefetch_end, mask, t.val + row_ptr[i], n);
    mask += a.length(i) * mask_bytes(n);
  }
}

template <class T>
void values_of_rows(const ThinValuesTask<T>& t) {
  const std::int64_t entries = t.a.ptr[t.rows.last] - t.a.ptr[t.rows.first];
  switch (t.form) {
    case ThinForm::none:
      return add_dense(t);
    case ThinForm::positions:
      return t.products > 4 * entries ? add_positions<8>(t) : add_positions<4>(t);
    case ThinForm::masks:
      return add_masked(t);
  }
}
ROWAN_KERNELS(ValuesOfRows, values_of_rows, ThinValuesTask)

}  // namespace rowan::replay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::replay {

ROWAN_DISPATCH(void, thin_values, ValuesOfRows, ThinValuesTask)

}  // namespace rowan::replay
#endif
