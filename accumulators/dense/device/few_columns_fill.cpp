// Columns and values of C, where B has few columns.
#include "accumulators/dense/device/few_columns.hpp"
#include "accumulators/dense/device/few_columns_in_order.hpp"
#include "accumulators/dense/device/few_columns_set.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

/// Blocks for sums in order, four times what an H200 holds. Where there are more, the shorter of the long rows stay
/// with lanes, which take less for a product but longer for a row.
constexpr unsigned kMostInOrder = 4096;

/// The sums of a group of kLanes: a lane has kEach columns, kLanes apart.
template <class T, int kLanes, int kEach>
struct LaneSums {
  static constexpr int kColumns = kLanes * kEach, kWords = (kColumns + 31) / 32;
  static constexpr int kAhead = kEach > 4 ? 2 : kEach > 1 ? 4 : 8;  // rows of B whose values are on their way

  Held<T, kEach> sum;
  Columns<kWords> met;

  __device__ void clear() {
    met.clear();
    ROWAN_UNROLL
    for (int c = 0; c < kEach; c++) sum[c] = T{0};
  }
  /// Entries [begin, end) of A, each lane loading one of kLanes that follow each other.
  __device__ void add(const Operand<T>& a, const Operand<T>& b, const std::uint32_t* mask, std::int64_t begin,
                      std::int64_t end, int lane) {
    const Mask group = simt::group_mask(kLanes);
    for (std::int64_t base = begin; base < end; base += kLanes) {
      const int n = static_cast<int>(end - base < kLanes ? end - base : kLanes);
      Columns<kWords> mine;
      mine.clear();
      std::int64_t from = 0;
      T x{0};
      if (lane < n) {
        const std::int64_t j = a.col[base + lane];
        x = a.val[base + lane], from = b.ptr[j];
        mine.add_all(mask + j * kWords);
      }
      met.add(mine);
      for (int u = 0; u < n; u += kAhead) {
        Held<Columns<kWords>, kAhead> row;
        Held<T, kAhead> factor;
        Held<T, kAhead * kEach> y;
        ROWAN_UNROLL
        for (int v = 0; v < kAhead; v++) {  // lanes behind the n-th have no columns
          const int source = u + v < kLanes ? u + v : kLanes - 1;
          factor[v] = simt::shuffle(group, x, source, kLanes);
          const T* const values = b.val + simt::shuffle(group, from, source, kLanes);
          ROWAN_UNROLL
          for (int w = 0; w < kWords; w++) {
            const unsigned word = simt::shuffle(group, mine.word[w], source, kLanes);
            row[v].word[w] = u + v < kLanes ? word : 0;
          }
          ROWAN_UNROLL
          for (int c = 0; c < kEach; c++)
            y[v * kEach + c] = row[v].has(c * kLanes, lane) ? values[row[v].before(c * kLanes, lane)] : T{0};
        }
        ROWAN_UNROLL
        for (int v = 0; v < kAhead; v++) {
          ROWAN_UNROLL
          for (int c = 0; c < kEach; c++)
            if (row[v].has(c * kLanes, lane)) sum[c] = sum[c] + factor[v] * y[v * kEach + c];
        }
      }
    }
    join(met, kLanes);
  }
  __device__ void write(std::int64_t begin, int lane, Column* col, T* val) const {
    ROWAN_UNROLL
    for (int c = 0; c < kEach; c++) {
      if (!met.has(c * kLanes, lane)) continue;
      const std::int64_t at = begin + met.before(c * kLanes, lane);
      col[at] = static_cast<Column>(c * kLanes + lane), val[at] = sum[c];
    }
  }
};

