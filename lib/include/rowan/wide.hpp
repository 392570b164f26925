#pragma once
/// \file
/// Matrices whose columns have 64-bit numbers, as other libraries may have them: brought to rowan's 32 bits,
/// multiplied, and brought back. The calls are Context's.

#include <cstdint>
#include <span>

#include <rowan/csr.hpp>

namespace rowan {

/// A CsrView with 64-bit columns: memory of the caller, which must outlive the view.
template <class T>
struct WideCsrView {
  std::int64_t rows = 0;                   ///< stored rows, before `transposed`
  std::int64_t cols = 0;                   ///< stored columns, before `transposed`
  RowPointers row_ptr = {};                ///< rows + 1
  std::span<const std::int64_t> col = {};  ///< nnz, each in [0, cols)
  std::span<const T> val = {};             ///< nnz
  bool transposed = false;                 ///< the view is the transpose of what is stored
  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col.size()); }
};

/// A matrix with 64-bit columns that owns its memory.
template <class T>
struct WideCsr {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Array<std::int64_t> row_ptr = {};  ///< rows + 1
  Array<std::int64_t> col = {};      ///< nnz, rising in each row
  Array<T> val = {};                 ///< nnz
  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col.size()); }
  [[nodiscard]] WideCsrView<T> view() const noexcept {
    return {.rows = rows, .cols = cols, .row_ptr = row_ptr, .col = col.span(), .val = val.span()};
  }
  operator WideCsrView<T>() const noexcept { return view(); }  // NOLINT(google-explicit-constructor)
};

/// The same memory seen as the transpose.
template <class T>
[[nodiscard]] WideCsrView<T> transposed(WideCsrView<T> view) noexcept {
  view.transposed = !view.transposed;
  return view;
}

}  // namespace rowan
