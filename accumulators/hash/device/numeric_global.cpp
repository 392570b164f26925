// Hash, numeric, rows beyond all tables in shared memory: by the number of rows in one of two ways (DCU-nsparse,
// section 5.4.2).
#include "accumulators/common/device/shape.hpp"
#include "accumulators/hash/device/fill.hpp"
#include "lib/core/values.hpp"
#include "lib/device/runtime/primitives.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {
namespace {

/// Many rows: tables of twice the bound in global memory, one a block; the grid is as many blocks as there is memory
/// for, each takes row after row. What is in a table is packed and sorted where it is.
template <class T, Adding kAdding>
__global__ void __launch_bounds__(kMostThreads)
    sorted_in_place(Operand<T> a, Operand<T> b, RowList rows, const std::int64_t* row_ptr, Column* col, T* val,
                    int table, int group, bool sorted_b, int part, std::byte* tables, std::size_t table_bytes) {
  if (rows.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  simt::DynamicShared shared;
  const OrderedProducts<T> ordered(shared, part);
  std::byte* const own = tables + blockIdx.x * table_bytes;
  auto* const words = reinterpret_cast<std::uint64_t*>(own);
  T* const sums = reinterpret_cast<T*>(words + table / 2);
  int* const keys = reinterpret_cast<int*>(sums + table);
  for (std::int64_t i = blockIdx.x; i < rows.count; i += gridDim.x) {
    const std::int64_t row = rows[i];
    clear(block, keys, sums, table);
    bool fresh;
    add_in_block<kAdding>(block, ordered, a, b, row, group, sorted_b, sums,
                          [&](int column) { return insert(keys, table, column, fresh); });
    int entries = 0;
    for (int base = 0; base < table; base += block.size()) {
      const int place = base + block.rank();
      const bool full = place < table && keys[place] != kNoKey;
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

/// Few rows: a block a row fills its table in global memory. Slots are named by row and column, empty ones behind the
/// last column, so that the library sorts all tables in one call. `keys` are no longer needed then.
template <class T, Adding kAdding>
__global__ void __launch_bounds__(kMostThreads)
    filled_for_library(Operand<T> a, Operand<T> b, RowList rows, int table, int group, bool sorted_b, int part,
                       int* keys, T* sums, std::uint64_t* words, int column_bits) {
  if (rows.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  simt::DynamicShared shared;
  const OrderedProducts<T> ordered(shared, part);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * table;
  keys += first, sums += first, words += first;
  clear(block, keys, sums, table);
  bool fresh;
  add_in_block<kAdding>(block, ordered, a, b, rows[blockIdx.x], group, sorted_b, sums,
                        [&](int column) { return insert_anywhere(keys, table, column, fresh); });
  for (int k = block.rank(); k < table; k += block.size())
    words[k] = static_cast<std::uint64_t>(blockIdx.x) << column_bits |
               static_cast<std::uint64_t>(keys[k] == kNoKey ? b.cols : keys[k]);
}

/// What the library has sorted, to C: `blocks` blocks a row; nothing in shared memory.
template <class T>
__global__ void __launch_bounds__(kBlockOfGroups)
    copied_from_library(RowList rows, const std::int64_t* row_ptr, Column* col, T* val, int table,
                        const std::uint64_t* words, const T* sums, int column_bits, int blocks) {
  if (rows.cancelled) return;
  const std::int64_t i = blockIdx.x / static_cast<unsigned>(blocks), row = rows[i], to = row_ptr[row];
  const std::int64_t entries = row_ptr[row + 1] - to, threads = static_cast<std::int64_t>(blocks) * blockDim.x;
  for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) % blocks * blockDim.x + threadIdx.x; k < entries;
       k += threads) {
    col[to + k] = static_cast<std::int32_t>(words[i * table + k] & ((std::uint64_t{1} << column_bits) - 1));
    val[to + k] = sums[i * table + k];
  }
}

template <class T>
void by_library(const NumericLaunch<T>& l) {
  constexpr std::int64_t kEntriesABlock = kShapes.hash.library_entries_a_thread * kBlockOfGroups;
  const std::int64_t bound = l.extent.bound_max, n = library_places(l.rows.count, bound);
  const int table = library_table(bound), blocks = static_cast<int>(bound / kEntriesABlock + 1);
  int column_bits = 0, row_bits = 0;
  while (l.b.cols >> column_bits != 0) column_bits++;
  while (l.rows.count >> row_bits != 0) row_bits++;
  auto* const words = reinterpret_cast<std::uint64_t*>(l.tables.data);
  std::uint64_t* const sorted_words = words + n;
  T* const sums = reinterpret_cast<T*>(sorted_words + n);
  T* const sorted_sums = sums + n;
  std::byte* const scratch = reinterpret_cast<std::byte*>(sorted_sums + n);
  const int part = part_of(l, kMostThreads, 0);
  const auto kernel = l.in_order ? filled_for_library<T, Adding::in_order> : filled_for_library<T, Adding::atomic>;
  const std::size_t shared = OrderedProducts<T>::bytes(part);
  allow_shared(kernel, shared);
  launch(kernel, {.grid = l.rows.count, .block = kMostThreads, .shared = shared}, l.stream, l.a, l.b, l.rows, table,
         l.group, l.extent.sorted_b, part, reinterpret_cast<int*>(sorted_words), sums, words, column_bits);
  sort_pairs<T>(scratch, l.tables.bytes - static_cast<std::size_t>(scratch - l.tables.data),
                {words, sorted_words, sums, sorted_sums, l.rows.count * table, column_bits + row_bits}, l.stream);
  launch(copied_from_library<T>, {.grid = l.rows.count * blocks, .block = kBlockOfGroups}, l.stream, l.rows, l.row_ptr,
         l.col, l.val, table, sorted_words, sorted_sums, column_bits, blocks);
}

template <class T>
void in_place(const NumericLaunch<T>& l) {
  // a table of at least two places: the words take half of them
  const std::int64_t bound = l.extent.bound_max;
  const std::size_t bytes = numeric_table_bytes(bound, sizeof(T));
  const std::int64_t blocks = std::min<std::int64_t>(l.rows.count, static_cast<std::int64_t>(l.tables.bytes / bytes));
  const int part = part_of(l, kMostThreads, 0);
  const auto kernel = l.in_order ? sorted_in_place<T, Adding::in_order> : sorted_in_place<T, Adding::atomic>;
  const std::size_t shared = OrderedProducts<T>::bytes(part);
  allow_shared(kernel, shared);
  launch(kernel, {.grid = blocks, .block = kMostThreads, .shared = shared}, l.stream, l.a, l.b, l.rows, l.row_ptr,
         l.col, l.val, static_cast<int>(next_power_of_two(2 * bound)), l.group, l.extent.sorted_b, part, l.tables.data,
         bytes);
}

}  // namespace

template <class T>
void in_global_memory(const NumericLaunch<T>& l) {
  sorts_by_library(l.table_rules, l.rows.count, l.extent.bound_max, sizeof(T)) ? by_library(l) : in_place(l);
}

#define ROWAN_INSTANTIATE(T) template void in_global_memory(const NumericLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

template <class T>
std::size_t numeric_table_memory(const TableRules& rules, std::int64_t rows, std::int64_t bound, int multiprocessors) {
  if (!sorts_by_library(rules, rows, bound, sizeof(T)))
    return bytes_in_turns(numeric_table_bytes(bound, sizeof(T)), rows, multiprocessors);
  const std::int64_t n = library_places(rows, bound);
  return library_bytes(n, sizeof(T)) + sort_pairs_bytes<T>(n);
}

#define ROWAN_INSTANTIATE(T) \
  template std::size_t numeric_table_memory<T>(const TableRules&, std::int64_t, std::int64_t, int);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
