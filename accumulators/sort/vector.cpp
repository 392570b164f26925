// sort-vector. Each row's products are sorted within registers, one row after another, up to 32 of them:
//   expand   the products of a block of rows to a buffer in the first-level cache: a vector of a row of B at a time.
//            The next row of B writes over what was too much, so no branch depends on where rows end
//   sort     keys (column - lo) << bits | position of 8, 16 or 32 products within one or two vectors; two rows of up to
//            eight products share one
//   sum      equal columns are neighbours: a column's first product takes the next one up, a lane at a time, as long as
//            any column has more (AVX-512), then first products are stored side by side
// What it saves beside sort, which takes eight rows side by side: transposing, and filling rows up to the longest of
// eight (road-like graph, Zen 4: 3.9 -> 2.2 ms). Rows of more than 32 products are added where they stand in C, as
// dense-spa does. Scratch: 14 KiB, and 4 bytes a column of the span.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/sort/vector.cpp"
#include <bit>

#include <hwy/foreach_target.h>

#include "accumulators/common/short_rows-inl.hpp"
#include "accumulators/common/unsorted_row-inl.hpp"
#include "accumulators/sort/candidate.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::sort::HWY_NAMESPACE {
using namespace rowan::HWY_NAMESPACE;

template <class T>
using Ring = rowan::HWY_NAMESPACE::PlusTimes<T>;

constexpr std::int64_t kProducts = 1024, kRows = 64, kEntries = 512;  // of a block
constexpr std::int64_t kListSlack = 64;                               // behind its lists, as a step may read or write

/// The products of a block of rows: of entry k of A from at[k - first entry] on.
template <class T>
struct ProductBlock {
  T* val;
  Column* col;
  std::int32_t* at;

  explicit ProductBlock(std::byte* scratch)
      : val(reinterpret_cast<T*>(scratch)),
        col(reinterpret_cast<Column*>(val + kProducts + kListSlack)),
        at(reinterpret_cast<std::int32_t*>(col + kProducts + kListSlack)) {}
  static constexpr std::size_t bytes(std::size_t value_bytes) {
    return (kProducts + kListSlack) * (value_bytes + sizeof(Column)) + (kEntries + 16) * sizeof(std::int32_t);
  }
};

/// Products of rows from r on, as far as there is room for them; returns the row behind the last.
template <bool Far, class T>
HWY_INLINE std::int64_t expand(const UnsortedTask<T>& t, std::int64_t r, std::int64_t last,
                               const ProductBlock<T>& block) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint32_t, 8> dc;
  const hn::CappedTag<T, 8> dv;
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(dc));
  const Operand<T>&a = t.a, &b = t.b;
  const std::int64_t whole = b.nnz() - kStep, first = a.ptr[r];
  std::int64_t end = HWY_MIN(last, r + kRows);
  while (end > r && a.ptr[end] - first > kEntries) end = r + (end - r) / 2;
  std::int64_t n = 0;
  block.at[0] = 0;
  for (std::int64_t k = first, stop = a.ptr[end]; k < stop; k++) {
    if constexpr (Far)
      if (k < t.prefetch_end) prefetch_followed(a, b, k, kRowsAhead);
    const std::int64_t from = b.ptr[a.col[k]], to = b.ptr[a.col[k] + 1], length = to - from;
    if (HWY_UNLIKELY(n + length > kProducts)) {
      while (a.ptr[end] > k) end--;
      return end;
    }
    const T x = a.val[k];
    Column* const columns = block.col + n;
    T* const products = block.val + n;
    if (HWY_LIKELY(to <= whole)) {
      std::int64_t e = 0;
      do {
        hn::StoreU(hn::LoadU(dc, reinterpret_cast<const std::uint32_t*>(b.col + from + e)), dc,
                   reinterpret_cast<std::uint32_t*>(columns + e));
        for (std::int64_t v = 0; v < kStep; v += static_cast<std::int64_t>(hn::Lanes(dv)))
          hn::StoreU(
              Ring<T>::add(Ring<T>::zero(dv), Ring<T>::multiply(hn::Set(dv, x), hn::LoadU(dv, b.val + from + e + v))),
              dv, products + e + v);
        e += kStep;
      } while (HWY_UNLIKELY(e < length));
    } else {
      for (std::int64_t e = 0; e < length; e++) {
        columns[e] = b.col[from + e];
        products[e] = Ring<T>::add(Ring<T>::zero(), Ring<T>::multiply(x, b.val[from + e]));
      }
    }
    n += length;
    block.at[k - first + 1] = static_cast<std::int32_t>(n);
  }
  return end;
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

