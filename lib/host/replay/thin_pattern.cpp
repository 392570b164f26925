// C's columns row by row, as dense-spa finds them, without values: a column's marker is its row's number. Distinct
// columns alone are sorted, within registers up to 64 of them. Or all columns of short rows are sorted, and duplicates
// dropped.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/replay/thin_pattern.cpp"
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>

#include "accumulators/common/compress-inl.hpp"
#include "accumulators/common/positions.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/common/short_sort-inl.hpp"
#include "lib/host/replay/thin_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

namespace kn = rowan::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t kAhead = 12;  // entries of A that rows of B are prefetched ahead

/// The distinct columns of one row, in the order in which they are met; returns how many they are.
HWY_INLINE std::int64_t distinct_columns(const Pattern& a, const Pattern& b, std::int64_t i, bool far,
                                         ColumnPositions::Position* positions, std::int64_t begin, Column* col) {
  std::int64_t n = 0;
  for (std::int64_t k = a.ptr[i], end = a.ptr[i + 1]; k < end; k++) {
    if (far) prefetch_b(a, b, k, kAhead);
    const std::int64_t row = a.col[k];
    for (std::int64_t l = b.ptr[row], last = b.ptr[row + 1]; l < last; l++) {
      const Column column = b.col[l];
      if (positions[column] >= begin) continue;
      positions[column] = static_cast<ColumnPositions::Position>(begin);
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
  kn::sort_columns(columns, m, sorter);
}

/// Each row's distinct columns by markers, then sorted.
std::int64_t by_markers(const ThinPatternTask& t) {
  const Pattern a = t.a, b = t.b;
  ColumnPositions positions(t.positions, b.cols);
  hwy::Sorter sorter;
  const bool far = is_far_away(b);
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    const std::int64_t begin = positions.begin_row(1);
    const std::int64_t n = distinct_columns(a, b, i, far, positions.of_column(), begin, t.col + k);
    positions.end_row(1);
    sort_columns(t.col + k, static_cast<std::size_t>(n), sorter);
    t.nnz[i] = static_cast<Offset>(n);
    k += n;
  }
  return k;
}

constexpr std::int64_t kListed = 1024, kListedRows = 64, kSlack = 64;
constexpr std::size_t kMostSorted = 32;  // products of a row

/// The columns of all products of a block of rows, row by row: those of row i from at[i - first] on.
struct ListedRows {
  HWY_ALIGN Column column[kListed + kSlack];
  std::int32_t at[kListedRows + 1];
  std::int64_t end;  // the first row that is not in the list

  HWY_INLINE void list(const Pattern& a, const Pattern& b, std::int64_t first, std::int64_t last) {
    const hn::CappedTag<std::uint32_t, 8> d;
    constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(d));
    const std::int64_t whole = b.nnz() - kStep;
    const bool far = is_far_away(b);
    std::int64_t n = 0;
    at[0] = 0;
    for (end = first; end < HWY_MIN(last, first + kListedRows); end++) {
      for (std::int64_t e = a.ptr[end]; e < a.ptr[end + 1]; e++) {
        if (far) prefetch_b(a, b, e, kAhead);
        const std::int64_t from = b.ptr[a.col[e]], to = b.ptr[a.col[e] + 1];
        if (HWY_UNLIKELY(n + to - from > kListed)) return;
        if (HWY_LIKELY(to <= whole)) {
          std::int64_t k = from;
          do {  // over what was too much of the row before
            hn::StoreU(hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(b.col + k)), d,
                       reinterpret_cast<std::uint32_t*>(column + n + k - from));
            k += kStep;
          } while (HWY_UNLIKELY(k < to));
        } else {
          std::copy(b.col + from, b.col + to, column + n);
        }
        n += to - from;
      }
      at[end + 1 - first] = static_cast<std::int32_t>(n);
    }
  }
};

/// Columns of n sorted ones that differ from the one before, to `out`; returns how many. One may be read before the
/// first, and up to a vector is written behind the last. (Compressed in a register with AVX-512: compressing into
/// memory, as CompressStore does, is microcode on Zen 4.)
HWY_INLINE std::int64_t without_duplicates(const std::uint32_t* sorted, std::int64_t n, Column* out) {
  const hn::CappedTag<std::uint32_t, 16> d;
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t k = 0;
  for (std::int64_t e = 0; e < n; e += kStep) {
    const auto v = hn::LoadU(d, sorted + e), before = hn::LoadU(d, sorted + e - 1);
    auto fresh = hn::Ne(v, before);
    if (e == 0) fresh = hn::Or(fresh, hn::FirstN(d, 1));
    fresh = hn::And(fresh, hn::FirstN(d, static_cast<std::size_t>(n - e)));
    auto* const to = reinterpret_cast<std::uint32_t*>(out + k);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    k += kn::compress_to(fresh.raw, v.raw, to);
#else
    k += static_cast<std::int64_t>(hn::CompressStore(v, fresh, d, to));
#endif
  }
  return k;
}

/// All columns of a block of rows are listed, then sorted row by row, then written without duplicates: no branch
/// depends on which columns are met. Rows of more than kMostSorted products by markers.
std::int64_t by_sorting(const ThinPatternTask& t) {
  ListedRows block;
  HWY_ALIGN std::uint32_t buffer[16 + kListed + kSlack];
  std::uint32_t* const sorted = buffer + 16;
  buffer[15] = 0;
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last;) {
    block.list(t.a, t.b, i, t.last);
    const auto at = [&](std::int64_t row) HWY_ATTR { return std::int64_t{block.at[row - i]}; };
    const auto* const listed = reinterpret_cast<const std::uint32_t*>(block.column);
    for (std::int64_t row = i; row < block.end; row++) {
      const auto n = static_cast<std::size_t>(at(row + 1) - at(row));
      if (n <= 8)
        kn::sort_short<8>(listed + at(row), n, sorted + at(row));
      else if (n <= 16)
        kn::sort_short<16>(listed + at(row), n, sorted + at(row));
      else if (n <= kMostSorted)
        kn::sort_short<kMostSorted>(listed + at(row), n, sorted + at(row));
    }
    const std::int64_t end = HWY_MAX(block.end, i + 1);
    for (std::int64_t row = i; row < end; row++) {
      const bool too_long = block.end == i || at(row + 1) - at(row) > static_cast<std::int64_t>(kMostSorted);
      const std::int64_t n = too_long ? by_markers({t.a, t.b, row, row + 1, t.positions, t.nnz, t.col + k})
                                      : without_duplicates(sorted + at(row), at(row + 1) - at(row), t.col + k);
      t.nnz[row] = static_cast<Offset>(n);
      k += n;
    }
    i = end;
  }
  return k;
}

std::int64_t PatternOfRows(const ThinPatternTask& t) {
  return t.by_sorting ? by_sorting(t) : by_markers(t);
}

}  // namespace rowan::replay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::replay {

HWY_EXPORT(PatternOfRows);

std::int64_t thin_pattern(const ThinPatternTask& task) {
  return HWY_DYNAMIC_DISPATCH(PatternOfRows)(task);
}

std::size_t thin_scratch_bytes(std::int64_t cols) noexcept {
  return ColumnPositions::bytes(cols);
}

}  // namespace rowan::replay
#endif
