// Rows of C of few entries, one row after another: how their columns are sorted and their values follow, and with
// AVX-512 how equal columns of sorted products are summed, all within registers. (Included inside foreach_target.)
#if defined(ROWAN_COMMON_SHORT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_SHORT_ROWS_INL
#undef ROWAN_COMMON_SHORT_ROWS_INL
#else
#define ROWAN_COMMON_SHORT_ROWS_INL
#endif

#include <bit>
#include <cstdint>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>

#include "accumulators/common/positions.hpp"
#include "accumulators/common/rising_sort-inl.hpp"
#include "accumulators/common/short_sort-inl.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

/// Keys are (column - lo) << bits | position, for at most 2^bits positions; 32 bits take a span of kMostPositions.
inline constexpr std::int64_t kShortRow = 32;

alignas(64) inline constexpr std::uint32_t kPositions[kShortRow] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                                    11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                                    22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

template <std::size_t N>
inline constexpr int kPositionBits = N <= 8    ? 3
                                     : N <= 16 ? 4
                                               : 5;

/// Keys of n of N columns from `col` on, of which up to N are read; the others are last.
template <std::size_t N>
HWY_INLINE void make_keys(const Column* col, std::size_t n, Column lo, std::uint32_t* keys) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint32_t, N> d;
  for (std::size_t e = 0; e < N; e += hn::Lanes(d)) {
    const auto column = hn::Sub(hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(col) + e),
                                hn::Set(d, static_cast<std::uint32_t>(lo)));
    hn::StoreU(hn::Or(hn::ShiftLeft<kPositionBits<N>>(column), hn::LoadU(d, kPositions + e)), d, keys + e);
  }
  static_cast<void>(n);
}

/// Where rows that are sorted together have their columns, and how many.
struct ShortColumns {
  const Column* col;
  std::size_t n;
  Column lo;
};

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

/// N values, N = 8, 16 or 32, in registers; eight floats take the lower half of one.
template <class T, std::size_t N>
struct ShortValues {
  using D = hwy::HWY_NAMESPACE::Full512<T>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  static constexpr std::size_t kLanes = 64 / sizeof(T);
  static constexpr std::size_t kVectors = N > kLanes ? N / kLanes : 1;
  V v[kVectors];
};

/// Key vectors of N keys.
template <std::size_t N>
struct ShortKeys {
  static constexpr std::size_t kVectors = N > 16 ? N / 16 : 1;
  __m512i k[kVectors];
};

/// Sorted keys of the rows' columns, up to N each.
template <std::size_t N, std::size_t Rows>
HWY_INLINE void sort_keys(const ShortColumns (&rows)[Rows], ShortKeys<N> (&keys)[Rows]) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Sort = ShortSort<(N < 16 ? N : 16), N>;
  const typename Sort::D d;
  typename Sort::V v[Rows * Sort::kVectors];
  for (std::size_t r = 0; r < Rows; r++)
    for (std::size_t i = 0; i < Sort::kVectors; i++) {
      const std::size_t e = i * hn::Lanes(d);
      const auto column = hn::Sub(hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(rows[r].col) + e),
                                  hn::Set(d, static_cast<std::uint32_t>(rows[r].lo)));
      const auto key = hn::Or(hn::ShiftLeft<kPositionBits<N>>(column), hn::Load(d, kPositions + e));
      v[r * Sort::kVectors + i] =
          hn::IfThenElse(hn::FirstN(d, rows[r].n - HWY_MIN(e, rows[r].n)), key, hn::Set(d, ~std::uint32_t{0}));
    }
  Sort::template sort<Rows>(v);
  for (std::size_t r = 0; r < Rows; r++)
    if constexpr (N == 8)
      keys[r].k[0] = _mm512_zextsi256_si512(v[r].raw);
    else
      for (std::size_t i = 0; i < Sort::kVectors; i++) keys[r].k[i] = v[r * Sort::kVectors + i].raw;
}

/// Eight of the keys, as indices of doubles.
template <std::size_t N>
HWY_INLINE __m512i eight_keys(const ShortKeys<N>& keys, std::size_t eight) {
  const __m512i k = keys.k[eight / 2];
  return _mm512_cvtepu32_epi64(eight % 2 == 0 ? _mm512_castsi512_si256(k) : _mm512_extracti64x4_epi64(k, 1));
}

