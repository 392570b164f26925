// Rows of C that are nearly one row of B: a row of A meets a dominant row and a few short ones. The dominant row's
// products stand in order already: they are copied, in stretches between the columns of the remaining products, which
// alone go through bitmap and window: a product of the dominant row costs a copy instead of a visit to a window beyond
// the cache. (Compiled once for every instruction set, included inside foreach_target.)
#if defined(ROWAN_DENSE_DOMINANT_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_DENSE_DOMINANT_ROW_INL
#undef ROWAN_DENSE_DOMINANT_ROW_INL
#else
#define ROWAN_DENSE_DOMINANT_ROW_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

/// Whether all but an eighth of the products are those of one row of B: with a quarter, being looked for cost the
/// other rows more than the copies saved on email-Enron and rmat16 (10 %).
[[nodiscard]] HWY_INLINE bool has_long_dominant_row(const CRow& row) noexcept {
  constexpr std::int32_t kLongRow = 256;
  return row.b_max >= kLongRow && has_dominant_row(row);
}

/// The first position from p on, of m, whose column is not below `column`.
HWY_INLINE std::int64_t find_column(const Column* col, std::int64_t p, std::int64_t m, Column column) {
  const hn::CappedTag<Column, 8> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (; p + lanes <= m; p += lanes) {
    const auto below = static_cast<std::int64_t>(hn::CountTrue(d, hn::Lt(hn::LoadU(d, col + p), hn::Set(d, column))));
    if (below != lanes) return p + below;
  }
  while (p < m && col[p] < column) p++;
  return p;
}

/// A row of B that is multiplied with one number.
template <class T>
struct DominantRow {
  const Column* col;
  const T* val;
  std::int64_t n;
  T x;

  /// Products [p, q) to C; up to a vector more is written.
  HWY_INLINE void copy(std::int64_t p, std::int64_t q, Column* to_col, T* to_val) const {
    const hn::CappedTag<T, 8> d;
    const hn::Rebind<Column, decltype(d)> dc;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto factor = hn::Set(d, x);
    for (; p < q && p + lanes <= n; p += lanes, to_col += lanes, to_val += lanes) {
      hn::StoreU(hn::LoadU(dc, col + p), dc, to_col);
      hn::StoreU(Ring<T>::add(Ring<T>::zero(d), Ring<T>::multiply(factor, hn::LoadU(d, val + p))), d, to_val);
    }
    for (; p < q; p++) *to_col++ = col[p], *to_val++ = Ring<T>::add(Ring<T>::zero(), Ring<T>::multiply(x, val[p]));
  }
};

/// Row i, which has a dominant row, to `col` and `val`; returns its entries. B's rows rise. `remaining`, the columns of
/// the remaining products, and `position`, where each stands in the dominant row, hold kWriteSlack more.
template <class T>
HWY_NOINLINE std::int64_t merge_dominant_row(const NumericTask<T>& t, std::int64_t i, Word* bits, T* window,
                                             std::uint32_t* list, Column* remaining, std::uint32_t* position,
                                             Column* col, T* val) {
  const CRow& row = t.rows[i];
  const auto base = static_cast<std::uint32_t>(row.lo);
  std::int64_t dominant_entry = t.a.ptr[i];
  while (t.b.length(t.a.col[dominant_entry]) != row.b_max) dominant_entry++;
  const std::int64_t j = t.a.col[dominant_entry];
  const DominantRow<T> dominant{t.b.col + t.b.ptr[j], t.b.val + t.b.ptr[j], row.b_max, t.a.val[dominant_entry]};

  for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
    if (a == dominant_entry) continue;
    for (std::int64_t b = t.b.ptr[t.a.col[a]], end = t.b.ptr[t.a.col[a] + 1]; b < end; b++)
      mark(bits, static_cast<std::uint32_t>(t.b.col[b]) - base);
  }
  const std::int64_t n = take_columns(bits, words_of(row.span()), row.lo, list, remaining);
  std::int64_t p = 0;
  for (std::int64_t k = 0; k < n; k++) {
    p = find_column(dominant.col, p, dominant.n, remaining[k]);
    position[k] = static_cast<std::uint32_t>(p);
  }
  const auto in_dominant = [&](std::int64_t k) {
    return position[k] < dominant.n && dominant.col[position[k]] == remaining[k];
  };

  for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
    const T x = t.a.val[a];
    if (a == dominant_entry) {
      for (std::int64_t k = 0; k < n; k++)
        if (in_dominant(k))
          add_product<Ring<T>>(window[static_cast<std::uint32_t>(remaining[k]) - base], x, dominant.val[position[k]]);
      continue;
    }
    for (std::int64_t b = t.b.ptr[t.a.col[a]], end = t.b.ptr[t.a.col[a] + 1]; b < end; b++)
      add_product<Ring<T>>(window[static_cast<std::uint32_t>(t.b.col[b]) - base], x, t.b.val[b]);
  }

  std::int64_t out = 0;
  p = 0;
  for (std::int64_t k = 0; k < n; k++) {
    const auto q = static_cast<std::int64_t>(position[k]);
    dominant.copy(p, q, col + out, val + out);
    out += q - p;
    T& sum = window[static_cast<std::uint32_t>(remaining[k]) - base];
    col[out] = remaining[k], val[out++] = sum;
    sum = Ring<T>::zero();
    p = in_dominant(k) ? q + 1 : q;
  }
  dominant.copy(p, dominant.n, col + out, val + out);
  return out + dominant.n - p;
}

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
