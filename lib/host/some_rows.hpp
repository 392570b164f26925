#pragma once
// Consecutive rows of a matrix as a matrix of their own.
#include "lib/core/pattern.hpp"
#include <rowan/memory.hpp>

namespace rowan {

/// Rows [first, end), with row pointers of their own; columns and values are the matrix's.
template <class T>
struct SomeRows {
  Array<Offset> ptr;
  Operand<T> operand;

  SomeRows(const Operand<T>& of, std::int64_t first, std::int64_t end) : ptr(end - first + 1) {
    const Offset begin = of.ptr[first];
    for (std::int64_t i = first; i <= end; i++) ptr[i - first] = static_cast<Offset>(of.ptr[i] - begin);
    operand = {{.rows = end - first, .cols = of.cols, .ptr = ptr.data(), .col = of.col + begin}, of.val + begin};
  }
  SomeRows(const SomeRows&) = delete;
  SomeRows& operator=(const SomeRows&) = delete;
};

}  // namespace rowan
