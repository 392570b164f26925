// dense-spa. The textbook's sparse accumulator (Gilbert, Moler and Schreiber 1992), but a column's marker is where in C
// its sum stands: products are added in C itself, in no order, and only the distinct columns are sorted, with their
// values, within registers up to 32 of them. O(products + nnz log nnz) a row; scratch 4 bytes a column of the span.
// On a product of compression 3 half of sort's time went into sorting what falls together. Where columns may stand in
// any order nothing is sorted.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/dense/spa.cpp"
#include <hwy/foreach_target.h>

#include "accumulators/common/copied_row-inl.hpp"
#include "accumulators/common/short_rows-inl.hpp"
#include "accumulators/common/unsorted_row-inl.hpp"
#include "accumulators/dense/candidate.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {
using namespace rowan::HWY_NAMESPACE;

template <bool Far, bool FromZero, class T>
std::int64_t spa_rows_of(const NumericTask<T>& t) {
  ColumnPositions positions(t.scratch.persistent, t.extent.span_max);
  auto* const old = reinterpret_cast<T*>(t.scratch.plain);
  const UnsortedTask<T> task = unsorted_task(t);
  hwy::Sorter sorter;
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    // A copy of a row of B that rises: nothing is looked up, added up or sorted (a network of accounts, 85 % of whose
    // rows are such: 616 -> 413 us). Short rows entry by entry: a vector, as if it could write behind them, takes 445.
    if (const std::int64_t e = task.a.ptr[i], j = task.a.length(i) == 1 ? task.a.col[e] : -1; j >= 0)
      if (const std::int64_t n = task.b.length(j);
          copy_scaled(task.b, task.b.ptr[j], n, task.a.val[e], false, t.col + k, t.val + k)) {
        t.nnz[i] = static_cast<Offset>(n), k += n;
        continue;
      }
    const Column lo = FromZero ? 0 : t.rows[i].lo;
    const std::int64_t begin = positions.begin_row(t.extent.bound_max);
    const std::int64_t n = add_up_row<Far, FromZero>(task, i, lo, positions.of_column(), begin, t.col + k, t.val + k);
    positions.end_row(n);
    if (!t.any_order) sort_row<T>({t.col + k, t.val + k, n, positions.of_column(), begin, lo}, old, sorter);
    t.nnz[i] = static_cast<Offset>(n);
    k += n;
  }
  return k;
}

template <class T>
std::int64_t spa_rows(const NumericTask<T>& t) {
  const bool far = is_far(t.b, t.extent);
  if (t.rows == nullptr) return far ? spa_rows_of<true, true>(t) : spa_rows_of<false, true>(t);
  return far ? spa_rows_of<true, false>(t) : spa_rows_of<false, false>(t);
}
ROWAN_KERNELS(SpaNumeric, spa_rows, NumericTask)

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::dense {

ROWAN_DISPATCH(std::int64_t, spa_numeric, SpaNumeric, NumericTask)

ScratchBytes spa_scratch(const Extent& extent, std::size_t value_bytes) {
  return {.plain = static_cast<std::size_t>(extent.bound_max) * value_bytes,
          .persistent = ColumnPositions::bytes(extent.span_max)};
}

}  // namespace rowan::dense
#endif
