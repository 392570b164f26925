// Rows of C that are nearly one row of B: a row of A meets a hub and a few others. The hub's products stand in order
// already, so that they are copied in stretches between the columns of the others, which alone go through bitmap and
// window: a product of the hub costs a copy instead of a visit to a window beyond the cache. (Compiled once for every
// instruction set, included inside foreach_target.)
#if defined(ROWAN_DENSE_MERGE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_DENSE_MERGE_INL
#undef ROWAN_DENSE_MERGE_INL
#else
#define ROWAN_DENSE_MERGE_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

/// Whether all but an eighth of the products are those of one row of B: with a quarter, being looked for cost the
/// others more than the copies saved on email-Enron and rmat16 (10 %).
[[nodiscard]] HWY_INLINE bool has_hub(const CRow& row) noexcept {
  constexpr std::int32_t kLongRow = 256;
  return row.b_max >= kLongRow && (row.nprod - row.b_max) * kHubShare <= row.nprod;
}

/// The first place from p on, of m, whose column is not below `column`.
HWY_INLINE std::int64_t find_column(const Column* col, std::int64_t p, std::int64_t m, Column column) {
  const hn::CappedTag<std::int32_t, 8> d;
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
struct Hub {
  const Column* col;
  const T* val;
  std::int64_t n;
  T x;

  /// Products [p, q) to C; up to a vector more is written.
  HWY_INLINE void copy(std::int64_t p, std::int64_t q, Column* to_col, T* to_val) const {
    const hn::CappedTag<T, 8> d;
    const hn::Rebind<std::int32_t, decltype(d)> dc;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto factor = hn::Set(d, x);
    for (; p < q && p + lanes <= n; p += lanes, to_col += lanes, to_val += lanes) {
      hn::StoreU(hn::LoadU(dc, col + p), dc, to_col);
      hn::StoreU(hn::Add(hn::Zero(d), hn::Mul(factor, hn::LoadU(d, val + p))), d, to_val);
    }
    for (; p < q; p++) *to_col++ = col[p], *to_val++ = T{0} + x * val[p];
  }
};

/// Row i, which has a hub, to `col` and `val`; returns its entries. B's rows rise. `others` and `place` have room for
/// the columns of the others and kWriteSlack more.
template <class T>
HWY_NOINLINE std::int64_t merge_row(const NumericTask<T>& t, std::int64_t i, Word* bits, T* window, std::uint32_t* list,
                                    std::int32_t* others, std::uint32_t* place, Column* col, T* val) {
  const CRow& row = t.rows[i];
  const auto base = static_cast<std::uint32_t>(row.lo);
  std::int64_t at_hub = t.a.ptr[i];
  while (t.b.length(t.a.col[at_hub]) != row.b_max) at_hub++;
  const std::int64_t j = t.a.col[at_hub];
  const Hub<T> hub{t.b.col + t.b.ptr[j], t.b.val + t.b.ptr[j], row.b_max, t.a.val[at_hub]};

  for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
    if (a == at_hub) continue;
    for (std::int64_t b = t.b.ptr[t.a.col[a]], end = t.b.ptr[t.a.col[a] + 1]; b < end; b++)
      mark(bits, static_cast<std::uint32_t>(t.b.col[b]) - base);
  }
  const std::int64_t n = take_columns(bits, words_of(row.span()), row.lo, list, others);
  std::int64_t p = 0;
  for (std::int64_t k = 0; k < n; k++) {
    p = find_column(hub.col, p, hub.n, others[k]);
    place[k] = static_cast<std::uint32_t>(p);
  }
  const auto of_hub = [&](std::int64_t k) { return place[k] < hub.n && hub.col[place[k]] == others[k]; };

  for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
    const T x = t.a.val[a];
    if (a == at_hub) {
      for (std::int64_t k = 0; k < n; k++)
        if (of_hub(k)) window[static_cast<std::uint32_t>(others[k]) - base] += x * hub.val[place[k]];
      continue;
    }
    for (std::int64_t b = t.b.ptr[t.a.col[a]], end = t.b.ptr[t.a.col[a] + 1]; b < end; b++)
      window[static_cast<std::uint32_t>(t.b.col[b]) - base] += x * t.b.val[b];
  }

  std::int64_t out = 0;
  p = 0;
  for (std::int64_t k = 0; k < n; k++) {
    const auto q = static_cast<std::int64_t>(place[k]);
    hub.copy(p, q, col + out, val + out);
    out += q - p;
    T& sum = window[static_cast<std::uint32_t>(others[k]) - base];
    col[out] = others[k], val[out++] = sum;
    sum = T{0};
    p = of_hub(k) ? q + 1 : q;
  }
  hub.copy(p, hub.n, col + out, val + out);
  return out + hub.n - p;
}

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
