#include "lib/core/hypersparse.hpp"

#include <algorithm>
#include <vector>

#include "lib/core/values.hpp"

namespace rowan {
namespace {

constexpr std::int64_t kGrain = 1 << 12;

template <class T>
constexpr auto kEntryBytes = static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
constexpr auto kRowBytes = static_cast<std::int64_t>(sizeof(Column) + sizeof(Offset));

template <class T>
NonEmptyRows<T> of_stored_rows(const CsrView<T>& view) {
  NonEmptyRows<T> out;
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < view.rows; i++) kept += view.row_ptr[i + 1] != view.row_ptr[i] ? 1 : 0;
  out.row = Array<Column>(kept), out.ptr = Array<Offset>(kept + 1);
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < view.rows; i++) {
    if (view.row_ptr[i + 1] == view.row_ptr[i]) continue;
    out.row[n] = static_cast<Column>(i), out.ptr[n] = static_cast<Offset>(view.row_ptr[i]), n++;
  }
  out.ptr[kept] = static_cast<Offset>(view.nnz());
  out.operand = {{.rows = kept, .cols = view.cols, .ptr = out.ptr.data(), .col = view.col.data()}, view.val.data()};
  return out;
}

/// An entry of what is stored, by its column first: then they are in the transpose's order.
struct TransposedEntry {
  Column column, row;
  std::int64_t place;
};

template <class T>
NonEmptyRows<T> of_stored_columns(const CsrView<T>& view) {
  Array<TransposedEntry> entries(view.nnz());
  for (std::int64_t i = 0, k = 0; i < view.rows; i++)
    for (const std::int64_t end = view.row_ptr[i + 1]; k < end; k++)
      entries[k] = {view.col[static_cast<std::size_t>(k)], static_cast<Column>(i), k};
  std::sort(entries.begin(), entries.end(), [](const TransposedEntry& x, const TransposedEntry& y) {
    return x.column != y.column ? x.column < y.column : x.place < y.place;
  });
  NonEmptyRows<T> out;
  std::int64_t kept = 0;
  for (std::int64_t k = 0; k < view.nnz(); k++) kept += k == 0 || entries[k].column != entries[k - 1].column ? 1 : 0;
  out.row = Array<Column>(kept), out.ptr = Array<Offset>(kept + 1);
  out.col = Array<Column>(view.nnz()), out.val = Array<T>(view.nnz());
  std::int64_t n = 0;
  for (std::int64_t k = 0; k < view.nnz(); k++) {
    if (k == 0 || entries[k].column != entries[k - 1].column)
      out.row[n] = entries[k].column, out.ptr[n] = static_cast<Offset>(k), n++;
    out.col[k] = entries[k].row, out.val[k] = view.val[static_cast<std::size_t>(entries[k].place)];
  }
  out.ptr[kept] = static_cast<Offset>(view.nnz());
  out.operand = {{.rows = kept, .cols = view.rows, .ptr = out.ptr.data(), .col = out.col.data()}, out.val.data()};
  return out;
}

/// The number that a row of B has among those that are kept; -1 for the others.
class ColumnNumbers {
 public:
  /// A list of all rows where there are more look-ups than rows, else the kept ones are searched.
  ColumnNumbers(std::span<const Column> kept, std::int64_t rows, std::int64_t lookups) : kept_(kept) {
    if (rows > lookups) return;
    of_row_ = Array<Column>(rows);
    std::fill_n(of_row_.data(), rows, -1);
    for (std::size_t n = 0; n < kept.size(); n++) of_row_[kept[n]] = static_cast<Column>(n);
  }
  [[nodiscard]] Column operator[](Column row) const noexcept {
    if (of_row_.size() != 0) return of_row_[row];
    const auto found = std::lower_bound(kept_.begin(), kept_.end(), row);
    return found == kept_.end() || *found != row ? -1 : static_cast<Column>(found - kept_.begin());
  }

 private:
  std::span<const Column> kept_;
  Array<Column> of_row_;
};

}  // namespace

template <class T>
std::int64_t NonEmptyRows<T>::bytes() const noexcept {
  return static_cast<std::int64_t>(row.size() * sizeof(Column) + ptr.size() * sizeof(Offset) +
                                   col.size() * sizeof(Column) + val.size() * sizeof(T));
}

template <class T>
NonEmptyRows<T> non_empty_rows(const CsrView<T>& view) {
  return view.transposed ? of_stored_columns(view) : of_stored_rows(view);
}

template <class T>
std::int64_t non_empty_bytes(const CsrView<T>& view) noexcept {
  const std::int64_t copies = view.transposed ? kEntryBytes<T> + static_cast<std::int64_t>(sizeof(TransposedEntry)) : 0;
  return view.nnz() * (kRowBytes + copies) + static_cast<std::int64_t>(sizeof(Offset));
}

template <class T>
NonEmptyRows<T> renumbered(const Operand<T>& a, std::span<const Column> rows_of_b, const Team& team) {
  const ColumnNumbers numbers(rows_of_b, a.cols, a.nnz());
  NonEmptyRows<T> out;
  out.ptr = Array<Offset>(a.rows + 1);
  team.for_blocks(a.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; i++) {
      Offset n = 0;
      for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) n = static_cast<Offset>(n + (numbers[a.col[k]] >= 0));
      out.ptr[i + 1] = n;
    }
  });
  out.ptr[0] = 0;
  for (std::int64_t i = 0; i < a.rows; i++) out.ptr[i + 1] = static_cast<Offset>(out.ptr[i + 1] + out.ptr[i]);
  const std::int64_t nnz = out.ptr[a.rows];
  out.col = Array<Column>(nnz), out.val = Array<T>(nnz);
  team.for_blocks(a.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; i++) {
      std::int64_t at = out.ptr[i];
      for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
        if (const Column number = numbers[a.col[k]]; number >= 0) out.col[at] = number, out.val[at++] = a.val[k];
    }
  });
  out.operand = {{.rows = a.rows,
                  .cols = static_cast<std::int64_t>(rows_of_b.size()),
                  .ptr = out.ptr.data(),
                  .col = out.col.data()},
                 out.val.data()};
  return out;
}

template <class T>
std::int64_t renumbered_bytes(const Operand<T>& a) noexcept {
  const std::int64_t list = a.cols > a.nnz() ? 0 : a.cols * static_cast<std::int64_t>(sizeof(Column));
  return (a.rows + 1) * static_cast<std::int64_t>(sizeof(Offset)) + a.nnz() * kEntryBytes<T> + list;
}

#define ROWAN_INSTANTIATE(T)                                                                    \
  template struct NonEmptyRows<T>;                                                              \
  template NonEmptyRows<T> non_empty_rows(const CsrView<T>&);                                   \
  template std::int64_t non_empty_bytes(const CsrView<T>&) noexcept;                            \
  template NonEmptyRows<T> renumbered(const Operand<T>&, std::span<const Column>, const Team&); \
  template std::int64_t renumbered_bytes(const Operand<T>&) noexcept;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
