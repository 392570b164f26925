#pragma once
// Sizes of a view as it is multiplied: after its transposition.
#include <rowan/csr.hpp>

namespace rowan {

template <class T>
[[nodiscard]] std::int64_t rows_of(const CsrView<T>& view) noexcept {
  return view.transposed ? view.cols : view.rows;
}
template <class T>
[[nodiscard]] std::int64_t cols_of(const CsrView<T>& view) noexcept {
  return view.transposed ? view.rows : view.cols;
}

}  // namespace rowan
