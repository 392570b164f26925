// What is known before C's size is: columns of B's rows, long rows of A, entries of C's rows.
#include "accumulators/dense/device/few_columns.hpp"

#include <algorithm>

#include "accumulators/dense/device/few_columns_set.hpp"
#include "lib/device/simt/last_block.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

constexpr int kCountThreads = 256;
constexpr int kMaskLanes = 8;  // of a row of B, and of a row of A that is counted
constexpr int kCountRows = kCountThreads / kMaskLanes;
constexpr int kPartBlocks = 4;  // that count parts, for each multiprocessor

/// A row of B a group of lanes, and a row of A a thread: whether it is long.
template <int kWords>
__global__ void __launch_bounds__(kCountThreads) prepare(Pattern a, Pattern b, FewColumnsTask task) {
  const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * kCountThreads + threadIdx.x;
  const std::int64_t row = thread / kMaskLanes;
  const int lane = static_cast<int>(threadIdx.x) % kMaskLanes;
  Columns<kWords> found;
  found.clear();
  if (row < b.rows) {
    const std::int64_t begin = b.ptr[row], end = b.ptr[row + 1];
    for (std::int64_t k = begin + lane; k < end; k += kMaskLanes) {
      const Column column = b.col[k];
      if (k > begin && b.col[k - 1] >= column) simt::store_relaxed(&task.zeroed->falls, std::uint64_t{1});
      ROWAN_UNROLL
      for (int w = 0; w < kWords; w++)
        if (column / 32 == w) found.word[w] |= 1U << (column % 32);
    }
  }
  join(found, kMaskLanes);
  if (row < b.rows && lane == 0) found.store(task.mask + row * kWords);
  const std::int64_t length = thread < a.rows ? a.length(thread) : 0;
  const auto longest = static_cast<std::uint64_t>(simt::wave_max(length));
  if (simt::lane() == 0 && simt::load_relaxed(&task.zeroed->rows.longest) < longest)
    simt::atomic_max(&task.zeroed->rows.longest, longest);
  if (length < kLongRow) return;
  const std::int64_t parts = parts_of(length);
  const std::int64_t k = simt::atomic_add(&task.zeroed->rows.long_rows.rows, 1U);
  const std::int64_t first = simt::atomic_add(&task.zeroed->rows.long_rows.parts, static_cast<unsigned>(parts));
  task.long_row[k] = {.row = thread, .first_part = first};
  found.clear();
  found.store(task.met + k * kWords);
  for (std::int64_t p = 0; p < parts; p++) {
    const std::int64_t begin = a.ptr[thread] + p * kPartEntries, end = begin + kPartEntries;
    task.part[first + p] = {.long_row = k, .begin = begin, .end = end < a.ptr[thread + 1] ? end : a.ptr[thread + 1]};
  }
}

/// The columns that every `step`-th entry of A from `from` on meets.
template <int kWords>
__device__ Columns<kWords> met_by(const Pattern& a, const std::uint32_t* mask, std::int64_t from, std::int64_t end,
                                  int step) {
  Columns<kWords> columns;
  columns.clear();
  for (std::int64_t k = from; k < end; k += step) columns.add_all(mask + std::int64_t{a.col[k]} * kWords);
  return columns;
}

/// A block the parts of long rows, all of `blocks` in turn; the last to be done counts the rows' entries.
template <int kWords>
__device__ void count_parts(const Pattern& a, const FewColumnsTask& task, unsigned blocks, std::int64_t* nnz) {
  const LongRowCounts all = task.zeroed->rows.long_rows;
  if (all.parts == 0) return;
  for (unsigned p = blockIdx.x; p < all.parts; p += blocks) {
    const RowPart part = task.part[p];
    Columns<kWords> columns =
        met_by<kWords>(a, task.mask, part.begin + static_cast<int>(threadIdx.x), part.end, kCountThreads);
    join(columns, simt::wave_width());
    if (simt::lane() != 0) continue;
    ROWAN_UNROLL
    for (int w = 0; w < kWords; w++) simt::atomic_or(task.met + part.long_row * kWords + w, columns.word[w]);
  }
  if (!is_last_block(&task.zeroed->blocks_done, blocks)) return;
  for (unsigned k = threadIdx.x; k < all.rows; k += kCountThreads) {
    int n = 0;
    for (int w = 0; w < kWords; w++) n += static_cast<int>(__popc(simt::load_relaxed(task.met + k * kWords + w)));
    nnz[task.long_row[k].row] = n;
  }
}