/// Each lane's value from the next lane, over all vectors; the last lane's is of no meaning.
template <class T, std::size_t N>
HWY_INLINE void move_down(ShortValues<T, N>& x) {
  using Values = ShortValues<T, N>;
  for (std::size_t e = 0; e < Values::kVectors; e++) {
    auto& low = x.v[e];
    const auto& high = x.v[e + 1 < Values::kVectors ? e + 1 : e];
    if constexpr (sizeof(T) == 8)
      low.raw =
          _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(high.raw), _mm512_castpd_si512(low.raw), 1));
    else
      low.raw =
          _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(high.raw), _mm512_castps_si512(low.raw), 1));
  }
}

/// Lanes of `x` whose bits are set, side by side.
HWY_INLINE void compress_to(__m512d x, std::uint32_t bits, double* to) {
  _mm512_storeu_pd(to, _mm512_maskz_compress_pd(static_cast<__mmask8>(bits), x));
}
HWY_INLINE void compress_to(__m512 x, std::uint32_t bits, float* to) {
  _mm512_storeu_ps(to, _mm512_maskz_compress_ps(static_cast<__mmask16>(bits), x));
}

/// Sums of equal columns to C. `head`: lanes of each column's first product; `valid`: of all.
template <std::size_t N, class T>
HWY_INLINE void sum_up(const ShortKeys<N>& columns, ShortValues<T, N> products, std::uint32_t head, std::uint32_t valid,
                       Column* col, T* val) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Values = ShortValues<T, N>;
  const typename Values::D d;
  const std::uint32_t rest = valid & ~head;
  Values sums = products;
  std::uint32_t more = head & rest >> 1;  // heads that have another product
  for (int next = 2; more != 0; more &= rest >> next, next++) {
    move_down(products);
    for (std::size_t e = 0; e < Values::kVectors; e++) {
      using Lanes = decltype(hn::Mask<typename Values::D>().raw);
      const hn::Mask<typename Values::D> of_vector{static_cast<Lanes>(more >> (e * Values::kLanes))};
      sums.v[e] = hn::IfThenElse(of_vector, Ring<T>::add(sums.v[e], products.v[e]), sums.v[e]);
    }
  }
  std::int64_t at = 0;
  for (std::size_t e = 0; e < ShortKeys<N>::kVectors; e++) {
    const auto of_vector = static_cast<__mmask16>(head >> (16 * e));
    _mm512_storeu_si512(col + at, _mm512_maskz_compress_epi32(of_vector, columns.k[e]));
    at += std::popcount(static_cast<unsigned>(of_vector));
  }
  at = 0;
  constexpr std::uint32_t kAll = Values::kLanes == 8 ? 0xff : 0xffff;
  for (std::size_t e = 0; e < Values::kVectors; e++) {
    const std::uint32_t of_vector = head >> (e * Values::kLanes) & kAll;
    compress_to(sums.v[e].raw, of_vector, val + at);
    at += std::popcount(of_vector);
  }
}

[[nodiscard]] HWY_INLINE std::uint32_t first_lanes(std::size_t n) {
  return _bzhi_u32(~0U, static_cast<unsigned>(n));
}

/// A row of n products, 8, 16 or 32 at most.
template <std::size_t N, class T>
HWY_INLINE std::int64_t sort_one_row(const Column* columns, const T* products, std::size_t n, Column lo, Column* col,
                                     T* val) {
  const ShortKeys<N> keys = sorted_keys<N>(columns, n, lo), c = columns_of(keys, lo);
  const __m512i before = _mm512_alignr_epi32(c.k[0], _mm512_set1_epi32(-1), 15);
  std::uint32_t head = _mm512_cmpneq_epu32_mask(c.k[0], before);
  if constexpr (N == 32)
    head |= static_cast<std::uint32_t>(_mm512_cmpneq_epu32_mask(c.k[1], _mm512_alignr_epi32(c.k[1], c.k[0], 15))) << 16;
  const std::uint32_t valid = first_lanes(n);
  head &= valid;
  sum_up<N, T>(c, values_of<N>(products, keys), head, valid, col, val);
  return std::popcount(head);
}

