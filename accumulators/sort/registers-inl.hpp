// Rows of products sorted and summed within AVX-512 registers, several rows a step: each step of a network waits for
// the one before, and a core looks only so far ahead (rows of 12 products on Zen 5: 37 ns one after another, 32 four at
// a time; of 20: 80 and 60 two at a time). (Included inside foreach_target.)
#if defined(ROWAN_SORT_REGISTERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_SORT_REGISTERS_INL
#undef ROWAN_SORT_REGISTERS_INL
#else
#define ROWAN_SORT_REGISTERS_INL
#endif

#include <bit>

#include "accumulators/common/compress-inl.hpp"
#include "accumulators/common/short_rows-inl.hpp"

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace rowan::sort::HWY_NAMESPACE {
using namespace rowan::HWY_NAMESPACE;

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

/// How many products a column of a row has at most, guessed from the rows before so that one row of sixteen has more:
/// a loop up to the guess has no branch that a row decides. Where columns fall together at random, every row's own
/// limit is one the core does not predict.
class StepGuess {
 public:
  [[nodiscard]] HWY_INLINE int steps() const { return static_cast<int>(level_ / kUnit); }
  /// Whether a row needed more.
  HWY_INLINE void saw(bool more) { level_ += more ? kUnit - 1 : (level_ > 0 ? -1 : 0); }

 private:
  static constexpr std::uint32_t kUnit = 128;
  std::uint32_t level_ = kUnit;
};

/// A row, or a pair of rows, whose columns are sorted, and its products with them.
template <std::size_t N, class T>
struct SortedRow {
  ShortKeys<N> columns;
  ShortValues<T, N> products;
  std::uint32_t head, valid;  // lanes of each column's first product; of all
};

[[nodiscard]] HWY_INLINE std::uint32_t first_lanes(std::size_t n) {
  return _bzhi_u32(~0U, static_cast<unsigned>(n));
}

/// Each column's sum to the lane of its first product.
template <std::size_t N, std::size_t Rows, class T>
HWY_INLINE void sum_up(SortedRow<N, T> (&rows)[Rows], StepGuess& guess) {
  namespace hn = hwy::HWY_NAMESPACE;
  using Values = ShortValues<T, N>;
  const typename Values::D d;
  Values next[Rows];
  std::uint32_t rest[Rows], more[Rows];  // heads that have another product
  for (std::size_t r = 0; r < Rows; r++) {
    next[r] = rows[r].products;
    rest[r] = rows[r].valid & ~rows[r].head;
    more[r] = rows[r].head & rest[r] >> 1;
  }
  int distance = 2;
  const auto step = [&]() HWY_ATTR {
    for (std::size_t r = 0; r < Rows; r++) {
      move_down(next[r]);
      for (std::size_t e = 0; e < Values::kVectors; e++) {
        using Lanes = decltype(hn::Mask<typename Values::D>().raw);
        const hn::Mask<typename Values::D> of_vector{static_cast<Lanes>(more[r] >> (e * Values::kLanes))};
        auto& sum = rows[r].products.v[e];
        sum = hn::IfThenElse(of_vector, rowan::HWY_NAMESPACE::PlusTimes<T>::add(sum, next[r].v[e]), sum);
      }
      more[r] &= rest[r] >> distance;
    }
    distance++;
  };
  const auto any_more = [&] {
    std::uint32_t any = more[0];
    for (std::size_t r = 1; r < Rows; r++) any |= more[r];
    return any != 0;
  };
  for (int s = guess.steps(); s > 0; s--) step();
  guess.saw(any_more());
  while (HWY_UNLIKELY(any_more())) step();
}

/// Columns and sums of one row side by side at `col` and `val`; returns how many. What lies behind them, up to N, is
/// written over.
template <std::size_t N, class T>
HWY_INLINE std::int64_t store(const SortedRow<N, T>& row, Column* col, T* val) {
  using Values = ShortValues<T, N>;
  for (std::size_t e = 0; e < ShortKeys<N>::kVectors; e++) {
    col += compress_to(row.head >> (16 * e) & 0xffff, row.columns.k[e], col);
  }
  constexpr std::uint32_t kAll = Values::kLanes == 8 ? 0xff : 0xffff;
  for (std::size_t e = 0; e < Values::kVectors; e++) {
    val += compress_to(row.head >> (e * Values::kLanes) & kAll, row.products.v[e].raw, val);
  }
  return std::popcount(row.head);
}

/// Rows of up to N products each.
template <std::size_t N, std::size_t Rows, class T>
HWY_INLINE void sort_rows(const ShortColumns (&of)[Rows], const T* const (&products)[Rows], StepGuess& guess,
                          SortedRow<N, T> (&rows)[Rows]) {
  ShortKeys<N> keys[Rows];
  sort_keys<N>(of, keys);
  for (std::size_t r = 0; r < Rows; r++) {
    rows[r].products = values_of<N>(products[r], keys[r]);
    const ShortKeys<N> c = rows[r].columns = columns_of(keys[r], of[r].lo);
    rows[r].valid = first_lanes(of[r].n);
    const __m512i before = _mm512_alignr_epi32(c.k[0], _mm512_set1_epi32(-1), 15);
    std::uint32_t head = _mm512_cmpneq_epu32_mask(c.k[0], before);
    if constexpr (N == 32)
      head |= static_cast<std::uint32_t>(_mm512_cmpneq_epu32_mask(c.k[1], _mm512_alignr_epi32(c.k[1], c.k[0], 15)))
              << 16;
    rows[r].head = head & rows[r].valid;
  }
  sum_up(rows, guess);
}

/// The keys of two rows of up to eight products, one behind the other, in one vector.
HWY_INLINE __m512i keys_of_pair(const ShortColumns& first, const ShortColumns& second, __m512i base) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto load = [](const void* p) HWY_ATTR { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); };
  const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(load(first.col)), load(second.col), 1);
  const __m512i position =
      _mm512_and_epi32(hn::Load(hn::Full512<std::uint32_t>(), kPositions).raw, _mm512_set1_epi32(7));
  return _mm512_or_epi32(_mm512_slli_epi32(_mm512_sub_epi32(both, base), 3), position);
}

