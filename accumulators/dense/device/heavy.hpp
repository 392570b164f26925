#pragma once
// Heavy rows over many blocks: equal shares of their products, whatever row they are of, mark the columns in a bitmap a
// row in global memory, which the device's cache holds; the bitmap stays until values are summed, in C itself, each
// product at the rank of its column. A block a row leaves most of a device idle where few rows have most products.
#include "accumulators/common/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

/// Entries of the rows; fills launch.heavy, whose sizes are these rows'. Before, nnz[i] is how many products row i has.
void count_heavy(const SymbolicLaunch& launch);
/// Columns and values of the rows that count_heavy() counted. Where sums are in order, values are left at zero: those
/// the pipeline adds up by a list of products (lib/device/pipeline/product_list.hpp).
template <class T>
void fill_heavy(const NumericLaunch<T>& launch);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