/// Two rows of up to eight products each, one behind the other; writes how many entries each has.
template <class T>
HWY_INLINE std::int64_t sort_two_rows(const Column* columns, const T* products, std::size_t n, std::size_t m, Column lo,
                                      Column lo2, Column* col, T* val, Offset* nnz) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Sort = ShortSort<16, 16>;
  const typename Sort::D d;
  const auto load = [](const void* p) HWY_ATTR { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); };
  const std::uint32_t valid = first_lanes(n) | first_lanes(m) << 8;
  const __m512i base = _mm512_mask_mov_epi32(_mm512_set1_epi32(lo), 0xff00, _mm512_set1_epi32(lo2));
  const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(load(columns)), load(columns + n), 1);
  const __m512i position = _mm512_and_epi32(hn::Load(d, kPositions).raw, _mm512_set1_epi32(7));
  const __m512i key = _mm512_or_epi32(_mm512_slli_epi32(_mm512_sub_epi32(both, base), 3), position);
  const __m512i sorted = Sort::sort_eights(typename Sort::V{_mm512_mask_mov_epi32(_mm512_set1_epi32(-1),
                                                                                  static_cast<__mmask16>(valid), key)})
                             .raw;
  const ShortKeys<16> c{{_mm512_add_epi32(_mm512_srli_epi32(sorted, 3), base)}};
  const std::uint32_t head =
      (_mm512_cmpneq_epu32_mask(c.k[0], _mm512_alignr_epi32(c.k[0], c.k[0], 15)) | 0x0101U) & valid;
  ShortValues<T, 16> values;
  if constexpr (sizeof(T) == 8) {
    const ShortKeys<16> keys{{sorted}};
    for (std::size_t e = 0; e < 2; e++)
      values.v[e].raw = _mm512_permutexvar_pd(eight_keys(keys, e), _mm512_loadu_pd(products + e * n));
  } else {
    const __m512i at = _mm512_mask_or_epi32(_mm512_and_epi32(sorted, _mm512_set1_epi32(7)), 0xff00,
                                            _mm512_and_epi32(sorted, _mm512_set1_epi32(7)), _mm512_set1_epi32(8));
    const auto low = _mm256_castps_si256(_mm256_loadu_ps(products));
    const auto high = _mm256_castps_si256(_mm256_loadu_ps(products + n));
    values.v[0].raw =
        _mm512_permutexvar_ps(at, _mm512_castsi512_ps(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)));
  }
  sum_up<16, T>(c, values, head, valid, col, val);
  nnz[0] = static_cast<Offset>(std::popcount(head & 0xff)), nnz[1] = static_cast<Offset>(std::popcount(head >> 8));
  return std::popcount(head);
}

#else

/// A row of n products, 8, 16 or 32 at most. Every key writes; only a new column moves on.
template <std::size_t N, class T>
HWY_INLINE std::int64_t sort_one_row(const Column* columns, const T* products, std::size_t n, Column lo, Column* col,
                                     T* val) {
  alignas(64) std::uint32_t keys[N];
  make_keys<N>(columns, n, lo, keys);
  sort_short<N>(keys, n, keys);
  constexpr std::uint32_t kPosition = (1U << kPositionBits<N>)-1;
  std::int64_t at = -1;
  std::uint32_t before = ~std::uint32_t{0};
  T sum = Ring<T>::zero();
  for (std::size_t e = 0; e < n; e++) {
    const std::uint32_t column = keys[e] >> kPositionBits<N>;
    const T product = products[keys[e] & kPosition];
    const bool fresh = column != before;
    before = column;
    at += fresh ? 1 : 0;
    sum = fresh ? product : Ring<T>::add(sum, product);
    col[at] = static_cast<Column>(column) + lo, val[at] = sum;
  }
  return at + 1;
}

#endif

