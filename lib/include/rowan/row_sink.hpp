#pragma once
/// \file
/// What takes a product in blocks of rows: Context::multiply_in_blocks.

#include <cstdint>
#include <functional>

#include <rowan/csr.hpp>

namespace rowan {

/// Takes rows [first, first + block.rows) of C. `block` is a matrix of its own, with C's number of columns and row
/// pointers from 0; its memory is valid during the call. Called in the order of rows, one call at a time, on a thread
/// of its own, while the next block is computed: it may multiply, write files or wait. Once it threw it is not called
/// again.
template <class T>
using RowSink = std::function<void(std::int64_t first, const CsrView<T>& block)>;

}  // namespace rowan
