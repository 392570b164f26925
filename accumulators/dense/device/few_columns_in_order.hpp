#pragma once
// Where B has few columns and sums must be the textbook's: a long row of A by several blocks, some columns each.
#include "accumulators/dense/device/few_columns.hpp"
#include "accumulators/dense/device/few_columns_set.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

/// kTogether columns of a long row by a block, in order: all threads compute the products of some entries while those
/// of the entries before are added, a column a thread. Where a row of B has not the column its product is -0, which
/// changes no sum. (With all columns in a block products of fewer entries were on their way: docs/performance.md, few
/// columns.)
template <class T, int kColumns>
struct InOrder {
  static constexpr int kTogether = 8, kEach = 4, kWords = (kColumns + 31) / 32;  // kEach: products a thread, at a time
  static constexpr int kLower = kWords > 1 ? kWords - 1 : 1;
  static constexpr int kApart = kFewThreads / kTogether;  // entries, between two of them
  static constexpr int kEntries = kApart * kEach, kTable = kEntries * kTogether;

  const Operand<T>& a;
  const Operand<T>& b;
  const std::uint32_t* mask;
  std::int64_t end;
  int column;
  __device__ InOrder(const Operand<T>& a_, const Operand<T>& b_, const std::uint32_t* mask_, std::int64_t end_,
                     int column_)
      : a(a_), b(b_), mask(mask_), end(end_), column(column_) {}

  // On their way: columns and values of A for the entries after the next, rows of B for the next.
  Held<Column, kEach> later;
  Held<T, kEach> later_factor, factor;
  Held<std::int64_t, kEach> from;
  // The word of the row's mask that has the column, and those before it, else 0. (All words, and the one picked by the
  // column: local memory, 0.3 times as fast. All words, and masks of columns to compare with: 0.82 at 64 columns.)
  Held<unsigned, kEach> word;
  Held<unsigned, kEach * kLower> lower;

  __device__ void load(std::int64_t begin) {
    ROWAN_UNROLL
    for (int s = 0; s < kEach; s++) {
      const std::int64_t k = begin + static_cast<int>(threadIdx.x) / kTogether + s * kApart;
      later[s] = k < end ? a.col[k] : -1;
      later_factor[s] = k < end ? a.val[k] : T{0};
    }
  }
  __device__ void look_up() {
    ROWAN_UNROLL
    for (int s = 0; s < kEach; s++) {
      factor[s] = later_factor[s], from[s] = 0, word[s] = 0;
      ROWAN_UNROLL
      for (int w = 0; w < kLower; w++) lower[s * kLower + w] = 0;
      if (later[s] < 0) continue;
      const std::uint32_t* const words = mask + std::int64_t{later[s]} * kWords;
      from[s] = b.ptr[later[s]], word[s] = words[column / 32];
      ROWAN_UNROLL
      for (int w = 0; w < kWords - 1; w++)
        if (w < column / 32) lower[s * kLower + w] = words[w];
    }
  }
  /// How many entries of the row are before the column's.
  [[nodiscard]] __device__ int before(int s) const {
    int n = static_cast<int>(__popc(word[s] & ((1U << (column % 32)) - 1)));
    ROWAN_UNROLL
    for (int w = 0; w < kLower; w++) n += static_cast<int>(__popc(lower[s * kLower + w]));
    return n;
  }
  /// The sum of this thread's column, of the first kTogether threads.
  __device__ T sum(std::int64_t begin, T* tables) {
    T* filling = tables;
    T* adding = tables + kTable;
    T sum{0};
    load(begin);
    look_up();
    load(begin + kEntries);
    for (bool any = false; any || begin < end; begin += kEntries) {
      Held<T, kEach> x, y;
      Held<bool, kEach> has;
      ROWAN_UNROLL
      for (int s = 0; s < kEach; s++) {
        has[s] = (word[s] >> (column % 32) & 1) != 0;
        x[s] = factor[s], y[s] = has[s] ? b.val[from[s] + before(s)] : T{0};
      }
      look_up();
      load(begin + 2 * kEntries);
      if (any && threadIdx.x < kTogether) {
        ROWAN_UNROLL
        for (int e = 0; e < kEntries; e++) sum = sum + adding[e * kTogether + static_cast<int>(threadIdx.x)];
      }
      ROWAN_UNROLL
      for (int s = 0; s < kEach; s++)
        filling[static_cast<int>(threadIdx.x) + s * kFewThreads] = has[s] ? x[s] * y[s] : -T{0};
      any = begin < end;
      T* const filled = filling;
      filling = adding, adding = filled;
      __syncthreads();
    }
    return sum;
  }
};

/// Block `block` of those that have long rows in order: some columns of one of them, if it has `least` entries.
template <class T, int kColumns>
__device__ void sum_in_order(const Operand<T>& a, const Operand<T>& b, const FewColumnsTask& task, unsigned block,
                             std::int64_t least, T* tables, const std::int64_t* row_ptr, Column* col, T* val) {
  using Sums = InOrder<T, kColumns>;
  constexpr unsigned kBlocks = kColumns / Sums::kTogether;
  const std::int64_t k = block / kBlocks, row = task.long_row[k].row;
  if (a.length(row) < least) return;
  const int first = static_cast<int>(block % kBlocks) * Sums::kTogether;
  const int column = first + static_cast<int>(threadIdx.x) % Sums::kTogether;
  Sums sums(a, b, task.mask, a.ptr[row + 1], column);
  const T sum = sums.sum(a.ptr[row], tables);
  Columns<Sums::kWords> met;
  met.clear();
  met.add_all(task.met + k * Sums::kWords);
  if (threadIdx.x >= Sums::kTogether || !met.has(column)) return;
  const std::int64_t at = row_ptr[row] + met.before(column);
  col[at] = static_cast<Column>(column), val[at] = sum;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
