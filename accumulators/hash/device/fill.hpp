#pragma once
// What kernels of the numeric phase share: tables with sums are cleared, filled, and written out once sorted.
#include "accumulators/common/device/in_order.hpp"
#include "accumulators/hash/device/hash.hpp"
#include "accumulators/hash/device/sorts.hpp"
#include "accumulators/hash/device/table.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

template <class Scope, class T>
__device__ void clear(const Scope& scope, int* keys, T* sums, int table) {
  for (int k = scope.rank(); k < table; k += scope.size()) keys[k] = kNoKey, sums[k] = T{0};
  scope.sync();
}

/// Entries of A that a block orders together, beside `used` bytes of shared memory; 0 in any order.
template <class T>
[[nodiscard]] int part_of(const NumericLaunch<T>& l, int threads, std::size_t used) {
  return l.in_order ? OrderedProducts<T>::most(threads, l.device.shared_limit - kOwnShared - used, l.device.wave) : 0;
}

/// The products of a row, into a block's table. `insert(column)`: the column's place. `ordered`: of no part where they
/// are added in any order.
template <Adding kAdding, class T, class Insert>
__device__ void add_in_block(const WholeBlock& block, const OrderedProducts<T>& ordered, const Operand<T>& a,
                             const Operand<T>& b, std::int64_t row, int group, bool sorted_b, T* sums,
                             const Insert& insert) {
  if constexpr (kAdding == Adding::atomic)
    walk_in_block(a, a.val, b.ptr, row, group,
                  [&](std::int64_t at, T scale) { simt::atomic_add(sums + insert(b.col[at]), scale * b.val[at]); });
  else
    add_in_order(block, ordered, a, b, {}, row, sorted_b, sums, insert);
  __syncthreads();
}

template <class Scope, class T>
__device__ void write_row(const Scope& scope, const std::uint64_t* words, const T* sums, int entries, std::int64_t from,
                          Column* col, T* val) {
  for (int k = scope.rank(); k < entries; k += scope.size()) {
    const std::uint64_t word = words[k];
    col[from + k] = column_of(word);
    val[from + k] = sums[place_of(word)];
  }
  scope.sync();  // all are done with the table
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
