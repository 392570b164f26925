#include "accumulators/dense/device/rank.hpp"

#include "accumulators/common/device/shape.hpp"
#include "accumulators/common/device/walk.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

constexpr int kNarrowWords = static_cast<int>(kNarrowSpan) / kBits;
constexpr int kGroups = kNarrowThreads / kLanes;  // rows of a block of narrow ones

/// kLanes lanes a row, the grid as many blocks as rows need. Shared memory: a bitmap of kNarrowWords for each row.
__global__ void __launch_bounds__(kNarrowThreads) symbolic_narrow(Pattern a, Pattern b, RowList rows, RunFacts runs,
                                                                  const CRow* c_rows, std::int64_t* nnz, int group) {
  ROWAN_SHARED(unsigned, all_bits, kGroups* kNarrowWords);
  const Lanes lanes(kLanes);
  const int mine = static_cast<int>(threadIdx.x) / kLanes;
  unsigned* const bits = all_bits + mine * kNarrowWords;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kGroups + mine;
  if (i >= rows.count) return;
  const std::int64_t row = rows[i];
  const int lo = c_rows[row].lo, words = (c_rows[row].hi - lo) / kBits + 1;
  for (int w = lanes.rank(); w < words; w += kLanes) bits[w] = 0;
  lanes.sync();
  walk<NoValue>(
      lanes, a, nullptr, {b.ptr, runs.b_relation}, row, group,
      [&](std::int64_t at, NoValue) { mark(bits, b.col[at] - lo); }, [] {});
  lanes.sync();
  int found = 0;
  for (int w = lanes.rank(); w < words; w += kLanes) found += __popc(bits[w]);
  found = lanes.sum(found);
  if (lanes.rank() == 0) nnz[row] = found;
}

/// The block's bitmap of a row's columns from `lo` on, so many.
__device__ void mark_window(const WholeBlock& block, const Pattern& a, const Pattern& b, const std::uint8_t* b_relation,
                            std::int64_t row, int group, std::int64_t lo, int columns, unsigned* bits) {
  for (int w = block.rank(); w < (columns + kBits - 1) / kBits; w += block.size()) bits[w] = 0;
  block.sync();
  walk_in_block<NoValue>(a, nullptr, {b.ptr, b_relation}, row, group, [&](std::int64_t at, NoValue) {
    const std::int64_t column = b.col[at] - lo;
    if (column >= 0 && column < columns) mark(bits, static_cast<int>(column));
  });
  block.sync();
}

/// A row's entries, window by window.
template <int kWindow>
__device__ void count_row(const WholeBlock& block, const Pattern& a, const Pattern& b, const RunFacts& runs,
                          const CRow* c_rows, std::int64_t row, std::int64_t* nnz, int group, unsigned* bits) {
  const std::int64_t last = c_rows[row].hi;
  std::int64_t found = 0;
  for (std::int64_t lo = c_rows[row].lo; lo <= last; lo += kWindow) {
    const int columns = static_cast<int>(last - lo < kWindow ? last - lo + 1 : kWindow);
    const int words = (columns + kBits - 1) / kBits;
    mark_window(block, a, b, runs.b_relation, row, group, lo, columns, bits);
    int mine = 0;
    for (int w = block.rank(); w < words; w += block.size()) mine += __popc(bits[w]);
    found += block.sum(mine);
  }
  if (block.rank() == 0) nnz[row] = found;
}

/// A block a row, window by window. Shared memory: the bitmap of a window.
template <int kThreads, int kWindow>
__global__ void __launch_bounds__(kThreads) symbolic_block(Pattern a, Pattern b, RowList rows, RunFacts runs,
                                                           const CRow* c_rows, std::int64_t* nnz, int group) {
  ROWAN_SHARED(unsigned, bits, kWindow / kBits);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  count_row<kWindow>(WholeBlock(scratch), a, b, runs, c_rows, rows[blockIdx.x], nnz, group, bits);
}

/// Rows that other kernels have listed; how many, only the device knows: a fixed grid, whose blocks take row after row.
/// Shared memory: the bitmap of a window.
__global__ void __launch_bounds__(kWideBlock.threads)
    symbolic_abandoned(Pattern a, Pattern b, AbandonedRows abandoned, RunFacts runs, const CRow* c_rows,
                       std::int64_t* nnz, int group) {
  ROWAN_SHARED(unsigned, bits, kWideBlock.window / kBits);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  for (int i = static_cast<int>(blockIdx.x); i < *abandoned.count; i += static_cast<int>(gridDim.x))
    count_row<kWideBlock.window>(WholeBlock(scratch), a, b, runs, c_rows, abandoned.list[i], nnz, group, bits);
}

