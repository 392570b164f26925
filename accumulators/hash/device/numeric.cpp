// Hash, numeric: values are summed in the table; its entries are packed, sorted by column and written out. The order of
// a sum is that of the atomics, or the textbook's where products are added in any other way (walk.hpp).
#include "accumulators/device/shape.hpp"
#include "accumulators/device/walk.hpp"
#include "accumulators/hash/device/hash.hpp"
#include "accumulators/hash/device/table.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {
namespace {

template <class Scope, class T>
__device__ void clear(const Scope& scope, int* keys, T* sums, int table) {
  for (int k = scope.rank(); k < table; k += scope.size()) keys[k] = kEmpty, sums[k] = T{0};
  scope.sync();
}

/// Packs the table's entries over its keys as words: each thread's are in its registers before anything is overwritten.
/// Rounds up to a power of two; returns how many entries there are.
template <class Scope>
__device__ int pack(const Scope& scope, int* keys, std::uint64_t* words) {
  int mine[kPlacesAThread], count = 0;
  ROWAN_UNROLL
  for (int p = 0; p < kPlacesAThread; p++) {
    mine[p] = keys[scope.rank() + p * scope.size()];
    count += mine[p] != kEmpty ? 1 : 0;
  }
  int entries;
  int at = scope.exclusive_sum(count, entries);
  scope.sync();
  ROWAN_UNROLL
  for (int p = 0; p < kPlacesAThread; p++)
    if (mine[p] != kEmpty) words[at++] = word_of(mine[p], scope.rank() + p * scope.size());
  const int all = static_cast<int>(next_power_of_two(entries));
  for (int k = entries + scope.rank(); k < all; k += scope.size()) words[k] = kLast;
  scope.sync();
  return entries;
}

template <class Scope, class T>
__device__ void write_row(const Scope& scope, const std::uint64_t* words, const T* sums, int entries, std::int64_t from,
                          std::int32_t* col, T* val) {
  for (int k = scope.rank(); k < entries; k += scope.size()) {
    const std::uint64_t word = words[k];
    col[from + k] = column_of(word);
    val[from + k] = sums[place_of(word)];
  }
  scope.sync();  // all are done with the table
}

template <class T, Adding kAdding>
__global__ void __launch_bounds__(kBlockOfGroups)
    numeric_lanes(Operand<T> a, Operand<T> b, RowList rows, const std::int64_t* row_ptr, std::int32_t* col, T* val,
                  int threads, int table, int most_words, int group) {
  constexpr bool kAlone = kAdding == Adding::row_by_row;
  const Lanes lanes(threads);
  const int groups = kBlockOfGroups / threads, mine = static_cast<int>(threadIdx.x) / threads;
  simt::DynamicShared shared;
  const int sum_pitch = table + threads, word_pitch = most_words + threads;  // neighbours begin in different banks
  T* const sums = shared.take<T>(groups * sum_pitch) + mine * sum_pitch;
  auto* const words = shared.take<std::uint64_t>(groups * word_pitch) + mine * word_pitch;
  int* const keys = reinterpret_cast<int*>(words);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * groups + mine;
  if (i >= rows.count) return;
  const std::int64_t row = rows[i];
  clear(lanes, keys, sums, table);
  const auto take = [&](std::int64_t at, T scale) {
    bool fresh;
    const int place = insert(keys, table, b.col[at], fresh);
    const T product = scale * b.val[at];
    if constexpr (kAdding == Adding::atomic)
      simt::atomic_add(sums + place, product);
    else
      sums[place] += product;
  };
  if constexpr (kAdding == Adding::by_one) {
    if (lanes.rank() == 0) walk_by_one(a, b.ptr, row, take);
  } else {
    walk(lanes, a, a.val, b.ptr, row, group, take, [&] {
      if constexpr (kAlone) lanes.sync();
    });
  }
  lanes.sync();
  const int entries = pack(lanes, keys, words);
  if (threads <= kMostCounting && entries <= kCounted * threads)
    counting_sort(lanes, words, entries);
  else
    bitonic_sort(lanes, words, static_cast<int>(next_power_of_two(entries)));
  write_row(lanes, words, sums, entries, row_ptr[row], col, val);
}

/// The products of a row, into a block's table.
template <Adding kAdding, class T>
__device__ void add_in_block(const Operand<T>& a, const Operand<T>& b, std::int64_t row, int group, bool sorted_b,
                             int* keys, T* sums, int table) {
  bool fresh;
  if constexpr (kAdding == Adding::atomic)
    walk_in_block(a, a.val, b.ptr, row, group, [&](std::int64_t at, T scale) {
      simt::atomic_add(sums + insert(keys, table, b.col[at], fresh), scale * b.val[at]);
    });
  else
    walk_in_turns(
        a, b, row, sorted_b, [&](std::int64_t at) { return insert(keys, table, b.col[at], fresh); },
        [&](int place, T product) { sums[place] += product; });
  __syncthreads();
}

template <class T, Adding kAdding>
__global__ void __launch_bounds__(kMostThreads)
    numeric_block(Operand<T> a, Operand<T> b, RowList rows, const std::int64_t* row_ptr, std::int32_t* col, T* val,
                  int table, int most_words, int group, bool sorted_b) {
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  simt::DynamicShared shared;
  T* const sums = shared.take<T>(table);
  auto* const words = shared.take<std::uint64_t>(most_words);
  int* const keys = reinterpret_cast<int*>(words);
  const std::int64_t row = rows[blockIdx.x];
  clear(block, keys, sums, table);
  add_in_block<kAdding>(a, b, row, group, sorted_b, keys, sums, table);
  const int entries = pack(block, keys, words);
  bitonic_sort(block, words, static_cast<int>(next_power_of_two(entries)));
  write_row(block, words, sums, entries, row_ptr[row], col, val);
}

/// Tables in global memory, one a block; rows in turns.
template <class T, Adding kAdding>
__global__ void __launch_bounds__(kMostThreads)
    numeric_global(Operand<T> a, Operand<T> b, RowList rows, const std::int64_t* row_ptr, std::int32_t* col, T* val,
                   int table, int group, bool sorted_b, std::byte* tables, std::size_t table_bytes) {
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  std::byte* const own = tables + blockIdx.x * table_bytes;
  auto* const words = reinterpret_cast<std::uint64_t*>(own);
  T* const sums = reinterpret_cast<T*>(words + table / 2);
  int* const keys = reinterpret_cast<int*>(sums + table);
  for (std::int64_t i = blockIdx.x; i < rows.count; i += gridDim.x) {
    const std::int64_t row = rows[i];
    clear(block, keys, sums, table);
    add_in_block<kAdding>(a, b, row, group, sorted_b, keys, sums, table);
    int entries = 0;
    for (int base = 0; base < table; base += block.size()) {
      const int place = base + block.rank();
      const bool full = place < table && keys[place] != kEmpty;
      int found;
      const int at = block.exclusive_sum(full ? 1 : 0, found);
      if (full) words[entries + at] = word_of(keys[place], place);
      entries += found;
    }
    const int all = static_cast<int>(next_power_of_two(entries));
    for (int k = entries + block.rank(); k < all; k += block.size()) words[k] = kLast;
    block.sync();
    bitonic_sort(block, words, all);
    write_row(block, words, sums, entries, row_ptr[row], col, val);
  }
}

template <class T>
void in_global_memory(const NumericLaunch<T>& l) {
  // a table of at least two places: the words take half of them
  const std::int64_t bound = l.extent.bound_max;
  const std::size_t bytes = numeric_table_bytes(bound, sizeof(T));
  const std::int64_t blocks = std::min<std::int64_t>(l.rows.count, static_cast<std::int64_t>(l.tables.bytes / bytes));
  launch(l.in_order ? numeric_global<T, Adding::row_by_row> : numeric_global<T, Adding::atomic>,
         {.grid = blocks, .block = kMostThreads}, l.stream, l.a, l.b, l.rows, l.row_ptr, l.col, l.val,
         static_cast<int>(next_power_of_two(2 * bound)), l.group, l.extent.sorted_b, l.tables.data, bytes);
}

}  // namespace

