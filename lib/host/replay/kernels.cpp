// The numeric kernels of a plan. A product is: read its position, read B's value, multiply, add. Positions and B's
// values are read in order; C's row stays in the first-level cache. In a run of rows the sums of up to eight rows lie
// side by side, so that one position serves a vector, as in dense-run, but packed to C's columns instead of spread over
// its span, and go around the caches into a large C.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/replay/kernels.cpp"
#include "lib/host/replay/kernels.hpp"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "accumulators/common/equal_rows.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/common/run_values-inl.hpp"
#include "accumulators/common/transpose-inl.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/plus_times-inl.hpp"
#include "lib/core/stream-inl.hpp"
#include "lib/host/replay/masked_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

namespace kn = rowan::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kShort = 8;  // products an entry of A

template <class T>
using Ring = kn::PlusTimes<T>;

/// Adds products to the row that begins at `out`; returns where their positions end.
template <class T, class P>
HWY_INLINE const P* add(const T* products, std::int64_t n, const P* position, T* out) {
  for (std::int64_t k = 0; k < n; k++) out[position[k]] = Ring<T>::add(out[position[k]], products[k]);
  return position + n;
}

/// One row, to `out`, which holds zeros; returns where its positions end.
template <class T, class P>
HWY_INLINE const P* add_row(const ReplayTask<T>& t, std::int64_t i, const P* position, T* out) {
  const bool far = is_far(t.b);
  for (std::int64_t e = t.a.ptr[i]; e < t.a.ptr[i + 1]; e++) {
    if (far) prefetch_b_values(t.a, t.b, e, 4);
    const T x = t.a.val[e];
    const std::int64_t begin = t.b.ptr[t.a.col[e]], n = t.b.ptr[t.a.col[e] + 1] - begin;
    const T* const val = t.b.val + begin;
    for (std::int64_t k = 0; k < n; k++) add_product<Ring<T>>(out[position[k]], x, val[k]);
    position += n;
  }
  return position;
}

/// The same where rows of B are short. Products of a row of B, `Step` together, go to a list first, each row over
/// what was too much of the one before: where they end no predictor knows, the list's end it does.
template <std::size_t Step, class T, class P>
HWY_NOINLINE const P* add_short(const ReplayTask<T>& t, std::int64_t i, const P* position, T* out) {
  constexpr std::int64_t kListed = 512, kLong = 64;
  const hn::CappedTag<T, Step> d;
  T list[kListed + Step];
  const Operand<T> a = t.a, b = t.b;
  const std::int64_t prefetch_end = prefetched(a, is_far(b));
  const std::int64_t whole = b.nnz() - static_cast<std::int64_t>(Step);
  std::int64_t listed = 0;
  for (std::int64_t e = a.ptr[i], end = a.ptr[i + 1]; e < end; e++) {
    if (e < prefetch_end) prefetch_followed_values(a, b, e, kValuesAhead);
    const T x = a.val[e];
    const std::int64_t begin = b.ptr[a.col[e]], last = b.ptr[a.col[e] + 1], n = last - begin;
    const T* const val = b.val + begin;
    if (HWY_UNLIKELY(listed + n > kListed)) position = add(list, listed, position, out), listed = 0;
    if (HWY_LIKELY(last <= whole && n <= kLong)) {
      std::int64_t k = 0;
      do {
        for (std::size_t v = 0; v < Step; v += hn::Lanes(d), k += static_cast<std::int64_t>(hn::Lanes(d)))
          hn::StoreU(Ring<T>::multiply(hn::Set(d, x), hn::LoadU(d, val + k)), d, list + listed + k);
      } while (HWY_UNLIKELY(k < n));
      listed += n;
    } else {
      position = add(list, listed, position, out), listed = 0;
      for (std::int64_t k = 0; k < n; k++) add_product<Ring<T>>(out[position[k]], x, val[k]);
      position += n;
    }
  }
  return add(list, listed, position, out);
}

/// A row with masks; not among the others' code, whose registers it would spill.
template <class T, class P>
HWY_NOINLINE const P* add_masked(const ReplayTask<T>& t, std::int64_t i, const P* position, T* out) {
  const Operand<T> a = t.a, b = t.b;
  add_masked_row(a, b, i, prefetched(a, is_far(b)), reinterpret_cast<const std::byte*>(position), out,
                 t.rows.row_ptr[i + 1] - t.rows.row_ptr[i]);
  return position + masked_bytes(t.rows, i) / static_cast<std::int64_t>(sizeof(P));
}