/// A row a group of kLanes, of those that `block` has, where it has fewer than `most` entries.
template <class T, int kLanes, int kEach>
__device__ void fill_row(const Operand<T>& a, const Operand<T>& b, const std::uint32_t* mask, unsigned block,
                         std::int64_t most, const std::int64_t* row_ptr, Column* col, T* val) {
  const int group = static_cast<int>(threadIdx.x) / kLanes, lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t row = static_cast<std::int64_t>(block) * (kFewThreads / kLanes) + group;
  if (row >= a.rows || a.length(row) >= most) return;
  LaneSums<T, kLanes, kEach> sums;
  sums.clear();
  sums.add(a, b, mask, a.ptr[row], a.ptr[row + 1], lane);
  sums.write(row_ptr[row], lane, col, val);
}

/// A part of a long row by all of a block: each group of kLanes sums some of its entries, then the groups' sums are
/// added in order. In shared memory of_groups[kFewThreads * kEach].
template <class T, int kLanes, int kEach>
__device__ void sum_part(const Operand<T>& a, const Operand<T>& b, const std::uint32_t* mask, const RowPart& part,
                         T* of_groups, T* all) {
  using Sums = LaneSums<T, kLanes, kEach>;
  constexpr int kGroups = kFewThreads / kLanes;
  const int group = static_cast<int>(threadIdx.x) / kLanes, lane = static_cast<int>(threadIdx.x) % kLanes;
  const std::int64_t each = (part.end - part.begin + kGroups - 1) / kGroups;
  const std::int64_t from = part.begin + group * each, to = from + each < part.end ? from + each : part.end;
  Sums sums;
  sums.clear();
  sums.add(a, b, mask, from, to, lane);
  ROWAN_UNROLL
  for (int c = 0; c < kEach; c++) of_groups[group * Sums::kColumns + c * kLanes + lane] = sums.sum[c];
  __syncthreads();
  if (const auto column = static_cast<int>(threadIdx.x); column < Sums::kColumns) {
    T sum{0};
    for (int g = 0; g < kGroups; g++) sum = sum + of_groups[g * Sums::kColumns + column];
    all[column] = sum;
  }
}

/// Parts of long rows by the first `part_blocks`, which take longest; by the others a row a group of kLanes.
template <class T, int kLanes, int kEach>
__global__ void __launch_bounds__(kFewThreads)
    fill_rows(Operand<T> a, Operand<T> b, FewColumnsTask task, unsigned part_blocks, T* part_sums,
              const std::int64_t* row_ptr, Column* col, T* val) {
  ROWAN_SHARED(T, of_groups, kFewThreads * kEach);
  if (blockIdx.x < part_blocks)
    return sum_part<T, kLanes, kEach>(a, b, task.mask, task.part[blockIdx.x], of_groups,
                                      part_sums + std::int64_t{blockIdx.x} * LaneSums<T, kLanes, kEach>::kColumns);
  fill_row<T, kLanes, kEach>(a, b, task.mask, blockIdx.x - part_blocks, kLongRow, row_ptr, col, val);
}

/// The same in order, long rows being those of `least` entries. A kernel of its own: with it the other has more
/// registers (64 columns 0.75 times as fast).
template <class T, int kLanes, int kEach>
__global__ void __launch_bounds__(kFewThreads)
    fill_rows_in_order(Operand<T> a, Operand<T> b, FewColumnsTask task, unsigned long_blocks, std::int64_t least,
                       const std::int64_t* row_ptr, Column* col, T* val) {
  using Ordered = InOrder<T, kLanes * kEach>;
  ROWAN_SHARED(T, tables, 2 * Ordered::kTable);
  if (blockIdx.x < long_blocks)
    return sum_in_order<T, kLanes * kEach>(a, b, task, blockIdx.x, least, tables, row_ptr, col, val);
  fill_row<T, kLanes, kEach>(a, b, task.mask, blockIdx.x - long_blocks, least, row_ptr, col, val);
}