/// kLanes lanes a row, the grid as many blocks as rows need. Shared memory, for each row: sums, the bitmap, bits before
/// each of its words.
template <class T, Adding kAdding>
__global__ void __launch_bounds__(kNarrowThreads)
    numeric_narrow(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const CRow* c_rows,
                   const std::int64_t* row_ptr, Column* col, T* val, int most_words, int most_entries, int group) {
  const Lanes lanes(kLanes);
  const int mine = static_cast<int>(threadIdx.x) / kLanes;
  simt::DynamicShared shared;
  T* const sums = shared.take<T>(kGroups * most_entries) + mine * most_entries;
  unsigned* const bits = shared.take<unsigned>(kGroups * most_words) + mine * most_words;
  unsigned* const before = shared.take<unsigned>(kGroups * most_words) + mine * most_words;
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kGroups + mine;
  if (i >= rows.count) return;
  const std::int64_t row = rows[i], to = row_ptr[row];
  const int lo = c_rows[row].lo, words = (c_rows[row].hi - lo) / kBits + 1;
  const int entries = static_cast<int>(row_ptr[row + 1] - to);
  for (int w = lanes.rank(); w < words; w += kLanes) bits[w] = 0;
  for (int k = lanes.rank(); k < entries; k += kLanes) sums[k] = T{0};
  lanes.sync();
  walk<NoValue>(
      lanes, a, nullptr, {b.ptr, runs.b_relation}, row, group,
      [&](std::int64_t at, NoValue) { mark(bits, b.col[at] - lo); }, [] {});
  lanes.sync();
  rank_words(lanes, bits, before, words);
  lanes.sync();
  const auto take = [&](std::int64_t at, T scale) {
    T* const sum = sums + rank_of(bits, before, b.col[at] - lo);
    const T product = scale * b.val[at];
    if constexpr (kAdding == Adding::atomic)
      simt::atomic_add(sum, product);
    else
      *sum += product;
  };
  if constexpr (kAdding == Adding::by_one) {
    if (lanes.rank() == 0) walk_by_one(a, b.ptr, row, take);
  } else {
    walk(lanes, a, a.val, b.ptr, row, group, take, [&] {
      if constexpr (kAdding == Adding::row_by_row) lanes.sync();
    });
  }
  lanes.sync();
  for (int w = lanes.rank(); w < words; w += kLanes) {
    write_columns(bits[w], lo + w * kBits, col + to + before[w]);
  }
  for (int k = lanes.rank(); k < entries; k += kLanes) val[to + k] = sums[k];
}

/// A block a row, window by window; sums are in C. Shared memory: the bitmap of a window and its ranks in two levels,
/// bits before a thread's words, and before each word within them.
template <class T, Adding kAdding, int kThreads, int kWindow>
__global__ void __launch_bounds__(kThreads)
    numeric_block(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const CRow* c_rows,
                  const std::int64_t* row_ptr, Column* col, T* val, int group, bool sorted_b) {
  simt::DynamicShared shared;
  unsigned* const bits = shared.take<unsigned>(kWindow / kBits);
  auto* const within = shared.take<std::uint16_t>(kWindow / kBits);
  int* const before = shared.take<int>(kThreads);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  const std::int64_t row = rows[blockIdx.x], last = c_rows[row].hi;
  std::int64_t to = row_ptr[row];
  for (std::int64_t lo = c_rows[row].lo; lo <= last; lo += kWindow) {
    const int columns = static_cast<int>(last - lo < kWindow ? last - lo + 1 : kWindow);
    const int words = (columns + kBits - 1) / kBits;
    mark_window(block, a, b, runs.b_relation, row, group, lo, columns, bits);
    int shift = 0;  // a power of two of words a thread: products look up whose they are
    while (words > kThreads << shift) shift++;
    const int each = 1 << shift, first = block.rank() * each;
    int mine = 0;
    for (int w = first; w < first + each && w < words; w++) {
      within[w] = static_cast<std::uint16_t>(mine);
      mine += __popc(bits[w]);
    }
    int found;
    before[block.rank()] = block.exclusive_sum(mine, found);
    block.sync();
    const auto rank_of_word = [&](int w) { return before[w >> shift] + within[w]; };
    for (int w = block.rank(); w < words; w += block.size()) {
      write_columns(bits[w], static_cast<Column>(lo) + w * kBits, col + to + rank_of_word(w));
    }
    for (int k = block.rank(); k < found; k += block.size()) val[to + k] = T{0};
    block.sync();
    const auto place_of = [&](std::int64_t at) -> int {  // in C's row from `to` on; -1: not in this window
      const std::int64_t far = b.col[at] - lo;
      if (far < 0 || far >= columns) return -1;
      const int column = static_cast<int>(far), w = column / kBits;
      return rank_of_word(w) + static_cast<int>(__popc(bits[w] & (bit_of(column) - 1)));
    };
    if constexpr (kAdding == Adding::atomic)
      walk_in_block(a, a.val, b.ptr, row, group, [&](std::int64_t at, T scale) {
        if (const int place = place_of(at); place >= 0) simt::atomic_add(val + to + place, scale * b.val[at]);
      });
    else
      walk_in_turns(a, b, row, sorted_b, place_of, [&](int place, T product) {
        if (place >= 0) val[to + place] += product;
      });
    block.sync();
    to += found;
  }
}