template <class T, class P>
HWY_INLINE const P* add_one(const ReplayTask<T>& t, std::int64_t i, const P* position, T* out) {
  if (masked(t.rows, i)) return add_masked(t, i, position, out);
  const CRow& row = t.rows.rows[i];
  std::fill_n(out, t.rows.row_ptr[i + 1] - t.rows.row_ptr[i], Ring<T>::zero());
  if (row.nprod > kShort * t.a.length(i)) return add_row(t, i, position, out);
  return row.b_max <= 4 ? add_short<4>(t, i, position, out) : add_short<8>(t, i, position, out);
}

/// The products of S consecutive entries of A with rows of B of one pattern, for all rows of a run.
template <std::size_t S, std::size_t kRows, class T, class P>
HWY_INLINE const P* add_rows_of_b(const ReplayTask<T>& t, std::int64_t j, const T* values, const P* position) {
  kn::RunValues<T, kRows> x[S];
  for (std::size_t s = 0; s < S; s++) x[s] = kn::RunValues<T, kRows>::load(values + s * kRows);
  const std::int64_t n = t.b.length(j);
  const T* const val = t.b.val + t.b.ptr[j];
  T* const first = t.sums;
  for (std::int64_t k = 0; k < n; k++) {
    T* const sums = first + static_cast<std::size_t>(position[k]) * kRows;
    auto sum = kn::RunValues<T, kRows>::load(sums);
    for (std::size_t s = 0; s < S; s++) sum.add_product(x[s], val[static_cast<std::int64_t>(s) * n + k]);
    sum.store(sums);
  }
  return position + n;
}

/// Up to kRows rows of one pattern, to `out` one behind another; returns where their positions end.
template <std::size_t kRows, class T, class P>
HWY_NOINLINE const P* add_run(const ReplayTask<T>& t, std::int64_t i, std::int64_t rows, const P* position, T* out) {
  const bool far = is_far(t.b);
  const std::int64_t m = t.a.length(i), begin = t.a.ptr[i];
  kn::put_side_by_side<kRows>(t.a, i, rows, t.run_values);
  for (std::int64_t e = 0; e < m;) {
    if (far) prefetch_b_values(t.a, t.b, begin + e, 4);
    const int s = t.rows.sorted_b ? equal_rows(t.a, t.rows.b_run, begin + e, begin + m) : 1;
    const T* const x = t.run_values + static_cast<std::size_t>(e) * kRows;
    const std::int64_t j = t.a.col[begin + e];
    position = with_equal_rows(s, [&](auto equal) HWY_ATTR { return add_rows_of_b<equal, kRows>(t, j, x, position); });
    e += s;
  }
  const std::int64_t n = t.rows.row_ptr[i + 1] - t.rows.row_ptr[i];
  kn::take_values_of_rows<kRows>(n, rows, out, n,
                                 [&](std::int64_t k) { return t.sums + static_cast<std::size_t>(k) * kRows; });
  return position;
}

template <class T, class P>
const void* add_rows(const ReplayTask<T>& t, const P* position) {
  const std::int64_t* const row_ptr = t.rows.row_ptr;
  static_assert(kn::LineWriter<T>::kMore <= kStreamSlack);
  kn::LineWriter<T> writer(t.val, t.stream_buffer);
  bool writing = false;
  for (std::int64_t i = t.rows.first, end; i < t.rows.last; i = end) {
    end = end_of_run(t.rows, i);
    const bool run = end - i > 1, streamed = run && t.stream_buffer != nullptr;
    if (writing && !streamed) writer.finish();
    if (streamed && !writing) writer = {t.val + row_ptr[i], t.stream_buffer};
    writing = streamed;
    T* const out = streamed ? writer.next() : t.val + row_ptr[i];
    if (run)
      position = kn::with_summed_rows(
          end - i, [&](auto side_by_side) HWY_ATTR { return add_run<side_by_side>(t, i, end - i, position, out); });
    else
      position = add_one(t, i, position, out);
    if (streamed) writer.wrote(row_ptr[end] - row_ptr[i]);
  }
  if (writing) writer.finish();
  if (t.stream_buffer != nullptr) hwy::FlushStream();  // other threads read what was streamed
  return position;
}

template <class T>
const void* add_all(const ReplayTask<T>& t) {
  return t.narrow ? add_rows(t, static_cast<const std::uint16_t*>(t.positions))
                  : add_rows(t, static_cast<const std::uint32_t*>(t.positions));
}
ROWAN_KERNELS(Replay, add_all, ReplayTask)

}  // namespace rowan::replay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::replay {

ROWAN_DISPATCH(const void*, run, Replay, ReplayTask)

}  // namespace rowan::replay
#endif
