// dense-rank. The rank of a column's bit (set bits before it) is its position in C's row: a perfect hash without keys,
// probes or sort, already in order. Two passes over the products, O(products + span / 64) a row; scratch 1/4 byte a
// column of the span.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/dense/rank.cpp"
#include <hwy/foreach_target.h>

#include "accumulators/common/prefetch.hpp"
#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/layout.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

/// before[q]: bits set in words ahead of q; the columns go to `out`. The bitmap stays.
HWY_INLINE std::int64_t rank_words(const Word* bits, std::int64_t words, Column base, Word* before, Column* out) {
  std::int64_t n = 0;
  for (std::int64_t q = 0; q < words; q++) {
    before[q] = static_cast<Word>(n);
    n += write_columns(bits[q], static_cast<std::uint32_t>(q), base, out + n);
  }
  return n;
}

template <class T>
std::int64_t rank_rows(const NumericTask<T>& t) {
  auto* bits = reinterpret_cast<Word*>(t.scratch.zeroed);
  auto* before = reinterpret_cast<Word*>(t.scratch.plain);
  const bool far = is_far(t.b);
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    const auto base = static_cast<std::uint32_t>(t.rows[i].lo);
    const std::int64_t begin = t.a.ptr[i], end = t.a.ptr[i + 1], words = words_of(t.rows[i].span());
    for (std::int64_t a = begin; a < end; a++) {
      if (far) prefetch_b(static_cast<const Pattern&>(t.a), t.b, a, 4);
      for (std::int64_t b = t.b.ptr[t.a.col[a]], to = t.b.ptr[t.a.col[a] + 1]; b < to; b++)
        mark(bits, static_cast<std::uint32_t>(t.b.col[b]) - base);
    }
    const std::int64_t n = t.nnz[i] = rank_words(bits, words, t.rows[i].lo, before, t.col + k);
    T* out = t.val + k;
    for (std::int64_t e = 0; e < n; e++) out[e] = Ring<T>::zero();
    for (std::int64_t a = begin; a < end; a++) {
      if (far) prefetch_b(t.a, t.b, a, 4);
      const T x = t.a.val[a];
      for (std::int64_t b = t.b.ptr[t.a.col[a]], to = t.b.ptr[t.a.col[a] + 1]; b < to; b++) {
        const std::uint32_t at = static_cast<std::uint32_t>(t.b.col[b]) - base;
        const Word below = bits[at >> 6] & ((Word{1} << (at & 63)) - 1);
        add_product<Ring<T>>(out[before[at >> 6] + static_cast<Word>(std::popcount(below))], x, t.b.val[b]);
      }
    }
    for (std::int64_t q = 0; q < words; q++) bits[q] = 0;
    k += n;
  }
  return k;
}
ROWAN_KERNELS(RankNumeric, rank_rows, NumericTask)

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::dense {

ROWAN_DISPATCH(std::int64_t, rank_numeric, RankNumeric, NumericTask)

ScratchBytes rank_scratch(const Extent& extent, std::size_t /*value_bytes*/) {
  const WindowLayout layout(extent, 0);
  return {layout.total().zeroed, layout.list};
}

}  // namespace rowan::dense
#endif