/// The values at the keys' positions, in the keys' order. Up to N values are read.
template <std::size_t N>
HWY_INLINE ShortValues<double, N> values_of(const double* val, const ShortKeys<N>& keys) {
  ShortValues<double, N> out;
  if constexpr (N == 8) {
    out.v[0].raw = _mm512_permutexvar_pd(eight_keys(keys, 0), _mm512_loadu_pd(val));
  } else if constexpr (N == 16) {
    const __m512d p = _mm512_loadu_pd(val), q = _mm512_loadu_pd(val + 8);
    for (std::size_t e = 0; e < 2; e++) out.v[e].raw = _mm512_permutex2var_pd(p, eight_keys(keys, e), q);
  } else {
    const __m512d p = _mm512_loadu_pd(val), q = _mm512_loadu_pd(val + 8);
    const __m512d r = _mm512_loadu_pd(val + 16), s = _mm512_loadu_pd(val + 24);
    for (std::size_t e = 0; e < 4; e++) {
      const __m512i at = eight_keys(keys, e);
      const __mmask8 second = _mm512_test_epi64_mask(at, _mm512_set1_epi64(16));
      out.v[e].raw = _mm512_mask_blend_pd(second, _mm512_permutex2var_pd(p, at, q), _mm512_permutex2var_pd(r, at, s));
    }
  }
  return out;
}
template <std::size_t N>
HWY_INLINE ShortValues<float, N> values_of(const float* val, const ShortKeys<N>& keys) {
  ShortValues<float, N> out;
  // eight values twice: the lanes' numbers are of four bits, and behind a key's three of position stands its column
  const __m512 p = N == 8 ? _mm512_broadcast_f32x8(_mm256_loadu_ps(val)) : _mm512_loadu_ps(val);
  if constexpr (N <= 16) {
    out.v[0].raw = _mm512_permutexvar_ps(keys.k[0], p);
  } else {
    const __m512 q = _mm512_loadu_ps(val + 16);
    for (std::size_t e = 0; e < 2; e++) out.v[e].raw = _mm512_permutex2var_ps(p, keys.k[e], q);
  }
  return out;
}

/// The columns back from keys.
template <std::size_t N>
HWY_INLINE ShortKeys<N> columns_of(ShortKeys<N> keys, Column lo) {
  for (__m512i& k : keys.k) k = _mm512_add_epi32(_mm512_srli_epi32(k, kPositionBits<N>), _mm512_set1_epi32(lo));
  return keys;
}

/// Sorts the m distinct columns where they stand, and their values with them; up to N are read and written.
template <std::size_t N, class T>
HWY_INLINE void sort_in_registers(Column* col, T* val, std::size_t m, Column lo) {
  using Values = ShortValues<T, N>;
  ShortKeys<N> keys[1];
  sort_keys<N>({{col, m, lo}}, keys);
  const Values sorted = values_of<N>(val, keys[0]);
  const ShortKeys<N> columns = columns_of(keys[0], lo);
  if constexpr (N == 8)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(col), _mm512_castsi512_si256(columns.k[0]));
  else
    for (std::size_t i = 0; i < columns.kVectors; i++) _mm512_storeu_si512(col + 16 * i, columns.k[i]);
  for (std::size_t i = 0; i < Values::kVectors; i++)
    hwy::HWY_NAMESPACE::StoreU(sorted.v[i], typename Values::D(), val + i * Values::kLanes);
}

#else

template <std::size_t N, class T>
HWY_INLINE void sort_in_registers(Column* col, T* val, std::size_t m, Column lo) {
  alignas(64) std::uint32_t keys[N];
  T values[N];
  for (std::size_t e = 0; e < m; e++) values[e] = val[e];
  make_keys<N>(col, m, lo, keys);
  sort_short<N>(keys, m, keys);
  constexpr std::uint32_t kPosition = (1U << kPositionBits<N>)-1;
  for (std::size_t e = 0; e < m; e++) {
    col[e] = static_cast<Column>(keys[e] >> kPositionBits<N>) + lo;
    val[e] = values[keys[e] & kPosition];
  }
}

#endif

/// A row of C whose columns are not sorted yet.
template <class T>
struct UnsortedRow {
  Column* col;
  T* val;
  std::int64_t nnz;
  const ColumnPositions::Position* position;  // of the columns, from `lo` on
  std::int64_t begin;                         // the row's first position
  Column lo;
};

/// Brings its columns in order, and its values with them. `old` has room for nnz values. Up to kWriteSlack entries
/// behind the row may be read and written.
template <class T>
HWY_INLINE void sort_row(const UnsortedRow<T>& row, T* old, hwy::Sorter& sorter) {
  const auto m = static_cast<std::size_t>(row.nnz);
  if (m <= 8) return sort_in_registers<8>(row.col, row.val, m, row.lo);
  if (m <= 16) return sort_in_registers<16>(row.col, row.val, m, row.lo);
  if (m <= 32) return sort_in_registers<32>(row.col, row.val, m, row.lo);
  // columns alone; their values are still where their positions say
  auto* const columns = reinterpret_cast<std::uint32_t*>(row.col);
  if (m <= kMostMedium || !sort_mostly_rising(columns, m, reinterpret_cast<std::uint32_t*>(old), sorter))
    sort_columns(columns, m, sorter);
  std::copy_n(row.val, m, old);
  for (std::size_t e = 0; e < m; e++) row.val[e] = old[row.position[row.col[e] - row.lo] - row.begin];
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
