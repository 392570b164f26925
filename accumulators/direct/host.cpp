// direct on the host: copies of rows of B, each by one entry of A; or copies of rows of A, whose columns B renumbers.
// Work O(products), and no memory. Rows whose columns fall after all (unmeasured, and given like that) are sorted where
// they stand.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/direct/host.cpp"
#include <algorithm>
#include <utility>
#include <vector>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "accumulators/common/copied_row-inl.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/direct/candidate.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::direct::HWY_NAMESPACE {

template <class T>
using Ring = rowan::HWY_NAMESPACE::PlusTimes<T>;

constexpr std::int64_t kAhead = 24;  // entries of A that rows of B are prefetched ahead

/// Sorts n products by column, those of one column in the order that they have, and sums these; returns the entries.
template <class T>
std::int64_t sort_and_sum(Column* col, T* val, std::int64_t n) {
  std::vector<std::pair<Column, T>> products(static_cast<std::size_t>(n));
  for (std::int64_t e = 0; e < n; e++) products[static_cast<std::size_t>(e)] = {col[e], val[e]};
  std::ranges::stable_sort(products, {}, &std::pair<Column, T>::first);
  std::int64_t last = -1;
  for (const auto& [column, product] : products) {
    if (last >= 0 && col[last] == column)
      val[last] = Ring<T>::add(val[last], product);
    else
      last++, col[last] = column, val[last] = product;
  }
  return last + 1;
}

/// Rows of A have at most one entry.
template <class T>
std::int64_t copy_rows_of_b(const NumericTask<T>& t) {
  const Operand<T> a = t.a, b = t.b;
  const bool far = is_far(b, t.extent), behind = !t.streamed;
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    t.nnz[i] = 0;
    if (a.length(i) == 0) continue;
    const std::int64_t e = a.ptr[i], j = a.col[e];
    std::int64_t n = b.length(j);
    if (far) prefetch_b(a, b, e, kAhead);
    if (!rowan::HWY_NAMESPACE::copy_scaled(b, b.ptr[j], n, a.val[e], behind, t.col + k, t.val + k))
      n = sort_and_sum(t.col + k, t.val + k, n);
    t.nnz[i] = static_cast<Offset>(n), k += n;
  }
  return k;
}

/// B's rows of at most one entry, by number.
template <class T>
class SingleRows {
 public:
  explicit SingleRows(const Operand<T>& b) : b_(b), last_(b.nnz() - 1), full_(b.nnz() == b.rows) {}
  /// Whether every row has its entry: then row j has entry j.
  [[nodiscard]] bool full() const { return full_; }
  /// Any entry where row j has none.
  template <bool Full>
  [[nodiscard]] std::int64_t entry(std::int64_t j) const {
    return Full ? j : std::min<std::int64_t>(b_.ptr[j], last_);
  }
  template <bool Full>
  [[nodiscard]] bool has(std::int64_t j) const {
    return Full || b_.length(j) != 0;
  }

 private:
  Operand<T> b_;
  std::int64_t last_;
  bool full_;
};

/// C's row i, summing neighbours of one column as they come. No branch depends on an entry.
template <bool Full, class T>
std::int64_t renumber_row(const Operand<T>& a, const Operand<T>& b, const SingleRows<T>& single, std::int64_t i,
                          Column* col, T* val) {
  std::int64_t n = 0;
  Column before = -1;
  T sum = Ring<T>::zero();
  bool falls = false;
  for (std::int64_t e = a.ptr[i], end = a.ptr[i + 1]; e < end; e++) {
    const std::int64_t j = a.col[e], at = single.template entry<Full>(j);
    const bool has = single.template has<Full>(j);
    const Column column = has ? b.col[at] : before;
    const bool fresh = column != before;
    const T x = a.val[e], y = b.val[at], summed = Ring<T>::add(fresh ? Ring<T>::zero() : sum, Ring<T>::multiply(x, y));
    sum = has ? summed : sum;
    falls |= column < before;
    n += fresh ? 1 : 0;
    before = column;
    const std::int64_t last = std::max<std::int64_t>(n, 1) - 1;
    col[last] = column, val[last] = sum;
  }
  if (!falls) return n;
  n = 0;
  for (std::int64_t e = a.ptr[i], end = a.ptr[i + 1]; e < end; e++) {
    const std::int64_t j = a.col[e], at = single.template entry<Full>(j);
    if (single.template has<Full>(j))
      col[n] = b.col[at], val[n++] = rowan::HWY_NAMESPACE::first_product(a.val[e], b.val[at]);
  }
  return sort_and_sum(col, val, n);
}

