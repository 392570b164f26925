// Hash, numeric: values are summed in the table; its entries are packed, sorted by column and written out. The order of
// a sum is that of the atomics, or the textbook's where products are added in any other way (in_order.hpp).
#include "accumulators/common/device/shape.hpp"
#include "accumulators/hash/device/fill.hpp"
#include "accumulators/hash/device/sorts.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {
namespace {

/// Packs the table's entries over its keys as words: each thread's are in its registers before anything is overwritten.
/// Rounds up to a power of two; returns how many entries there are.
template <class Scope>
__device__ int pack(const Scope& scope, int* keys, std::uint64_t* words) {
  int mine[kSlotsAThread], count = 0;
  ROWAN_UNROLL
  for (int p = 0; p < kSlotsAThread; p++) {
    mine[p] = keys[scope.rank() + p * scope.size()];
    count += mine[p] != kNoKey ? 1 : 0;
  }
  int entries;
  int at = scope.exclusive_sum(count, entries);
  scope.sync();
  ROWAN_UNROLL
  for (int p = 0; p < kSlotsAThread; p++)
    if (mine[p] != kNoKey) words[at++] = word_of(mine[p], scope.rank() + p * scope.size());
  const int all = static_cast<int>(next_power_of_two(entries));
  for (int k = entries + scope.rank(); k < all; k += scope.size()) words[k] = kLast;
  scope.sync();
  return entries;
}

/// The row of a table that was sorted whole: entries stand behind all empty places.
template <class Scope, class T>
__device__ void write_places(const Scope& scope, const int* keys, const T* sums, int table, const std::int64_t* row_ptr,
                             std::int64_t row, Column* col, T* val) {
  const std::int64_t from = row_ptr[row];
  const int entries = static_cast<int>(row_ptr[row + 1] - from), first = table - entries;
  for (int k = scope.rank(); k < entries; k += scope.size()) {
    col[from + k] = keys[first + k];
    val[from + k] = sums[first + k];
  }
  scope.sync();
}

/// Packed words in the order of their columns, which are those of `c_row`.
template <TableSort kSort, class Scope>
__device__ void sort_words(const Scope& scope, std::uint64_t* words, int entries, const CRow& c_row, int* counters) {
  if constexpr (std::is_same_v<Scope, Lanes>)
    if (scope.size() <= kMostCounting && entries <= kCounted * scope.size())
      return counting_sort(scope, words, entries);
  if (kSort == TableSort::radix && scope.size() >= kDigits)
    radix_sort(scope, words, entries, c_row.lo, c_row.hi, counters);
  else
    bitonic_sort(scope, words, static_cast<int>(next_power_of_two(entries)));
}

/// `threads` lanes a row, the grid as many blocks as rows need. Shared memory, for each row: the sums of its table, and
/// words, in whose memory the keys are until they are packed.
template <class T, Adding kAdding, TableSort kSort>
__global__ void __launch_bounds__(kBlockOfGroups)
    numeric_lanes(Operand<T> a, Operand<T> b, RowList rows, const CRow* c_rows, const std::int64_t* row_ptr,
                  Column* col, T* val, int threads, int table, int most_words, int group) {
  if (rows.cancelled) return;
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
  const auto place_of = [&](Column column) {
    bool fresh;
    return insert(keys, table, column, fresh);
  };
  if constexpr (kAdding == Adding::in_order)
    add_in_order(lanes, a, b, row, sums, place_of);
  else if constexpr (kAdding == Adding::row_by_row)
    walk_row_by_row(lanes, a, b, row, [&](Column column, T product) { sums[place_of(column)] += product; });
  else
    walk(lanes, a, a.val, b.ptr, row, group,
         [&](std::int64_t at, T scale) { simt::atomic_add(sums + place_of(b.col[at]), scale * b.val[at]); });
  lanes.sync();
  if constexpr (kSort == TableSort::whole) {
    sort_places(lanes, keys, sums, table);
    write_places(lanes, keys, sums, table, row_ptr, row, col, val);
  } else {
    const int entries = pack(lanes, keys, words);
    sort_words<kSort>(lanes, words, entries, c_rows[row], nullptr);
    write_row(lanes, words, sums, entries, row_ptr[row], col, val);
  }
}

/// A block a row. Shared memory: the table's sums, words and keys as above, counters where it is sorted by radix, and
/// `part` ordered products.
template <class T, Adding kAdding, TableSort kSort>
__global__ void __launch_bounds__(kMostThreads)
    numeric_block(Operand<T> a, Operand<T> b, RowList rows, const CRow* c_rows, const std::int64_t* row_ptr,
                  Column* col, T* val, int table, int most_words, int counters, int part, int group, bool sorted_b) {
  if (rows.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  simt::DynamicShared shared;
  T* const sums = shared.take<T>(table);
  auto* const words = shared.take<std::uint64_t>(most_words);
  int* const keys = reinterpret_cast<int*>(words);
  int* const digits = kSort == TableSort::radix ? shared.take<int>(counters) : nullptr;
  const OrderedProducts<T> ordered(shared, part);
  const std::int64_t row = rows[blockIdx.x];
  clear(block, keys, sums, table);
  bool fresh;
  add_in_block<kAdding>(block, ordered, a, b, row, group, sorted_b, sums,
                        [&](int column) { return insert(keys, table, column, fresh); });
  if constexpr (kSort == TableSort::whole) {
    sort_places(block, keys, sums, table);
    write_places(block, keys, sums, table, row_ptr, row, col, val);
  } else {
    const int entries = pack(block, keys, words);
    sort_words<kSort>(block, words, entries, c_rows[row], digits);
    write_row(block, words, sums, entries, row_ptr[row], col, val);
  }
}

template <TableSort kSort, class T>
void in_shared_memory(const NumericLaunch<T>& l, const TableSize& s) {
  const std::int64_t rows = rows_a_block(s);
  const TableSort sort = l.table_rules.sort;
  const int words = most_words(s.table, l.room, sort);
  Shape shape{.grid = (l.rows.count + rows - 1) / rows,
              .block = threads_a_block(s),
              .shared = numeric_bytes(s, sizeof(T), l.room, sort)};
  if (s.threads > kMostLanes) {
    const auto block = l.in_order ? numeric_block<T, Adding::in_order, kSort> : numeric_block<T, Adding::atomic, kSort>;
    const int part = part_of(l, s.threads, shape.shared);
    shape.shared += OrderedProducts<T>::bytes(part);
    allow_shared(block, shape.shared);
    launch(block, shape, l.stream, l.a, l.b, l.rows, l.c_rows, l.row_ptr, l.col, l.val, s.table, words,
           digit_counters(s, sort), part, l.group, l.extent.sorted_b);
    return;
  }
  // rows of B that fill the lanes well enough are walked one at a time, without atomics
  // (but a row of A with thousands of entries, one wait for memory after another, held up all others: a web graph 741
  // us of 3,570 for 48 rows)
  constexpr double kFull = kShapes.hash.full_lanes;
  constexpr std::int64_t kMostInTurn = kShapes.hash.most_rows_in_turn;
  const bool fills =
      l.group_decided ? l.group == s.threads : l.b_row_avg >= kFull * s.threads && l.extent.a_nnz_max <= kMostInTurn;
  const Adding adding = adding_of(l, fills);
  const auto kernel_of_lanes = adding == Adding::row_by_row ? numeric_lanes<T, Adding::row_by_row, kSort>
                               : adding == Adding::in_order ? numeric_lanes<T, Adding::in_order, kSort>
                                                            : numeric_lanes<T, Adding::atomic, kSort>;
  allow_shared(kernel_of_lanes, shape.shared);
  launch(kernel_of_lanes, shape, l.stream, l.a, l.b, l.rows, l.c_rows, l.row_ptr, l.col, l.val, s.threads, s.table,
         words, l.group);
}

}  // namespace

template <class T>
void numeric(const NumericLaunch<T>& l, int kernel) {
  if (kernel == static_cast<int>(kNumeric.size())) return in_global_memory(l);
  const TableSize& s = kNumeric[static_cast<std::size_t>(kernel)];
  switch (sort_of(s, l.table_rules.sort)) {
    case TableSort::radix:
      return in_shared_memory<TableSort::radix>(l, s);
    case TableSort::whole:
      return in_shared_memory<TableSort::whole>(l, s);
    default:
      return in_shared_memory<TableSort::bitonic>(l, s);
  }
}

#define ROWAN_INSTANTIATE(T) template void numeric(const NumericLaunch<T>&, int);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