/// A block a row.
template <BlockShape kShape>
void count_by_blocks(const SymbolicLaunch& l) {
  launch(symbolic_block<kShape.threads, kShape.window>, {.grid = l.rows.count, .block = kShape.threads}, l.stream, l.a,
         l.b, l.rows, l.runs, l.c_rows, l.nnz, l.group);
}
template <BlockShape kShape, class T>
void fill_by_blocks(const NumericLaunch<T>& l) {
  constexpr std::size_t kShared =
      kShape.window / kBits * (sizeof(unsigned) + sizeof(std::uint16_t)) + kShape.threads * sizeof(int);
  const auto chosen = l.in_order ? numeric_block<T, Adding::row_by_row, kShape.threads, kShape.window>
                                 : numeric_block<T, Adding::atomic, kShape.threads, kShape.window>;
  allow_shared(chosen, kShared);
  launch(chosen, {.grid = l.rows.count, .block = kShape.threads, .shared = kShared}, l.stream, l.a, l.b, l.rows, l.runs,
         l.c_rows, l.row_ptr, l.col, l.val, l.group, l.extent.sorted_b);
}

}  // namespace

void symbolic(const SymbolicLaunch& l, int kernel) {
  if (kernel == DeviceRank::kMiddle) return count_by_blocks<kMiddleBlock>(l);
  if (kernel == DeviceRank::kWide) return count_by_blocks<kWideBlock>(l);
  launch(symbolic_narrow, {.grid = (l.rows.count + kGroups - 1) / kGroups, .block = kNarrowThreads}, l.stream, l.a, l.b,
         l.rows, l.runs, l.c_rows, l.nnz, l.group);
}

void count_abandoned(const SymbolicLaunch& l, std::int64_t most) {
  constexpr std::int64_t kBlocks = kShapes.rank.blocks_for_handed_over;  // of a multiprocessor
  launch(symbolic_abandoned,
         {.grid = std::min<std::int64_t>(most, kBlocks * l.device.multiprocessors), .block = kWideBlock.threads},
         l.stream, l.a, l.b, l.abandoned, l.runs, l.c_rows, l.nnz, l.group);
}

template <class T>
void numeric(const NumericLaunch<T>& l, int kernel) {
  if (kernel == DeviceRank::kMiddle) return fill_by_blocks<kMiddleBlock>(l);
  if (kernel == DeviceRank::kWide) return fill_by_blocks<kWideBlock>(l);
  // rows of B that fill the lanes well enough are walked one at a time, without atomics
  constexpr double kFull = kShapes.rank.full_lanes;
  const bool fills = l.group_decided ? l.group == kLanes : l.b_row_avg >= kFull * kLanes;
  const Adding adding = adding_of(l, fills);
  const auto chosen = adding == Adding::row_by_row ? numeric_narrow<T, Adding::row_by_row>
                      : adding == Adding::by_one   ? numeric_narrow<T, Adding::by_one>
                                                   : numeric_narrow<T, Adding::atomic>;
  const Shape shape{.grid = (l.rows.count + kGroups - 1) / kGroups,
                    .block = kNarrowThreads,
                    .shared = narrow_bytes(l.extent.span_max, l.extent.bound_max, sizeof(T))};
  allow_shared(chosen, shape.shared);
  launch(chosen, shape, l.stream, l.a, l.b, l.rows, l.runs, l.c_rows, l.row_ptr, l.col, l.val,
         static_cast<int>((l.extent.span_max + kBits - 1) / kBits + 1), static_cast<int>(l.extent.bound_max),
         adding == Adding::row_by_row ? kLanes : l.group);
}

#define ROWAN_INSTANTIATE(T) template void numeric(const NumericLaunch<T>&, int);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
