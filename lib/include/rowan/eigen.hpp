#pragma once
/// \file
/// Eigen's sparse matrices: as views for rowan, multiplied, and made of rowan's. Eigen::SparseMatrix, and Map and Ref
/// of it, row-major or column-major, with any StorageIndex.

#include <Eigen/SparseCore>
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <rowan/context.hpp>
#include <rowan/csr.hpp>
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {

namespace detail {

/// Eigen's index types of 32 and 64 bits, by the names that they have here.
template <class I>
using SameWidth = std::conditional_t<sizeof(I) == 4, std::int32_t, std::int64_t>;

template <class Derived>
void require_compressed(const Eigen::SparseCompressedBase<Derived>& m) {
  if (m.outerIndexPtr() == nullptr || !m.isCompressed())
    throw Error(ErrorCode::invalid_argument, "the Eigen matrix is not compressed: call makeCompressed() first");
}

template <class Derived>
RowPointers outer_pointers(const Eigen::SparseCompressedBase<Derived>& m) {
  using Index = SameWidth<typename Derived::StorageIndex>;
  static_assert(sizeof(Index) == sizeof(typename Derived::StorageIndex));
  return std::span(reinterpret_cast<const Index*>(m.outerIndexPtr()), static_cast<std::size_t>(m.outerSize()) + 1);
}

/// Whether rowan can read a matrix's indices where they are.
template <class Derived>
inline constexpr bool kReadable = sizeof(typename Derived::StorageIndex) == sizeof(Column);

/// A compressed matrix whose indices are 32-bit; the caller's where they are.
template <class Derived>
class Readable {
 public:
  using Scalar = typename Derived::Scalar;

  explicit Readable(const Eigen::SparseCompressedBase<Derived>& m) {
    require_compressed(m);
    const auto outer = static_cast<std::size_t>(m.outerSize()), nnz = static_cast<std::size_t>(m.nonZeros());
    view_ = {
        .rows = m.outerSize(), .cols = m.innerSize(), .val = {m.valuePtr(), nnz}, .transposed = !Derived::IsRowMajor};
    if constexpr (kReadable<Derived>) {
      view_.row_ptr = outer_pointers(m);
      view_.col = {reinterpret_cast<const Column*>(m.innerIndexPtr()), nnz};
    } else {
      if (m.innerSize() > std::numeric_limits<Column>::max())
        throw Error(ErrorCode::overflow,
                    "the Eigen matrix has " + std::to_string(m.innerSize()) + " rows or columns, more than 2147483647");
      row_ptr_ = Array<std::int64_t>(outer + 1), col_ = Array<Column>(nnz);
      std::copy_n(m.outerIndexPtr(), outer + 1, row_ptr_.begin());
      std::transform(m.innerIndexPtr(), m.innerIndexPtr() + nnz, col_.begin(),
                     [](auto c) { return static_cast<Column>(c); });
      view_.row_ptr = row_ptr_, view_.col = col_.span();
    }
  }
  Readable(const Readable&) = delete;
  Readable& operator=(const Readable&) = delete;
  ~Readable() = default;
  [[nodiscard]] const CsrView<Scalar>& view() const noexcept { return view_; }

 private:
  Array<std::int64_t> row_ptr_ = {};
  Array<Column> col_ = {};
  CsrView<Scalar> view_ = {};
};

}  // namespace detail

/// A view of a compressed matrix with 32-bit indices; column-major ones are seen as the transpose of what they store.
/// Zero copy. Throws Error{invalid_argument} where the matrix is not compressed (call makeCompressed() first).
template <class Derived>
requires detail::kReadable<Derived>
[[nodiscard]] CsrView<typename Derived::Scalar> view(const Eigen::SparseCompressedBase<Derived>& m) {
  return detail::Readable<Derived>(m).view();
}

/// C = A·B, in the order and with the StorageIndex of A; column-major by column-major is multiplied as it stands, as
/// Cᵀ = Bᵀ·Aᵀ. C is counted first, then computed in Eigen's memory: nothing is copied, but indices that are not 32-bit.
/// Throws as Context::multiply and view(); Error{overflow} where C's entries exceed StorageIndex.
template <class A, class B>
requires std::same_as<typename A::Scalar, typename B::Scalar>
[[nodiscard]] Eigen::SparseMatrix<typename A::Scalar, A::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor,
                                  typename A::StorageIndex>
multiply(const Eigen::SparseCompressedBase<A>& a, const Eigen::SparseCompressedBase<B>& b,
         const Context& context = Context()) {
  using T = typename A::Scalar;
  using Index = typename A::StorageIndex;
  constexpr bool kRowMajor = A::IsRowMajor;
  const detail::Readable<A> left(a);
  const detail::Readable<B> right(b);
  const CsrView<T> first = kRowMajor ? left.view() : transposed(right.view());
  const CsrView<T> second = kRowMajor ? right.view() : transposed(left.view());
  const Symbolic sizes = context.symbolic(first, second);
  if (sizes.nnz > std::numeric_limits<Index>::max())
    throw Error(ErrorCode::overflow,
                std::to_string(sizes.nnz) + " entries of C do not fit the Eigen matrix's StorageIndex");
  Eigen::SparseMatrix<T, kRowMajor ? Eigen::RowMajor : Eigen::ColMajor, Index> c(a.rows(), b.cols());
  c.resizeNonZeros(sizes.nnz);
  std::transform(sizes.row_ptr.begin(), sizes.row_ptr.end(), c.outerIndexPtr(),
                 [](std::int64_t p) { return static_cast<Index>(p); });
  const auto nnz = static_cast<std::size_t>(sizes.nnz);
  const std::span<T> val(c.valuePtr(), nnz);
  if constexpr (sizeof(Index) == sizeof(Column)) {
    context.multiply_into(first, second, sizes, {reinterpret_cast<Column*>(c.innerIndexPtr()), nnz}, val);
  } else {
    const Array<Column> col(nnz);
    context.multiply_into(first, second, sizes, col.span(), val);
    std::transform(col.begin(), col.end(), c.innerIndexPtr(), [](Column k) { return static_cast<Index>(k); });
  }
  return c;
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
