// Rows in order and without duplicates. Rows that already are cost one comparison an entry.
#include <algorithm>
#include <vector>

#include "lib/core/border.hpp"
#include "lib/core/prepared.hpp"
#include "lib/core/rises.hpp"
#include "lib/core/values.hpp"
#include <rowan/operations.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kCanonicalGrain = 1 << 12;

template <class T>
struct RowEntry {
  Column col;
  T val;
};

/// Sorts a row and sums what stands twice, in stored order; returns how many entries remain.
template <class T>
std::size_t tidy(std::vector<RowEntry<T>>& row) {
  std::stable_sort(row.begin(), row.end(), [](const auto& x, const auto& y) { return x.col < y.col; });
  std::size_t n = 0;
  for (std::size_t k = 0; k < row.size(); k++)
    if (n != 0 && row[n - 1].col == row[k].col)
      row[n - 1].val += row[k].val;
    else
      row[n++] = row[k];
  row.resize(n);
  return n;
}

}  // namespace

template <class T>
bool is_canonical(const CsrView<T>& view) try {
  if (view.transposed) return is_canonical(transpose_stored(view, Team()));
  for (std::int64_t i = 0; i < view.rows; i++)
    if (!rises(view.col.data() + view.row_ptr[i], view.col.data() + view.row_ptr[i + 1])) return false;
  return true;
} catch (...) {
  rethrow_as_error();
}

template <class T>
Csr<T> canonical(const CsrView<T>& view) try {
  const Team team;
  validate(view, "the matrix", team);
  Csr<T> from = copy(view);
  if (is_canonical(from)) return from;
  const auto rows = from.rows();
  const auto* ptr = from.row_ptr().data();
  Array<std::int64_t> kept(rows + 1);
  Column* col = const_cast<Column*>(from.col().data());  // `from` is ours alone
  T* val = from.val().data();
  team.for_blocks(rows, kCanonicalGrain, [&](std::int64_t first, std::int64_t last) {
    std::vector<RowEntry<T>> row;
    for (std::int64_t i = first; i < last; i++) {
      const auto n = static_cast<std::size_t>(ptr[i + 1] - ptr[i]);
      Column* c = col + ptr[i];
      T* v = val + ptr[i];
      kept[i + 1] = static_cast<std::int64_t>(n);
      if (rises(c, c + n)) continue;
      row.resize(n);
      for (std::size_t k = 0; k < n; k++) row[k] = {c[k], v[k]};
      const std::size_t m = tidy(row);
      for (std::size_t k = 0; k < m; k++) c[k] = row[k].col, v[k] = row[k].val;
      kept[i + 1] = static_cast<std::int64_t>(m);
    }
  });
  kept[0] = 0;
  for (std::int64_t i = 0; i < rows; i++) kept[i + 1] += kept[i];
  const std::int64_t nnz = kept[rows];
  Array<Column> new_col(nnz);
  Array<T> new_val(nnz);
  team.for_blocks(rows, kCanonicalGrain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i++) {
      const auto to = kept[i], n = kept[i + 1] - to;
      std::copy_n(col + ptr[i], n, new_col.data() + to);
      std::copy_n(val + ptr[i], n, new_val.data() + to);
    }
  });
  return {rows, from.cols(), std::move(kept), std::move(new_col), std::move(new_val)};
} catch (...) {
  rethrow_as_error();
}

#define ROWAN_INSTANTIATE(T)                     \
  template bool is_canonical(const CsrView<T>&); \
  template Csr<T> canonical(const CsrView<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