/// Their products in the keys' order.
HWY_INLINE ShortValues<double, 16> values_of_pair(__m512i keys, const double* first, const double* second) {
  ShortValues<double, 16> values;
  const ShortKeys<16> sorted{{keys}};
  values.v[0].raw = _mm512_permutexvar_pd(eight_keys(sorted, 0), _mm512_loadu_pd(first));
  values.v[1].raw = _mm512_permutexvar_pd(eight_keys(sorted, 1), _mm512_loadu_pd(second));
  return values;
}
HWY_INLINE ShortValues<float, 16> values_of_pair(__m512i keys, const float* first, const float* second) {
  const __m512i position = _mm512_and_epi32(keys, _mm512_set1_epi32(7));
  const __m512i at = _mm512_mask_or_epi32(position, 0xff00, position, _mm512_set1_epi32(8));
  const auto low = _mm256_castps_si256(_mm256_loadu_ps(first)), high = _mm256_castps_si256(_mm256_loadu_ps(second));
  ShortValues<float, 16> values;
  values.v[0].raw =
      _mm512_permutexvar_ps(at, _mm512_castsi512_ps(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1)));
  return values;
}

/// Pairs of rows of up to eight products each, a pair a vector: rows 2 p and 2 p + 1 are pair p.
template <std::size_t Pairs, class T>
HWY_INLINE void sort_pairs(const ShortColumns (&of)[2 * Pairs], const T* const (&products)[2 * Pairs], StepGuess& guess,
                           SortedRow<16, T> (&rows)[Pairs]) {
  using Sort = ShortSort<16, 16>;
  __m512i base[Pairs];
  typename Sort::V v[Pairs];
  for (std::size_t p = 0; p < Pairs; p++) {
    const ShortColumns &first = of[2 * p], &second = of[2 * p + 1];
    base[p] = _mm512_mask_mov_epi32(_mm512_set1_epi32(first.lo), 0xff00, _mm512_set1_epi32(second.lo));
    rows[p].valid = first_lanes(first.n) | first_lanes(second.n) << 8;
    v[p].raw = _mm512_mask_mov_epi32(_mm512_set1_epi32(-1), static_cast<__mmask16>(rows[p].valid),
                                     keys_of_pair(first, second, base[p]));
  }
  Sort::template sort_eights<Pairs>(v);
  for (std::size_t p = 0; p < Pairs; p++) {
    const __m512i c = rows[p].columns.k[0] = _mm512_add_epi32(_mm512_srli_epi32(v[p].raw, 3), base[p]);
    rows[p].head = (_mm512_cmpneq_epu32_mask(c, _mm512_alignr_epi32(c, c, 15)) | 0x0101U) & rows[p].valid;
    rows[p].products = values_of_pair(v[p].raw, products[2 * p], products[2 * p + 1]);
  }
  sum_up(rows, guess);
}

}  // namespace rowan::sort::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
