#pragma once
/// \file
/// Eigen's sparse matrices as views for rowan (without a copy, if they are compressed), and rowan's as Eigen's.

#include <Eigen/SparseCore>
#include <limits>
#include <string>
#include <utility>

#include <rowan/csr.hpp>
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {

/// A view of a compressed matrix; column-major ones are seen as the transpose of what they store. Zero copy.
/// Throws Error{invalid_argument} where the matrix is not compressed (call makeCompressed() first).
template <class T, int Order>
[[nodiscard]] CsrView<T> view(const Eigen::SparseMatrix<T, Order, std::int32_t>& m) {
  if (!m.isCompressed())
    throw Error(ErrorCode::invalid_argument, "the Eigen matrix is not compressed: call makeCompressed() first");
  const auto outer = static_cast<std::size_t>(m.outerSize()), nnz = static_cast<std::size_t>(m.nonZeros());
  return {.rows = m.outerSize(),
          .cols = m.innerSize(),
          .row_ptr = std::span<const std::int32_t>(m.outerIndexPtr(), outer + 1),
          .col = {m.innerIndexPtr(), nnz},
          .val = {m.valuePtr(), nnz},
          .transposed = Order == Eigen::ColMajor};
}

/// A row-major Eigen matrix with the same entries; its row pointers are 32-bit, so Error{overflow} where nnz is 2^31 or
/// more.
template <class T>
[[nodiscard]] Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t> to_eigen(const CsrView<T>& m) {
  if (m.transposed) return to_eigen<T>(copy(m).view());
  if (m.nnz() > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorCode::overflow, std::to_string(m.nnz()) + " entries do not fit Eigen's 32-bit row pointers");
  Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t> e(m.rows, m.cols);
  e.resizeNonZeros(m.nnz());
  for (std::int64_t i = 0; i <= m.rows; i++) e.outerIndexPtr()[i] = static_cast<std::int32_t>(m.row_ptr[i]);
  std::copy(m.col.begin(), m.col.end(), e.innerIndexPtr());
  std::copy(m.val.begin(), m.val.end(), e.valuePtr());
  return e;
}
template <class T>
[[nodiscard]] Eigen::SparseMatrix<T, Eigen::RowMajor, std::int32_t> to_eigen(const Csr<T>& m) {
  return to_eigen(m.view());
}

}  // namespace rowan