/// A row as it comes, beyond what registers take or a block holds.
template <class T>
class LongRows {
 public:
  LongRows(const NumericTask<T>& t, std::byte* scratch)
      : positions_(t.scratch.persistent, t.extent.span_max),
        old_(reinterpret_cast<T*>(scratch)),
        most_(t.extent.bound_max) {}
  /// `add_up` is called with what add_up_row and add_up_products take behind the products.
  template <class F>
  std::int64_t row(Column lo, Column* col, T* val, const F& add_up) {
    const std::int64_t begin = positions_.begin_row(most_);
    const std::int64_t n = add_up(lo, positions_.of_column(), begin, col, val);
    positions_.end_row(n);
    sort_row<T>({col, val, n, positions_.of_column(), begin, lo}, old_, sorter_);
    return n;
  }

 private:
  ColumnPositions positions_;
  T* old_;
  std::int64_t most_;
  hwy::Sorter sorter_;
};

template <bool Far, class T>
std::int64_t vector_rows_of(const NumericTask<T>& t) {
  const ProductBlock<T> block(t.scratch.plain);
  const UnsortedTask<T> task{t.a, t.b, t.a.nnz() - 2 * kRowsAhead};
  LongRows<T> long_rows(t, t.scratch.plain + ProductBlock<T>::bytes(sizeof(T)));
  const auto lo_of = [&](std::int64_t i) HWY_ATTR { return t.rows == nullptr ? 0 : t.rows[i].lo; };
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last;) {
    const std::int64_t end = expand<Far>(task, i, t.last, block);
    if (end == i) {
      const auto add_up = [&](auto... to) HWY_ATTR { return add_up_row<Far, false>(task, i, to...); };
      const std::int64_t n = long_rows.row(lo_of(i), t.col + k, t.val + k, add_up);
      t.nnz[i++] = static_cast<Offset>(n), k += n;
      continue;
    }
    const std::int64_t first = t.a.ptr[i];
    const auto at = [&](std::int64_t row) HWY_ATTR { return block.at[t.a.ptr[row] - first]; };
    for (; i < end; i++) {
      const std::int32_t begin = at(i), next = at(i + 1);
      const auto n = static_cast<std::size_t>(next - begin);
      const Column* const columns = block.col + begin;
      const T* const products = block.val + begin;
      Column* const col = t.col + k;
      T* const val = t.val + k;
      const Column lo = lo_of(i);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
      if (const auto m = static_cast<std::size_t>(at(HWY_MIN(i + 2, end)) - next); n <= 8 && m <= 8 && i + 1 < end) {
        k += sort_two_rows(columns, products, n, m, lo, lo_of(i + 1), col, val, t.nnz + i);
        i++;
        continue;
      }
#endif
      std::int64_t entries = 0;
      if (n <= 8) {
        entries = sort_one_row<8>(columns, products, n, lo, col, val);
      } else if (n <= 16) {
        entries = sort_one_row<16>(columns, products, n, lo, col, val);
      } else if (n <= kShortRow) {
        entries = sort_one_row<32>(columns, products, n, lo, col, val);
      } else {
        const auto add_up = [&](auto... to) HWY_ATTR {
          return add_up_products(columns, products, static_cast<std::int64_t>(n), to...);
        };
        entries = long_rows.row(lo, col, val, add_up);
      }
      t.nnz[i] = static_cast<Offset>(entries), k += entries;
    }
  }
  return k;
}

template <class T>
std::int64_t vector_rows(const NumericTask<T>& t) {
  return is_far(t.b) ? vector_rows_of<true>(t) : vector_rows_of<false>(t);
}
ROWAN_KERNELS(VectorNumeric, vector_rows, NumericTask)

std::size_t BlockBytes(std::size_t value_bytes) {
  return ProductBlock<double>::bytes(value_bytes);
}

}  // namespace rowan::sort::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::sort {

ROWAN_DISPATCH(std::int64_t, vector_numeric, VectorNumeric, NumericTask)
HWY_EXPORT(BlockBytes);

ScratchBytes vector_scratch(const Extent& extent, std::size_t value_bytes) {
  return {
      .plain = HWY_DYNAMIC_DISPATCH(BlockBytes)(value_bytes) + static_cast<std::size_t>(extent.bound_max) * value_bytes,
      .persistent = ColumnPositions::bytes(extent.span_max)};
}

}  // namespace rowan::sort
#endif
