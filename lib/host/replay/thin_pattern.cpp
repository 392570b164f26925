// C's columns row by row, as dense-spa finds them, without values: a column's marker is its row's number. Distinct
// columns alone are sorted, within registers up to 64 of them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/replay/thin_pattern.cpp"
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>

#include "accumulators/common/places.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/common/short_sort-inl.hpp"
#include "lib/host/replay/thin_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

namespace kn = rowan::HWY_NAMESPACE;

constexpr std::int64_t kAhead = 12;  // entries of A that rows of B are prefetched ahead

/// The distinct columns of one row, in the order in which they are met; returns how many they are.
HWY_INLINE std::int64_t distinct_columns(const Pattern& a, const Pattern& b, std::int64_t i, bool far,
                                         Places::Place* places, std::int64_t begin, Column* col) {
  std::int64_t n = 0;
  for (std::int64_t k = a.ptr[i], end = a.ptr[i + 1]; k < end; k++) {
    if (far) prefetch_b(a, b, k, kAhead);
    const std::int64_t row = a.col[k];
    for (std::int64_t l = b.ptr[row], last = b.ptr[row + 1]; l < last; l++) {
      const Column column = b.col[l];
      if (places[column] >= begin) continue;
      places[column] = static_cast<Places::Place>(begin);
      col[n++] = column;
    }
  }
  return n;
}

/// Sorts m columns where they stand; up to kThinSlack behind them are written over.
HWY_INLINE void sort_columns(Column* col, std::size_t m, hwy::Sorter& sorter) {
  auto* const columns = reinterpret_cast<std::uint32_t*>(col);
  if (m <= 8) return kn::sort_short<8>(columns, m, columns);
  if (m <= 16) return kn::sort_short<16>(columns, m, columns);
  if (m <= 32) return kn::sort_short<32>(columns, m, columns);
  if (m <= 64) return kn::sort_short<64>(columns, m, columns);
  sorter(columns, m, hwy::SortAscending());
}

std::int64_t PatternOfRows(const ThinPatternTask& t) {
  const Pattern a = t.a, b = t.b;
  Places places(t.places, b.cols);
  hwy::Sorter sorter;
  const bool far = is_far(b);
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    const std::int64_t begin = places.begin_row(1);
    const std::int64_t n = distinct_columns(a, b, i, far, places.of_column(), begin, t.col + k);
    places.end_row(1);
    sort_columns(t.col + k, static_cast<std::size_t>(n), sorter);
    t.nnz[i] = static_cast<Offset>(n);
    k += n;
  }
  return k;
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