/// Whether columns rise strictly in each of rows [first, last), which stand one after another at `col`.
bool all_rise(const Pattern& a, std::int64_t first, std::int64_t last, const Column* col) {
  const std::int64_t begin = a.ptr[first], n = a.ptr[last] - begin;
  std::int64_t falls = 0, between_rows = 0;
  for (std::int64_t e = 1; e < n; e++) falls += col[e] <= col[e - 1] ? 1 : 0;
  for (std::int64_t i = first + 1; i < last; i++) {
    const std::int64_t e = a.ptr[i] - begin;
    const bool border = a.length(i) != 0 && e != 0;
    between_rows += border && col[e] <= col[e - 1] ? 1 : 0;
  }
  return falls == between_rows;
}

/// Rows of B have at most one entry. Where all have, in different columns, each of A's entries is first taken for an
/// entry of C, whatever row it is in: branches on the ends of short rows take as long as their entries.
template <class T>
std::int64_t copy_rows_of_a(const NumericTask<T>& t) {
  const Operand<T> a = t.a, b = t.b;
  const SingleRows<T> single(b);
  if (single.full() && t.extent.single_b == SingleEntries::rise) {
    const std::int64_t begin = a.ptr[t.first], n = a.ptr[t.last] - begin;
    if (b.cols == b.rows)  // a diagonal
      std::copy_n(a.col + begin, n, t.col);
    else
      for (std::int64_t e = 0; e < n; e++) t.col[e] = b.col[a.col[begin + e]];
    for (std::int64_t e = 0; e < n; e++)
      t.val[e] = rowan::HWY_NAMESPACE::first_product(a.val[begin + e], b.val[a.col[begin + e]]);
    if (all_rise(a, t.first, t.last, t.col)) {
      for (std::int64_t i = t.first; i < t.last; i++) t.nnz[i] = static_cast<Offset>(a.length(i));
      return n;
    }
  }
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    const std::int64_t n = single.full() ? renumber_row<true>(a, b, single, i, t.col + k, t.val + k)
                                         : renumber_row<false>(a, b, single, i, t.col + k, t.val + k);
    t.nnz[i] = static_cast<Offset>(n), k += n;
  }
  return k;
}

template <class T>
std::int64_t scaled_copies(const NumericTask<T>& t) {
  return t.extent.a_nnz_max <= 1 ? copy_rows_of_b(t) : copy_rows_of_a(t);
}
ROWAN_KERNELS(Numeric, scaled_copies, NumericTask)

}  // namespace rowan::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::direct {
namespace {

/// The distinct columns of row i's products.
Offset count_products(const Pattern& a, const Pattern& b, std::int64_t i) {
  Offset n = 0;
  Column before = -1;
  bool falls = false;
  for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++)
    for (std::int64_t l = b.ptr[a.col[e]]; l < b.ptr[a.col[e] + 1]; l++)
      n = static_cast<Offset>(n + (b.col[l] != before ? 1 : 0)), falls |= b.col[l] < before, before = b.col[l];
  if (!falls) return n;
  std::vector<Column> columns;
  for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++)
    columns.insert(columns.end(), b.col + b.ptr[a.col[e]], b.col + b.ptr[a.col[e] + 1]);
  std::ranges::sort(columns);
  return static_cast<Offset>(std::unique(columns.begin(), columns.end()) - columns.begin());
}

}  // namespace

ScratchBytes scratch(const Extent& /*extent*/, std::size_t /*value_bytes*/) {
  return {};
}

void symbolic(const SymbolicTask& t) {
  for (std::int64_t i = t.first; i < t.last; i++)
    t.nnz[i] = t.extent.a_nnz_max <= 1 && t.extent.sorted_b ? t.rows[i].nprod : count_products(t.a, t.b, i);
}

ROWAN_DISPATCH(std::int64_t, numeric, Numeric, NumericTask)

}  // namespace rowan::direct
#endif
