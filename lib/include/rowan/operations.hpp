#pragma once
/// \file
/// Operations on one matrix: check, transpose, bring into canonical form, copy. All for T = float and double, for a
/// view or a matrix that owns its arrays.

#include <rowan/csr.hpp>
#include <rowan/export.hpp>

namespace rowan {

/// Checks what every algorithm relies on: sizes agree, row pointers start at 0 and never become smaller, columns lie in
/// [0, cols). Messages call the matrix `name` ("A"). O(rows + nnz), parallel. Throws Error{invalid_argument}
/// naming the first row that is wrong, or Error{overflow} where rows or columns exceed int32.
template <class T>
ROWAN_API void validate(const CsrView<T>& view, const char* name = "the matrix");
template <class T>
void validate(const Csr<T>& matrix, const char* name = "the matrix") {
  validate(matrix.view(), name);
}

/// The transpose, as a copy. Entries of a row keep the order of the rows that they come from, so the rows of the result
/// are sorted. Parallel counting sort (Gustavson 1978), O(nnz + rows + cols).
template <class T>
[[nodiscard]] ROWAN_API Csr<T> transpose(const CsrView<T>& view);
template <class T>
[[nodiscard]] Csr<T> transpose(const Csr<T>& matrix) {
  return transpose(matrix.view());
}

/// A copy in canonical form: each row's columns rise strictly, duplicate entries are summed in stored order.
/// O(nnz log(longest row)) at worst, O(nnz) where rows are already sorted.
template <class T>
[[nodiscard]] ROWAN_API Csr<T> canonical(const CsrView<T>& view);
template <class T>
[[nodiscard]] Csr<T> canonical(const Csr<T>& matrix) {
  return canonical(matrix.view());
}

/// Whether each row's columns rise strictly. O(nnz).
template <class T>
[[nodiscard]] ROWAN_API bool is_canonical(const CsrView<T>& view);
template <class T>
[[nodiscard]] bool is_canonical(const Csr<T>& matrix) {
  return is_canonical(matrix.view());
}

/// A plain copy.
template <class T>
[[nodiscard]] ROWAN_API Csr<T> copy(const CsrView<T>& view);
template <class T>
[[nodiscard]] Csr<T> copy(const Csr<T>& matrix) {
  return copy(matrix.view());
}

}  // namespace rowan
