#pragma once
/// \file
/// Where the entries of a matrix are, without their values: PatternView, a view of existing memory, and CsrPattern,
/// which owns its memory.

#include <cstdint>
#include <span>

#include <rowan/csr.hpp>

namespace rowan {

/// A CsrView without values: memory of the caller, which must outlive the view. Rows need not be sorted and may hold a
/// column twice.
struct PatternView {
  std::int64_t rows = 0;             ///< stored rows, before `transposed`
  std::int64_t cols = 0;             ///< stored columns, before `transposed`
  RowPointers row_ptr = {};          ///< rows + 1
  std::span<const Column> col = {};  ///< nnz, each in [0, cols)
  bool transposed = false;           ///< the view is the transpose of what is stored
  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col.size()); }
};

/// The pattern of a matrix, in its memory.
template <class T>
[[nodiscard]] PatternView pattern_view(const CsrView<T>& m) noexcept {
  return {.rows = m.rows, .cols = m.cols, .row_ptr = m.row_ptr, .col = m.col, .transposed = m.transposed};
}
template <class T>
[[nodiscard]] PatternView pattern_view(const Csr<T>& m) noexcept {
  return pattern_view(m.view());
}

/// The same memory seen as the transpose.
[[nodiscard]] inline PatternView transposed(PatternView view) noexcept {
  view.transposed = !view.transposed;
  return view;
}

/// A pattern that owns its memory; each row's columns rise strictly.
struct CsrPattern {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Array<std::int64_t> row_ptr = {};  ///< rows + 1
  Array<Column> col = {};            ///< nnz
  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col.size()); }
  [[nodiscard]] PatternView view() const noexcept {
    return {.rows = rows, .cols = cols, .row_ptr = std::span<const std::int64_t>(row_ptr.span()), .col = col.span()};
  }
  operator PatternView() const noexcept { return view(); }  // NOLINT(google-explicit-constructor)
};

}  // namespace rowan
