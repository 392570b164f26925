// direct-shift. Consecutive rows whose products are those of the row before moved by one column (grids): where each
// product goes is the same for all of them, so it is found once (recipe.hpp), and a vector holds one entry of C for
// several rows. No table, no bitmap, no branch on a column. A's and B's values are transposed first, so that one entry
// of neighbouring rows is one load; rows of B that several entries meet are transposed once. Work O(products / lanes +
// entries of C + entries of the rows of B) a row.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/direct/shift.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "accumulators/common/transpose-inl.hpp"
#include "accumulators/direct/candidate.hpp"
#include "accumulators/direct/recipe.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/plus_times-inl.hpp"
#include "lib/core/stream-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::direct::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using rowan::HWY_NAMESPACE::transpose_tile;

/// Transposed values of kTile rows: one entry of all rows, then the next.
template <class T>
struct ShiftTile {
  T *a, *b, *c;
};

/// C's entries of V vectors of rows, from the tile's row `row` on, entry by entry.
template <std::size_t V, class T>
HWY_INLINE void sum_rows(const Recipe& recipe, const ShiftTile<T>& tile, std::int64_t row) {
  const HWY_CAPPED(T, kTile) d;
  const std::size_t lanes = hn::Lanes(d);
  const T *a = tile.a + row, *b = tile.b + row;
  T* c = tile.c + row;
  using Ring = rowan::HWY_NAMESPACE::PlusTimes<T>;
  std::uint32_t s = 0;
  for (const std::uint32_t end : recipe.end) {
    hn::Vec<decltype(d)> sum[V];
    for (std::size_t v = 0; v < V; v++) sum[v] = Ring::zero(d);
    for (; s < end; s++) {
      const auto [at_a, at_b] = recipe.products[s];
      for (std::size_t v = 0; v < V; v++)
        sum[v] =
            Ring::add(sum[v], Ring::multiply(hn::LoadU(d, a + at_a + v * lanes), hn::LoadU(d, b + at_b + v * lanes)));
    }
    for (std::size_t v = 0; v < V; v++) hn::StoreU(sum[v], d, c + v * lanes);
    c += kTile;
  }
}

/// Zeros for `rows` rows behind a transposed tile's last. What was left there may be subnormal numbers, with which some
/// processors are a hundred times slower. (All of a tile once a task was a tenth of stencil27.)
template <class T>
HWY_INLINE void clear(T* behind, std::int64_t entries, std::int64_t stride, std::int64_t rows) {
  if (rows == 0) return;
  for (std::int64_t e = 0; e < entries; e++) std::fill_n(behind + e * stride, rows, T{0});
}

/// The columns of `rows` rows of C, moved by `moved` for the first and by one more for each next. A vector
/// behind the last row is written over.
HWY_INLINE void move_columns(const Column* of_first, std::int64_t n, std::int64_t rows, Column moved, Column* col) {
  const hn::CappedTag<Column, 16> d;
  for (std::int64_t r = 0; r < rows; r++, col += n) {
    const auto by = hn::Set(d, moved + static_cast<Column>(r));
    for (std::int64_t k = 0; k < n; k += static_cast<std::int64_t>(hn::Lanes(d)))
      hn::StoreU(hn::Add(hn::LoadU(d, of_first + k), by), d, col + k);
  }
}

