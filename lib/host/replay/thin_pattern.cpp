// C's columns row by row, as dense-spa finds them, without values: a column's marker is the number of its sum. Distinct
// columns alone are sorted, within registers up to 32 of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/replay/thin_pattern.cpp"
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>

#include "accumulators/common/places.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/common/short_rows-inl.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/host/replay/thin_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

namespace kn = rowan::HWY_NAMESPACE;

constexpr std::int64_t kAhead = 12;  // entries of A that rows of B are prefetched ahead

/// The distinct columns of one row, in the order in which they are met, and the sum of each product, the row's first
/// being `base`. Returns the columns.
template <bool Positions>
HWY_INLINE std::int64_t distinct_columns(const Pattern& a, const Pattern& b, std::int64_t i, bool far,
                                         Places::Place* places, std::int64_t begin, Column* col, std::int64_t base,
                                         ThinPosition*& position_of) {
  std::int64_t n = 0;
  ThinPosition* position = position_of;
  for (std::int64_t k = a.ptr[i], end = a.ptr[i + 1]; k < end; k++) {
    if (far) prefetch_b(a, b, k, kAhead);
    const std::int64_t row = a.col[k];
    for (std::int64_t l = b.ptr[row], last = b.ptr[row + 1]; l < last; l++) {
      const Column column = b.col[l];
      std::int64_t at = places[column] - begin;
      if (at < 0) {
        at = n++;
        places[column] = static_cast<Places::Place>(begin + at);
        col[at] = column;
      }
      if constexpr (Positions) *position++ = static_cast<ThinPosition>(base + at);
    }
  }
  position_of = position;
  return n;
}

/// Sorts m columns, N at most, where they stand; sum_of[e], if wanted, gets base + the place where column e stood.
template <std::size_t N, bool Positions>
HWY_INLINE void sort_short_row(Column* col, std::size_t m, std::int64_t base, ThinPosition* sum_of) {
  alignas(64) std::uint32_t keys[N];
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const kn::ShortKeys<N> sorted = kn::sorted_keys<N>(col, m, 0);
  if constexpr (N == 8)
    _mm256_store_si256(reinterpret_cast<__m256i*>(keys), _mm512_castsi512_si256(sorted.k[0]));
  else
    for (std::size_t e = 0; e < sorted.kVectors; e++) _mm512_store_si512(keys + 16 * e, sorted.k[e]);
#else
  kn::make_keys<N>(col, m, 0, keys);
  kn::sort_short<N>(keys, m, keys);
#endif
  constexpr std::uint32_t kPosition = (1U << kn::kPositionBits<N>)-1;
  // all N of them: the steps are vectors, and what lies behind is slack
  for (std::size_t e = 0; e < N; e++) col[e] = static_cast<Column>(keys[e] >> kn::kPositionBits<N>);
  if constexpr (Positions)
    for (std::size_t e = 0; e < N; e++) sum_of[e] = static_cast<ThinPosition>(base + (keys[e] & kPosition));
}

template <bool Positions>
HWY_INLINE void sort_columns(Column* col, std::size_t m, const Places::Place* places, std::int64_t begin,
                             std::int64_t base, ThinPosition* sum_of, hwy::Sorter& sorter) {
  if (m <= 8) return sort_short_row<8, Positions>(col, m, base, sum_of);
  if (m <= 16) return sort_short_row<16, Positions>(col, m, base, sum_of);
  if (m <= 32) return sort_short_row<32, Positions>(col, m, base, sum_of);
  auto* const columns = reinterpret_cast<std::uint32_t*>(col);
  if (m <= 64)
    kn::sort_short<64>(columns, m, columns);
  else
    sorter(columns, m, hwy::SortAscending());
  if constexpr (Positions)
    for (std::size_t e = 0; e < m; e++) sum_of[e] = static_cast<ThinPosition>(base + places[col[e]] - begin);
}

template <bool Positions>
std::int64_t pattern_of_rows(const ThinPatternTask& t) {
  const Pattern a = t.a, b = t.b;
  Places places(t.places, b.cols);
  ThinPosition* position_of = t.position_of;
  hwy::Sorter sorter;
  const bool far = is_far(b);
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    const std::int64_t begin = places.begin_row(b.cols);
    const std::int64_t n =
        distinct_columns<Positions>(a, b, i, far, places.of_column(), begin, t.col + k, k, position_of);
    places.end_row(n);
    sort_columns<Positions>(t.col + k, static_cast<std::size_t>(n), places.of_column(), begin, k,
                            Positions ? t.sum_of + k : nullptr, sorter);
    t.nnz[i] = static_cast<Offset>(n);
    k += n;
  }
  return k;
}

std::int64_t PatternOfRows(const ThinPatternTask& t) {
  return t.position_of != nullptr ? pattern_of_rows<true>(t) : pattern_of_rows<false>(t);
}

}  // namespace rowan::replay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::replay {

HWY_EXPORT(PatternOfRows);
std::int64_t thin_pattern(const ThinPatternTask& task) {
  return HWY_DYNAMIC_DISPATCH(PatternOfRows)(task);
}

std::size_t thin_place_bytes(std::int64_t cols) noexcept {
  return Places::bytes(cols);
}

}  // namespace rowan::replay
#endif
