// A row of C added up where it stands, in the order in which its columns are met. (Included inside foreach_target.)
#if defined(ROWAN_COMMON_UNSORTED_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_UNSORTED_ROW_INL
#undef ROWAN_COMMON_UNSORTED_ROW_INL
#else
#define ROWAN_COMMON_UNSORTED_ROW_INL
#endif

#include "accumulators/candidate.hpp"
#include "accumulators/common/positions.hpp"
#include "accumulators/common/prefetch.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

/// Entries of A that rows of B are prefetched ahead.
inline constexpr std::int64_t kRowsAhead = 12;

/// What rows are multiplied from; behind entry `prefetch_end` of A nothing is prefetched.
template <class T>
struct UnsortedTask {
  Operand<T> a, b;  // copies, so that g++ keeps their pointers in registers
  std::int64_t prefetch_end;
};
template <class T>
[[nodiscard]] HWY_INLINE UnsortedTask<T> unsorted_task(const NumericTask<T>& t) {
  return {t.a, t.b, t.a.nnz() - 2 * kRowsAhead};
}

/// Adds a product to the n entries of C's row at `col` and `val`, where its column's position says or as a new entry. A
/// branch, not a mask, for whether a column is new: where a row meets most columns again it is predicted, and code
/// without branches waits for its own stores (2.5 times as long on A P of smoothed aggregation).
template <class T>
HWY_INLINE void add_up(Column column, T product, ColumnPositions::Position& position, std::int64_t begin,
                       std::int64_t& n, Column* col, T* val) {
  using Ring = PlusTimes<T>;
  const std::int64_t at = position - begin;
  if (at < 0) {
    position = static_cast<ColumnPositions::Position>(begin + n);
    col[n] = column, val[n] = Ring::add(Ring::zero(), product);
    n++;
  } else {
    val[at] = Ring::add(val[at], product);
  }
}

/// Adds row i's products to C's row at `col` and `val`; returns its entries. `positions` are of the columns from `lo`
/// on, which is 0 if FromZero.
template <bool Far, bool FromZero, class T>
HWY_NOINLINE std::int64_t add_up_row(const UnsortedTask<T>& t, std::int64_t i, Column lo,
                                     ColumnPositions::Position* positions, std::int64_t begin, Column* col, T* val) {
  using Ring = PlusTimes<T>;
  std::int64_t n = 0;
  for (std::int64_t k = t.a.ptr[i], end = t.a.ptr[i + 1]; k < end; k++) {
    if constexpr (Far)
      if (k < t.prefetch_end) prefetch_followed(t.a, t.b, k, kRowsAhead);
    const T x = t.a.val[k];
    const std::int64_t row = t.a.col[k];
    for (std::int64_t l = t.b.ptr[row], last = t.b.ptr[row + 1]; l < last; l++) {
      const Column column = t.b.col[l];
      add_up(column, Ring::multiply(x, t.b.val[l]), positions[FromZero ? column : column - lo], begin, n, col, val);
    }
  }
  return n;
}

/// The same of products that are there already, one after another.
template <class T>
HWY_INLINE std::int64_t add_up_products(const Column* columns, const T* products, std::int64_t count, Column lo,
                                        ColumnPositions::Position* positions, std::int64_t begin, Column* col, T* val) {
  std::int64_t n = 0;
  for (std::int64_t e = 0; e < count; e++)
    add_up(columns[e], products[e], positions[columns[e] - lo], begin, n, col, val);
  return n;
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
