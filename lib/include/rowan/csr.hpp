#pragma once
/// \file
/// Matrices in compressed sparse row form: CsrView, a view of existing memory, and Csr, which owns its memory.

#include <concepts>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

#include <rowan/memory.hpp>
#include <rowan/types.hpp>

namespace rowan {

/// Row pointers, 32-bit or 64-bit: rows + 1 offsets; the first is 0, and none is smaller than the one before.
class RowPointers {
 public:
  RowPointers() = default;
  RowPointers(std::span<const std::int32_t> p) : narrow_(p.data()), size_(p.size()) {}  // NOLINT(google-explicit-*)
  RowPointers(std::span<const std::int64_t> p) : wide_(p.data()), size_(p.size()) {}    // NOLINT(google-explicit-*)
  /// Of a std::vector, a std::array and the like, which must outlive the view.
  template <std::ranges::contiguous_range R>
  requires std::ranges::sized_range<R> &&
      (std::same_as<std::ranges::range_value_t<R>, std::int32_t> ||
       std::same_as<std::ranges::range_value_t<R>, std::int64_t>)RowPointers(const R& p)  // NOLINT(google-explicit-*)
      : RowPointers(std::span<const std::ranges::range_value_t<R>>(std::ranges::data(p), std::ranges::size(p))) {}

  template <std::integral I>
  [[nodiscard]] std::int64_t operator[](I i) const noexcept {
    return wide_ ? wide_[i] : narrow_[i];  // NOLINT(clang-analyzer-core.NullDereference): one of them is set
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::int64_t* wide() const noexcept { return wide_; }      ///< null where they are 32-bit
  [[nodiscard]] const std::int32_t* narrow() const noexcept { return narrow_; }  ///< null where they are 64-bit

 private:
  const std::int32_t* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
  std::size_t size_ = 0;
};

/// A matrix in memory of the caller, which must outlive the view. Rows need not be sorted; duplicate entries count as
/// their sum. `T` is float or double.
template <class T>
struct CsrView {
  std::int64_t rows = 0;             ///< stored rows, before `transposed`
  std::int64_t cols = 0;             ///< stored columns, before `transposed`
  RowPointers row_ptr = {};          ///< rows + 1
  std::span<const Column> col = {};  ///< nnz, each in [0, cols)
  std::span<const T> val = {};       ///< nnz
  bool transposed = false;           ///< the view is the transpose of what is stored
  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col.size()); }
};

/// The same memory seen as the transpose; a multiply transposes a copy first (O(nnz + rows + cols)).
template <class T>
[[nodiscard]] CsrView<T> transposed(CsrView<T> view) noexcept {
  view.transposed = !view.transposed;
  return view;
}

namespace detail {

/// A number that is 0 once it was moved from.
class Count {
 public:
  Count(std::int64_t n = 0) noexcept : n_(n) {}  // NOLINT(google-explicit-constructor)
  Count(Count&& other) noexcept : n_(std::exchange(other.n_, 0)) {}
  Count& operator=(Count&& other) noexcept {
    const std::int64_t n = std::exchange(other.n_, 0);
    n_ = n;
    return *this;
  }
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;
  ~Count() = default;
  operator std::int64_t() const noexcept { return n_; }  // NOLINT(google-explicit-constructor)

 private:
  std::int64_t n_;
};

/// The row pointers of a matrix without rows, which needs no memory for them.
inline constexpr std::int64_t kNoRows = 0;

}  // namespace detail

struct PlannedPattern;

/// What a matrix consists of, each array with its memory. Array::release gives an array to code that knows no Array.
template <class T>
struct CsrArrays {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Array<std::int64_t> row_ptr = {};  ///< rows + 1
  Array<Column> col = {};            ///< nnz
  Array<T> val = {};                 ///< nnz
};

/// A matrix that owns its memory: what rowan returns. After a multiplication every row's columns rise strictly. A
/// matrix that was moved from has 0 rows and 0 columns, as has a default-constructed one.
template <class T>
class Csr {
 public:
  using value_type = T;

  Csr() noexcept = default;
  /// Takes ownership of arrays: rows + 1 pointers, and one column and one value for each entry. Not checked.
  Csr(std::int64_t rows, std::int64_t cols, Array<std::int64_t> row_ptr, Array<Column> col, Array<T> val)
      : rows_(rows), cols_(cols), row_ptr_(std::move(row_ptr)), col_(std::move(col)), val_(std::move(val)) {}

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::int64_t cols() const noexcept { return cols_; }
  [[nodiscard]] std::int64_t nnz() const noexcept { return static_cast<std::int64_t>(col_.size()); }
  [[nodiscard]] std::span<const std::int64_t> row_ptr() const noexcept {
    return row_ptr_.size() == 0 ? std::span(&detail::kNoRows, 1) : row_ptr_.span();
  }
  [[nodiscard]] std::span<const Column> col() const noexcept { return col_.span(); }
  [[nodiscard]] std::span<const T> val() const noexcept { return val_.span(); }
  /// Values may be changed in place; the pattern may not.
  [[nodiscard]] std::span<T> val() noexcept { return val_.span(); }

  [[nodiscard]] CsrView<T> view() const noexcept {
    return {.rows = rows_, .cols = cols_, .row_ptr = row_ptr(), .col = col(), .val = val()};
  }
  operator CsrView<T>() const noexcept { return view(); }  // NOLINT(google-explicit-constructor)

  /// The arrays, without a copy; the matrix is empty then. Throws Error{out_of_memory} and keeps them.
  [[nodiscard]] CsrArrays<T> release() {
    if (row_ptr_.size() == 0) row_ptr_ = Array<std::int64_t>::zeroed(1);
    pattern_.reset();
    const std::int64_t rows = std::exchange(rows_, 0), cols = std::exchange(cols_, 0);
    return {.rows = rows, .cols = cols, .row_ptr = std::move(row_ptr_), .col = std::move(col_), .val = std::move(val_)};
  }

 private:
  friend struct PlannedPattern;

  detail::Count rows_ = 0;
  detail::Count cols_ = 0;
  Array<std::int64_t> row_ptr_ = {};  // empty: kNoRows
  Array<Column> col_ = {};
  Array<T> val_ = {};
  std::shared_ptr<const void> pattern_ = {};  // of the plan that knows where the entries are; null: no plan does
};

/// The matrix, which must outlive the view, seen as its transpose.
template <class T>
[[nodiscard]] CsrView<T> transposed(const Csr<T>& matrix) noexcept {
  return transposed(matrix.view());
}

}  // namespace rowan
