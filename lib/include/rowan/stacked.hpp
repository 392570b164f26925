#pragma once
/// \file
/// A matrix that is given as several matrices one below another: rows of other processes below one's own, or what is
/// added to a product (Context::multiply_add).

#include <span>

#include <rowan/csr.hpp>
#include <rowan/export.hpp>

namespace rowan {

/// The rows of the first piece, then those of the second, and so on. All have the same columns; each may be transposed
/// and have either width of row pointers. A view of views: both must outlive it.
template <class T>
struct StackedView {
  std::span<const CsrView<T>> pieces = {};
};

/// The pieces as one matrix, each entry where it was in its row: a copy. O(rows + nnz), parallel. Messages call piece k
/// "`name`'s piece k". Throws Error{invalid_argument} where there is no piece, where columns differ, and what
/// validate() throws; Error{overflow} where rows exceed int32.
[[nodiscard]] ROWAN_API Csr<float> stack(const StackedView<float>& view, const char* name = "the matrix");
[[nodiscard]] ROWAN_API Csr<double> stack(const StackedView<double>& view, const char* name = "the matrix");

}  // namespace rowan
