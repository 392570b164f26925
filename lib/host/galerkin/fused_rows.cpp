#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/galerkin/fused_rows.cpp"
#include "lib/host/galerkin/fused_rows.hpp"

#include <hwy/foreach_target.h>

#include "accumulators/common/short_rows-inl.hpp"
#include "accumulators/common/unsorted_row-inl.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::fused::HWY_NAMESPACE {
using namespace rowan::HWY_NAMESPACE;

/// Rows of A·P, found or made.
template <class T>
class Middle {
 public:
  using Row = typename MiddleRows<T>::Row;
  explicit Middle(const FusedTask<T>& t)
      : task_{t.a, t.p, 0},
        rows_(t.middle),
        positions_(t.positions_of_middle, t.p.cols),
        longest_(t.longest_middle),
        most_ahead_(t.most_ahead),
        next_(t.first < t.last && t.r.length(t.first) != 0 ? t.r.col[t.r.ptr[t.first]] : 0),
        made_(t.counts.rows_made) {}

  /// Those that row i of R needs are made in order.
  HWY_INLINE void make_for(const Operand<T>& r, std::int64_t i) {
    if (r.length(i) == 0) return;
    const std::int64_t last = r.col[r.ptr[i + 1] - 1];
    if (last - next_ >= most_ahead_) return;
    for (; next_ <= last; next_++)
      if (!rows_.has(next_)) make(next_);
  }
  HWY_INLINE Row of(std::int64_t i) {
    if (HWY_UNLIKELY(!rows_.has(i))) make(i);
    return rows_.row(i);
  }

 private:
  HWY_NOINLINE void make(std::int64_t i) {
    const std::int64_t begin = positions_.begin_row(longest_);
    const auto place = rows_.place();
    const std::int64_t n = add_up_row<false, true>(task_, i, 0, positions_.of_column(), begin, place.col, place.val);
    positions_.end_row(n);
    rows_.keep(i, n);
    made_++;
  }

  UnsortedTask<T> task_;
  MiddleRows<T>& rows_;
  ColumnPositions positions_;
  std::int64_t longest_, most_ahead_;
  std::int64_t next_;  // row of A·P
  std::int64_t& made_;
};

/// Adds x times a row of A·P to the n entries of a row of C; returns its entries then.
template <class T>
HWY_INLINE std::int64_t add_scaled(T x, const typename MiddleRows<T>::Row& row, ColumnPositions::Position* positions,
                                   std::int64_t begin, std::int64_t n, Column* col, T* val) {
  using Ring = rowan::HWY_NAMESPACE::PlusTimes<T>;
  for (std::int64_t l = 0; l < row.nnz; l++)
    add_up(row.col[l], Ring::multiply(x, row.val[l]), positions[row.col[l]], begin, n, col, val);
  return n;
}

template <class T>
std::int64_t rows_of(const FusedTask<T>& t) {
  const Operand<T> r = t.r;
  Middle<T> middle(t);
  ColumnPositions positions(t.positions, t.p.cols);
  auto* const old = reinterpret_cast<T*>(t.old);
  hwy::Sorter sorter;
  std::int64_t k = 0, nprod = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    const std::int64_t begin = positions.begin_row(t.longest);
    std::int64_t n = 0;
    middle.make_for(r, i);
    for (std::int64_t e = r.ptr[i], end = r.ptr[i + 1]; e < end; e++) {
      const auto row = middle.of(r.col[e]);
      n = add_scaled<T>(r.val[e], row, positions.of_column(), begin, n, t.col + k, t.val + k);
      nprod += row.nnz;
    }
    positions.end_row(n);
    sort_row<T>({t.col + k, t.val + k, n, positions.of_column(), begin, 0}, old, sorter);
    t.nnz[i] = static_cast<Offset>(n);
    k += n;
  }
  t.counts.nprod += nprod;
  return k;
}

ROWAN_KERNELS(FusedRows, rows_of, FusedTask)

}  // namespace rowan::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::fused {

ROWAN_DISPATCH(std::int64_t, fused_rows, FusedRows, FusedTask)

}  // namespace rowan::fused
#endif