template <class T>
void numeric(const NumericLaunch<T>& l, int kernel) {
  if (kernel == static_cast<int>(kNumeric.size())) return in_global_memory(l);
  const Size& s = kNumeric[static_cast<std::size_t>(kernel)];
  const std::int64_t rows = rows_a_block(s);
  const int words = most_words(s.table, l.room);
  const Shape shape{.grid = (l.rows.count + rows - 1) / rows,
                    .block = threads_a_block(s),
                    .shared = numeric_bytes(s, sizeof(T), l.room)};
  if (s.threads > kMostLanes) {
    const auto block = l.in_order ? numeric_block<T, Adding::row_by_row> : numeric_block<T, Adding::atomic>;
    allow_shared(block, shape.shared);
    launch(block, shape, l.stream, l.a, l.b, l.rows, l.row_ptr, l.col, l.val, s.table, words, l.group,
           l.extent.sorted_b);
    return;
  }
  // rows of B that fill the lanes well enough are walked one at a time, without atomics
  constexpr double kFull = 0.4;
  const bool fills = l.group_decided ? l.group == s.threads : l.b_row_avg >= kFull * s.threads;
  const Adding adding = adding_of(l, fills);
  const auto kernel_of_lanes = adding == Adding::row_by_row ? numeric_lanes<T, Adding::row_by_row>
                               : adding == Adding::by_one   ? numeric_lanes<T, Adding::by_one>
                                                            : numeric_lanes<T, Adding::atomic>;
  allow_shared(kernel_of_lanes, shape.shared);
  launch(kernel_of_lanes, shape, l.stream, l.a, l.b, l.rows, l.row_ptr, l.col, l.val, s.threads, s.table, words,
         adding == Adding::row_by_row ? s.threads : l.group);
}

template void numeric(const NumericLaunch<float>&, int);
template void numeric(const NumericLaunch<double>&, int);

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