/// Parts of long rows by the first `part_blocks`, which take longest; a row a group of lanes by the others.
template <int kWords>
__global__ void __launch_bounds__(kCountThreads)
    count_entries(Pattern a, FewColumnsTask task, unsigned part_blocks, std::int64_t* nnz) {
  if (blockIdx.x < part_blocks) return count_parts<kWords>(a, task, part_blocks, nnz);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x - part_blocks) * kCountRows + threadIdx.x / kMaskLanes;
  const int lane = static_cast<int>(threadIdx.x) % kMaskLanes;
  if (row == 0 && lane == 0) nnz[a.rows] = 0;
  const bool mine = row < a.rows && a.length(row) < kLongRow;
  Columns<kWords> columns;
  columns.clear();
  if (mine) columns = met_by<kWords>(a, task.mask, a.ptr[row] + lane, a.ptr[row + 1], kMaskLanes);
  join(columns, kMaskLanes);
  if (mine && lane == 0) nnz[row] = columns.count();
}

__global__ void __launch_bounds__(32) tell_longest(FewColumnsTask task, HostMailbox<FewColumnsRows>::Sender told) {
  if (threadIdx.x == 0) told.post(task.zeroed->rows);
}
__global__ void __launch_bounds__(32)
    tell(const std::int64_t* nnz, FewColumnsTask task, HostMailbox<FewColumnsTold>::Sender told) {
  if (threadIdx.x == 0) told.post({*nnz, task.zeroed->falls, task.zeroed->rows});
}

/// Calls start(number of words as a type), which is 1, 2 or 4.
template <class Start>
void with_words(int words, const Start& start) {
  if (words == 1) return start(std::integral_constant<int, 1>());
  if (words == 2) return start(std::integral_constant<int, 2>());
  start(std::integral_constant<int, 4>());
}

}  // namespace

std::int64_t most_long_rows(std::int64_t nnz) noexcept {
  return nnz / kLongRow;  // a row of n entries, not fewer than kLongRow, has at most n / kLongRow parts
}

void prepare_few_columns(const Pattern& a, const Pattern& b, const FewColumnsTask& task, hipStream_t stream) {
  const std::int64_t threads = std::max(a.rows, b.rows * kMaskLanes);
  with_words(task.words, [&](auto words) {
    launch(prepare<words()>, {.grid = (threads + kCountThreads - 1) / kCountThreads, .block = kCountThreads}, stream, a,
           b, task);
  });
}

void count_few_columns(const Pattern& a, const FewColumnsTask& task, int multiprocessors, std::int64_t* nnz,
                       hipStream_t stream) {
  const std::int64_t for_parts = std::min(task.most_long, std::int64_t{kPartBlocks} * multiprocessors);
  const Shape shape{.grid = for_parts + (a.rows + kCountRows - 1) / kCountRows, .block = kCountThreads};
  with_words(task.words, [&](auto words) {
    launch(count_entries<words()>, shape, stream, a, task, static_cast<unsigned>(for_parts), nnz);
  });
}

void tell_rows(const FewColumnsTask& task, const HostMailbox<FewColumnsRows>::Sender& told, hipStream_t stream) {
  launch(tell_longest, {.grid = 1, .block = 32}, stream, task, told);
}

void tell_few_columns(const std::int64_t* nnz, const FewColumnsTask& task,
                      const HostMailbox<FewColumnsTold>::Sender& told, hipStream_t stream) {
  launch(tell, {.grid = 1, .block = 32}, stream, nnz, task, told);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