/// Rows i .. i + rows of C, at most kTile of them, by the recipe of a row elsewhere.
template <class T>
HWY_INLINE void multiply_tile(const NumericTask<T>& t, const Recipe& recipe, const ShiftTile<T>& tile, std::int64_t i,
                              std::int64_t rows, RecipeShift offset, Column* col, T* val) {
  const std::int64_t m = t.a.length(i);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(HWY_CAPPED(T, kTile)()));
  const std::int64_t behind = (lanes - rows % lanes) % lanes;  // rows that are summed, too, but not read
  transpose_tile(t.a.val + t.a.ptr[i], rows, m, m, tile.a, kTile);
  clear(tile.a + rows, m, kTile, behind);
  for (const TransposedRows& block : recipe.b_rows) {
    const std::int64_t j = block.first + offset.rows, n = t.b.length(j);
    hwy::Prefetch(t.b.ptr + std::min(j + rows, t.b.rows));  // the next tile's, which no core predicts
    const T* const values = t.b.val + t.b.ptr[j];
    if (&block == &recipe.b_rows.back()) {
      const std::int64_t behind_tile = std::min(rows * n, t.b.nnz() - t.b.ptr[j] - rows * n);
      for (std::int64_t e = 0; e < behind_tile; e += rowan::HWY_NAMESPACE::kLine<T>)
        hwy::Prefetch(values + rows * n + e);
    }
    transpose_tile(values, rows + block.extra, n, n, tile.b + block.base, kStride);
    clear(tile.b + block.base + rows + block.extra, n, kStride, behind);
  }
  for (std::int64_t row = 0; row < rows;) {
    const std::int64_t left = (rows - row + lanes - 1) / lanes;
    if (left >= 4)
      sum_rows<4>(recipe, tile, row), row += 4 * lanes;
    else if (left >= 2)
      sum_rows<2>(recipe, tile, row), row += 2 * lanes;
    else
      sum_rows<1>(recipe, tile, row), row += lanes;
  }
  const auto n = static_cast<std::int64_t>(recipe.col.size());
  transpose_tile(tile.c, n, kTile, rows, val, n);
  if (col != nullptr) move_columns(recipe.col.data(), n, rows, offset.columns, col);
}

template <class T>
std::int64_t shift_rows(const NumericTask<T>& t) {
  const ShiftLayout layout(t.extent, sizeof(T));
  ShiftTile<T> tile;
  tile.a = reinterpret_cast<T*>(t.scratch.plain);
  tile.b = reinterpret_cast<T*>(t.scratch.plain + layout.transposed_a);
  tile.c = reinterpret_cast<T*>(t.scratch.plain + layout.transposed_a + layout.transposed_b);
  std::byte* const out = t.scratch.plain + layout.transposed_a + layout.transposed_b + layout.transposed_c;
  rowan::HWY_NAMESPACE::LineWriter<T> val(t.val, reinterpret_cast<T*>(out));
  rowan::HWY_NAMESPACE::LineWriter<Column> col(t.col, reinterpret_cast<Column*>(out + layout.out_val));
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last;) {
    const std::int64_t end = end_of_shifts(t.rows, i, t.last);
    auto [recipe, offset] = find_recipe(t, layout, i);
    const auto n = static_cast<std::int64_t>(recipe.col.size());
    while (i < end) {
      const std::int64_t rows = std::min(kTile, end - i);
      Column* const to_col = t.col == nullptr ? nullptr : t.streamed ? col.next() : t.col + k;
      multiply_tile(t, recipe, tile, i, rows, offset, to_col, t.streamed ? val.next() : t.val + k);
      if (t.streamed) val.wrote(rows * n);
      if (t.streamed && t.col != nullptr) col.wrote(rows * n);
      if (t.nnz != nullptr) std::fill(t.nnz + i, t.nnz + i + rows, static_cast<Offset>(n));
      offset.rows += rows, offset.columns += static_cast<Column>(rows);
      i += rows, k += rows * n;
    }
  }
  if (t.streamed) {
    val.finish(), col.finish();
    hwy::FlushStream();  // other threads read what was streamed
  }
  return k;
}
ROWAN_KERNELS(ShiftNumeric, shift_rows, NumericTask)

}  // namespace rowan::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::direct {

ROWAN_DISPATCH(std::int64_t, shift_numeric, ShiftNumeric, NumericTask)

ScratchBytes shift_scratch(const Extent& extent, std::size_t value_bytes) {
  return ShiftLayout(extent, value_bytes).total();
}

// Each run's first row is counted.
void shift_symbolic(const SymbolicTask& t) {
  constexpr std::size_t kNoValues = 0;  // are read or written here
  const ShiftLayout layout(t.extent, kNoValues);
  for (std::int64_t i = t.first; i < t.last;) {
    const std::int64_t end = end_of_shifts(t.rows, i, t.last);
    std::fill(t.nnz + i, t.nnz + end, static_cast<Offset>(find_recipe(t, layout, i).recipe.col.size()));
    i = end;
  }
}

}  // namespace rowan::direct
#endif