/// A long row a block: its parts' sums added in order.
template <class T, int kWords>
__global__ void __launch_bounds__(kMostFewColumns)
    add_parts(Pattern a, FewColumnsTask task, int columns, const T* part_sums, const std::int64_t* row_ptr, Column* col,
              T* val) {
  const LongRow long_row = task.long_row[blockIdx.x];
  const auto column = static_cast<int>(threadIdx.x);
  Columns<kWords> met;
  met.clear();
  met.add_all(task.met + std::int64_t{blockIdx.x} * kWords);
  if (column >= columns || !met.has(column)) return;
  const std::int64_t parts = parts_of(a.length(long_row.row));
  T sum{0};
  for (std::int64_t p = long_row.first_part; p < long_row.first_part + parts; p++)
    sum = sum + part_sums[p * columns + column];
  const std::int64_t at = row_ptr[long_row.row] + met.before(column);
  col[at] = static_cast<Column>(column), val[at] = sum;
}

template <class T, int kLanes, int kEach>
void fill(const Operand<T>& a, const Operand<T>& b, const FewColumnsTask& task, const LongRowCounts& long_rows, T* sums,
          const std::int64_t* row_ptr, Column* col, T* val, hipStream_t stream) {
  constexpr int kRows = kFewThreads / kLanes, kColumns = kLanes * kEach;
  const std::int64_t blocks = (a.rows + kRows - 1) / kRows;
  if (long_rows.rows != 0 && sums == nullptr) {
    const unsigned long_blocks = long_rows.rows * (kColumns / InOrder<T, kColumns>::kTogether);
    const std::int64_t least = long_blocks > kMostInOrder ? 2 * kLongRow : kLongRow;
    launch(fill_rows_in_order<T, kLanes, kEach>, {.grid = long_blocks + blocks, .block = kFewThreads}, stream, a, b,
           task, long_blocks, least, row_ptr, col, val);
    return;
  }
  launch(fill_rows<T, kLanes, kEach>, {.grid = long_rows.parts + blocks, .block = kFewThreads}, stream, a, b, task,
         long_rows.parts, sums, row_ptr, col, val);
  if (long_rows.rows == 0) return;
  launch(add_parts<T, LaneSums<T, kLanes, kEach>::kWords>, {.grid = long_rows.rows, .block = kMostFewColumns}, stream,
         static_cast<const Pattern&>(a), task, kColumns, static_cast<const T*>(sums), row_ptr, col, val);
}

/// Calls start(lanes of a row, columns of a lane), both as types.
template <class Start>
void with_shape(std::int64_t columns, const Start& start) {
  if (columns <= 8) return start(std::integral_constant<int, 8>(), std::integral_constant<int, 1>());
  if (columns <= 16) return start(std::integral_constant<int, 8>(), std::integral_constant<int, 2>());
  if (columns <= 32) return start(std::integral_constant<int, 8>(), std::integral_constant<int, 4>());
  if (columns <= 64) return start(std::integral_constant<int, 16>(), std::integral_constant<int, 4>());
  start(std::integral_constant<int, 32>(), std::integral_constant<int, 4>());
}

}  // namespace

std::int64_t few_columns_sums(std::int64_t columns, const LongRowCounts& long_rows) noexcept {
  std::int64_t of_part = 0;
  with_shape(columns, [&](auto lanes, auto each) { of_part = std::int64_t{lanes()} * each(); });
  return of_part * long_rows.parts;
}

template <class T>
void fill_few_columns(const Operand<T>& a, const Operand<T>& b, const FewColumnsTask& task,
                      const LongRowCounts& long_rows, T* sums, const std::int64_t* row_ptr, Column* col, T* val,
                      hipStream_t stream) {
  with_shape(b.cols, [&](auto lanes, auto each) {
    fill<T, lanes(), each()>(a, b, task, long_rows, sums, row_ptr, col, val, stream);
  });
}

#define ROWAN_INSTANTIATE(T)                                                                                        \
  template void fill_few_columns(const Operand<T>&, const Operand<T>&, const FewColumnsTask&, const LongRowCounts&, \
                                 T*, const std::int64_t*, Column*, T*, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
