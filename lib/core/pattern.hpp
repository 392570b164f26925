#pragma once
// What kernels see of a matrix: checked, 64-bit row pointers, not transposed, owned by the caller.
#include <cstdint>

#include "lib/core/offset.hpp"
#include <rowan/types.hpp>

namespace rowan {

/// Where the entries of a matrix are; not what they are.
struct Pattern {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  const Offset* ptr = nullptr;  // rows + 1
  const Column* col = nullptr;  // nnz

  [[nodiscard]] constexpr std::int64_t nnz() const noexcept { return ptr[rows]; }
  [[nodiscard]] constexpr std::int64_t length(std::int64_t row) const noexcept { return ptr[row + 1] - ptr[row]; }
  [[nodiscard]] bool operator==(const Pattern&) const = default;
};

template <class T>
struct Operand : Pattern {
  const T* val = nullptr;  // nnz
};

}  // namespace rowan
