#include "accumulators/dense/device/rank.hpp"

#include "accumulators/common/device/in_order.hpp"
#include "accumulators/common/device/shape.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

// Threads of a multiprocessor that kernels of blocks leave registers for: most of the time loads are waited for. With
// turns as many as shared memory does.
constexpr int kThreadsOfSymbolic = 2048, kThreadsOfNumeric = 1536, kThreadsOfTurns = 1024;
/// Blocks of a multiprocessor. The widest ones take most of its shared memory.
constexpr int blocks_of_symbolic(int window, int threads) noexcept {
  return window == kWidestBlock.window ? 1 : kThreadsOfSymbolic / threads;
}

constexpr int kNarrowWords = static_cast<int>(kNarrowSpan) / kBits;
constexpr int kGroups = kNarrowThreads / kLanes;  // rows of a block of narrow ones

/// kLanes lanes a row, the grid as many blocks as rows need. Shared memory: a bitmap of kNarrowWords for each row.
__global__ void __launch_bounds__(kNarrowThreads) symbolic_narrow(Pattern a, Pattern b, RowList rows, RunFacts runs,
                                                                  const CRow* c_rows, std::int64_t* nnz, int group) {
  if (rows.cancelled) return;
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
  walk<NoValue>(lanes, a, nullptr, {b.ptr, runs.b_relation}, row, group,
                [&](std::int64_t at, NoValue) { mark(bits, b.col[at] - lo); });
  lanes.sync();
  int found = 0;
  for (int w = lanes.rank(); w < words; w += kLanes) found += __popc(bits[w]);
  found = lanes.sum(found);
  if (lanes.rank() == 0) nnz[row] = found;
}

/// Some columns of a row's span, which a bitmap holds.
struct Window {
  Column lo;
  int columns;

  [[nodiscard]] __device__ int words() const { return (columns + kBits - 1) / kBits; }
  /// A column's place in the bitmap, or -1.
  [[nodiscard]] __device__ int place(Column column) const {
    const auto far = static_cast<unsigned>(column - lo);
    return far < static_cast<unsigned>(columns) ? static_cast<int>(far) : -1;
  }
};

/// From column `lo` of a row's span on.
__device__ Window window_at(std::int64_t lo, std::int64_t last, int most) {
  return {static_cast<Column>(lo), last - lo < most ? static_cast<int>(last - lo + 1) : most};
}

/// What the walk of a window meets of B: all columns where the window holds the row's whole span, or where rows of B
/// are in any order. To look at all products for each window took webbase 4.05 ms in place of 3.46.
__device__ ColumnsOfB columns_of(const Pattern& b, const Window& window, const CRow& row, bool sorted_b) {
  if (!sorted_b || window.columns == row.span()) return {};
  return {b.col, window.lo, window.lo + window.columns};
}

/// The block's bitmap of a row's columns in the window.
template <class V, int kThreads>
__device__ void mark_window(StagedEntries<V, kThreads>& staged, const Pattern& a, const Pattern& b,
                            const std::uint8_t* b_relation, const ColumnsOfB& columns, std::int64_t row, int group,
                            const Window& window, unsigned* bits) {
  for (int w = static_cast<int>(threadIdx.x); w < window.words(); w += kThreads) bits[w] = 0;
  __syncthreads();
  walk_staged<V>(
      staged, a, nullptr, {b.ptr, b_relation}, columns, row, group, [&](std::int64_t at) { return b.col[at]; },
      [&](Column column, V) {
        if (const int place = window.place(column); place >= 0) mark(bits, place);
      });
  __syncthreads();
}

/// Where the row's bitmap is saved, two words in a SavedWord; negative: nowhere. All threads of the block together.
__device__ std::int64_t room_for_bitmap(const WholeBlock& block, const SavedBitmaps& keep, const CRow& row,
                                        std::int64_t number) {
  const std::int64_t words = (row.span() + kBits - 1) / kBits, n = (words + 1) / 2;
  if (keep.of_row == nullptr || words * kProductsASavedWord > static_cast<std::int64_t>(row.nprod)) return -1;
  const std::int64_t from = block.sum(block.rank() == 0 ? simt::atomic_add(keep.used, n) : std::int64_t{0});
  if (from + n > keep.room) return -1;
  if (block.rank() == 0) keep.of_row[number] = {static_cast<std::int32_t>(from), -static_cast<std::int32_t>(n)};
  return from;
}
/// The bitmap of a window, to where it is saved or back.
__device__ void save_window(const unsigned* bits, int words, SavedWord* to) {
  for (int w = 2 * static_cast<int>(threadIdx.x); w < words; w += 2 * static_cast<int>(blockDim.x))
    to[w / 2] = {bits[w], w + 1 < words ? bits[w + 1] : 0U};
}
__device__ void load_window(const SavedWord* from, int words, unsigned* bits) {
  for (int w = 2 * static_cast<int>(threadIdx.x); w < words; w += 2 * static_cast<int>(blockDim.x)) {
    const SavedWord two = from[w / 2];
    bits[w] = two.bits;
    if (w + 1 < words) bits[w + 1] = two.packed;
  }
  __syncthreads();
}

/// A row's entries, window by window.
template <int kThreads, int kWindow>
__device__ void count_row(const WholeBlock& block, StagedEntries<NoValue, kThreads>& staged, const Pattern& a,
                          const Pattern& b, const RunFacts& runs, const CRow* c_rows, std::int64_t row,
                          std::int64_t* nnz, int group, bool sorted_b, unsigned* bits) {
  const CRow facts = c_rows[row];
  const std::int64_t saved = room_for_bitmap(block, runs.saved, facts, row);
  std::int64_t found = 0;
  for (std::int64_t lo = facts.lo; lo <= facts.hi; lo += kWindow) {
    const Window window = window_at(lo, facts.hi, kWindow);
    mark_window(staged, a, b, runs.b_relation, columns_of(b, window, facts, sorted_b), row, group, window, bits);
    if (saved >= 0) save_window(bits, window.words(), runs.saved.words + saved + (lo - facts.lo) / (2 * kBits));
    int mine = 0;
    for (int w = block.rank(); w < window.words(); w += kThreads) mine += __popc(bits[w]);
    found += block.sum(mine);
  }
  if (block.rank() == 0) nnz[row] = found;
}

/// A block a row, window by window. Shared memory: the bitmap of a window, entries of A.
template <int kThreads, int kWindow>
__global__ void ROWAN_LAUNCH_BOUNDS(kThreads, blocks_of_symbolic(kWindow, kThreads))
    symbolic_block(Pattern a, Pattern b, RowList rows, RunFacts runs, const CRow* c_rows, std::int64_t* nnz, int group,
                   bool sorted_b, int most_words) {
  if (rows.cancelled) return;
  using Staged = StagedEntries<NoValue, kThreads>;
  simt::DynamicShared shared;
  unsigned* const bits = shared.take<unsigned>(most_words);
  ROWAN_SHARED(Staged, staged, 1);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  count_row<kThreads, kWindow>(WholeBlock(scratch), *staged, a, b, runs, c_rows, rows[blockIdx.x], nnz, group, sorted_b,
                               bits);
}

/// Rows that other kernels have listed; how many, only the device knows: a fixed grid, whose blocks take row after row.
/// Shared memory as symbolic_block.
__global__ void ROWAN_LAUNCH_BOUNDS(kWideBlock.threads, kThreadsOfSymbolic / kWideBlock.threads)
    symbolic_abandoned(Pattern a, Pattern b, AbandonedRows abandoned, RunFacts runs, const CRow* c_rows,
                       std::int64_t* nnz, int group, bool sorted_b) {
  using Staged = StagedEntries<NoValue, kWideBlock.threads>;
  ROWAN_SHARED(unsigned, bits, kWideBlock.window / kBits);
  ROWAN_SHARED(Staged, staged, 1);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  for (int i = static_cast<int>(blockIdx.x); i < *abandoned.count; i += static_cast<int>(gridDim.x))
    count_row<kWideBlock.threads, kWideBlock.window>(WholeBlock(scratch), *staged, a, b, runs, c_rows,
                                                     abandoned.list[i], nnz, group, sorted_b, bits);
}

/// kLanes lanes a row, the grid as many blocks as rows need. Shared memory, for each row: sums, the bitmap, bits before
/// each of its words. `least`: row by row only where the rows of B that a row meets have so many entries on average: a
/// row of 531 entries that met rows of one held up a web graph's product for 165 of 400 us. 0: that is not looked at,
/// and `group` lanes walk a row of B.
template <class T, Adding kAdding>
__global__ void __launch_bounds__(kNarrowThreads)
    numeric_narrow(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const CRow* c_rows,
                   const std::int64_t* row_ptr, Column* col, T* val, int most_words, int most_entries, int group,
                   float least) {
  if (rows.cancelled) return;
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
  const auto products = static_cast<std::int64_t>(c_rows[row].nprod), of_a = a.length(row);
  const int own = least != 0 ? group_size(products, of_a, kLanes) : group;
  for (int w = lanes.rank(); w < words; w += kLanes) bits[w] = 0;
  for (int k = lanes.rank(); k < entries; k += kLanes) sums[k] = T{0};
  lanes.sync();
  walk<NoValue>(lanes, a, nullptr, {b.ptr, runs.b_relation}, row, own,
                [&](std::int64_t at, NoValue) { mark(bits, b.col[at] - lo); });
  lanes.sync();
  rank_words(lanes, bits, before, words);
  lanes.sync();
  const auto place_of = [&](Column column) { return rank_of(bits, before, column - lo); };
  if constexpr (kAdding == Adding::in_order) {
    add_in_order(lanes, a, b, row, sums, place_of);
  } else if (kAdding == Adding::row_by_row && static_cast<float>(products) >= least * static_cast<float>(of_a)) {
    walk_row_by_row(lanes, a, b, row, [&](Column column, T product) { sums[place_of(column)] += product; });
  } else {
    walk(lanes, a, a.val, b.ptr, row, own,
         [&](std::int64_t at, T scale) { simt::atomic_add(sums + place_of(b.col[at]), scale * b.val[at]); });
  }
  lanes.sync();
  write_bitmap(
      lanes, bits, words, entries, lo, [&](int w) { return static_cast<int>(before[w]); }, col + to);
  for (int k = lanes.rank(); k < entries; k += kLanes) val[to + k] = sums[k];
}

/// The bits before each word of a block's bitmap: 16 bits a word as long as that is enough, else in two levels, bits
/// before a thread's words and before each word within them.
template <int kThreads>
struct WordRanks {
  std::uint16_t* within;
  int* before;  // kThreads of them
  int shift;    // a thread has so many words, a power of two: products look up whose they are
  bool two_levels;

  /// How many bits there are.
  __device__ int count(const WholeBlock& block, const unsigned* bits, int words) {
    shift = 0;
    while (words > kThreads << shift) shift++;
    const int first = block.rank() << shift, end = first + (1 << shift) < words ? first + (1 << shift) : words;
    int mine = 0, found;
    for (int w = first; w < end; w++) mine += __popc(bits[w]);
    const int upto = block.exclusive_sum(mine, found);
    two_levels = found > UINT16_MAX;
    if (two_levels) before[block.rank()] = upto;
    int rank = two_levels ? 0 : upto;
    for (int w = first; w < end; w++) {
      within[w] = static_cast<std::uint16_t>(rank);
      rank += __popc(bits[w]);
    }
    return found;
  }
  __device__ int operator()(int w) const { return two_levels ? before[w >> shift] + within[w] : within[w]; }
};

/// Shared memory of a block's bitmap of so many words and their ranks, without sums.
template <int kThreads>
[[nodiscard]] constexpr std::size_t bitmap_bytes(int words) {
  return static_cast<std::size_t>(words) * (sizeof(unsigned) + sizeof(std::uint16_t)) + kThreads * sizeof(int);
}

/// Memory, in words of 8 bytes, of entries of A that are staged or of a part that is added in order.
template <class T, int kThreads>
[[nodiscard]] constexpr int words_of_products(int part) {
  constexpr auto kStaged = static_cast<int>((sizeof(StagedEntries<T, kThreads>) + 7) / 8);
  const int ordered = OrderedProducts<T>::words(part);
  return ordered < kStaged ? kStaged : ordered;
}

template <class T, int kThreads>
[[nodiscard]] constexpr std::size_t bytes_of_products(int part) {
  return static_cast<std::size_t>(words_of_products<T, kThreads>(part)) * sizeof(std::int64_t);
}

/// A block a row, by windows of most_columns; bitmaps that were saved are not made again. Shared memory: the bitmap of
/// a window, its ranks, entries of A. kTurns: products are added in order, `part` at a time, to sums in shared memory
/// in a window with at most most_sums entries; a window with more, and all without kTurns, has its sums in C.
template <class T, bool kTurns, int kThreads>
__global__ void ROWAN_LAUNCH_BOUNDS(kThreads, (kTurns ? kThreadsOfTurns : kThreadsOfNumeric) / kThreads)
    numeric_block(Operand<T> a, Operand<T> b, RowList rows, RunFacts runs, const CRow* c_rows,
                  const std::int64_t* row_ptr, Column* col, T* val, int group, bool in_order, bool sorted_b,
                  int most_columns, int most_words, int most_sums, int part) {
  if (rows.cancelled) return;
  simt::DynamicShared shared;
  // the two are not in use at the same time
  auto* const memory = shared.take<std::int64_t>(words_of_products<T, kThreads>(kTurns ? part : 0));
  auto* const staged = reinterpret_cast<StagedEntries<T, kThreads>*>(memory);
  const OrderedProducts<T> ordered(memory, part);
  T* const near_sums = kTurns ? shared.take<T>(most_sums) : nullptr;
  unsigned* const bits = shared.take<unsigned>(most_words);
  int* const before = shared.take<int>(kThreads);
  auto* const within = shared.take<std::uint16_t>(most_words);
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  const WholeBlock block(scratch);
  // sums in C are bound by additions in the second-level cache, of which long rows have the most (R-MAT 17 ms for 15)
  const std::int64_t row = kTurns ? rows[blockIdx.x] : rows.mixed(blockIdx.x);
  const CRow facts = c_rows[row];
  const std::int64_t first = facts.lo, last = facts.hi;
  const SavedRange saved = runs.saved.of_row == nullptr ? SavedRange{0, 0} : runs.saved.of_row[row];
  std::int64_t to = row_ptr[row];
  for (std::int64_t lo = first; lo <= last; lo += most_columns) {
    const Window window = window_at(lo, last, most_columns);
    const ColumnsOfB columns = columns_of(b, window, facts, sorted_b);
    if (saved.n < 0)
      load_window(runs.saved.words + saved.from + (lo - first) / (2 * kBits), window.words(), bits);
    else
      mark_window(*staged, a, b, runs.b_relation, columns, row, group, window, bits);
    WordRanks<kThreads> ranks{within, before, 0, false};
    const int found = ranks.count(block, bits, window.words());
    const bool near = kTurns && found <= most_sums;
    T* const sums = near ? near_sums : val + to;
    for (int k = block.rank(); k < found; k += kThreads) sums[k] = T{0};
    block.sync();
    write_bitmap(block, bits, window.words(), found, window.lo, ranks, col + to);
    const auto place_of = [&](Column column) -> int {  // of its sum
      const int place = window.place(column);
      return place < 0 ? kNoPlace
                       : ranks(place / kBits) + static_cast<int>(__popc(bits[place / kBits] & (bit_of(place) - 1)));
    };
    if (kTurns && (near || in_order)) {
      if constexpr (kTurns) add_in_order(block, ordered, a, b, columns, row, sorted_b, sums, place_of);
      if (near)
        for (int k = block.rank(); k < found; k += kThreads) val[to + k] = near_sums[k];
    } else {
      struct Factor {
        Column column;
        T value;
      };
      walk_staged(
          *staged, a, a.val, b.ptr, columns, row, group,
          [&](std::int64_t at) {
            return Factor{b.col[at], b.val[at]};
          },
          [&](const Factor& factor, T scale) {
            if (const int place = place_of(factor.column); place != kNoPlace)
              simt::atomic_add(sums + place, scale * factor.value);
          });
    }
    block.sync();
    to += found;
  }
}

/// Words of the bitmap of the widest row's first window, an even number: bitmaps are saved two words at a time, and
/// nvcc loads both together where the second is not there.
[[nodiscard]] int words_of_window(const RowExtent& rows, int window) {
  constexpr int kTwo = 2 * kBits;
  return static_cast<int>((std::min<std::int64_t>(rows.span_max, window) + kTwo - 1) / kTwo * 2);
}

/// A block a row.
template <BlockShape kShape>
void count_by_blocks(const SymbolicLaunch& l) {
  const int words = words_of_window(l.extent, kShape.window);
  const std::size_t bitmap = static_cast<std::size_t>(words) * sizeof(unsigned);
  const auto chosen = symbolic_block<kShape.threads, kShape.window>;
  allow_shared(chosen, bitmap, sizeof(StagedEntries<NoValue, kShape.threads>));
  launch(chosen, {.grid = l.rows.count, .block = kShape.threads, .shared = bitmap}, l.stream, l.a, l.b, l.rows, l.runs,
         l.c_rows, l.nnz, l.group, l.extent.sorted_b, words);
}

/// What a block that adds in order has in shared memory.
struct SharedOfTurns {
  std::int64_t sums;  // at most
  int part;           // of ordered products
};
template <BlockShape kShape, class T>
[[nodiscard]] SharedOfTurns shared_of_turns(const NumericLaunch<T>& l, std::size_t bitmap) {
  // where atomics might do, memory for more blocks is worth more than memory for the longest rows; in order sums in C
  // are slow (lp_fit2p), so that rows which have a multiprocessor each have its memory, too
  constexpr std::size_t kTurn = kShapes.rank.turn_bytes, kMiddle = kShapes.rank.middle_turn_bytes;
  constexpr bool kWide = kShape == kWideBlock;
  const bool alone = l.in_order && l.rows.count <= l.device.multiprocessors;
  const std::size_t limit = l.device.shared_limit;
  const std::size_t all = std::min(limit, alone ? limit : kWide ? kTurn : l.in_order ? kTurn / 2 : kMiddle);
  constexpr std::size_t kStatic = WholeBlock::kMostWaves * sizeof(std::int64_t);
  const auto with = [&](int threads) -> SharedOfTurns {
    const int part = OrderedProducts<T>::most(threads, limit - kStatic - bitmap, l.device.wave);
    const std::size_t used = kStatic + bitmap + bytes_of_products<T, kShape.threads>(part);
    return {used < all ? static_cast<std::int64_t>((all - used) / sizeof(T)) : 0, part};
  };
  // where rows of B are long a small part does, which takes no more than staged entries do
  const SharedOfTurns large = with(kShape.threads);
  const bool is_long = !l.in_order || l.b_row_avg >= kShapes.rank.full_turn;
  return is_long && (!l.in_order || large.sums < l.extent.bound_max) ? with(kShape.threads / 2) : large;
}
/// Whether adding in order takes less time than atomics: rows of B fill turns, and sums of most rows fit.
template <BlockShape kShape, class T>
[[nodiscard]] bool turns_pay(const NumericLaunch<T>& l, std::int64_t sums) {
  return l.extent.sorted_b && l.nnz <= l.rows.count * sums &&
         fill_turns(kShape == kWideBlock, l.b_row_avg, l.nprod, l.extent.a_nnz_max);
}

/// Windows of a launch, and what its blocks have in shared memory with them.
struct Windows {
  int columns;
  int words;
  SharedOfTurns most;
};
/// Where sums are in order, windows are as small as it takes for an average row's sums to be in shared memory, where
/// that is predicted to pay: a step waits for the sums of the step before, in C for the second-level cache, but each
/// window lists the entries of A once more. Not where products of other windows would be looked at, too.
template <BlockShape kShape, class T>
[[nodiscard]] Windows windows_of(const NumericLaunch<T>& l) {
  constexpr int kLeast = kMiddleBlock.window;
  const auto with = [&](int columns) -> Windows {
    const int words = words_of_window(l.extent, columns);
    return {columns, words, shared_of_turns<kShape>(l, bitmap_bytes<kShape.threads>(words))};
  };
  const auto span = static_cast<double>(l.extent.span_max), products = static_cast<double>(l.nprod);
  const double listing = kShapes.heavy.listing_time * products / std::max(l.b_row_avg, 1.0);
  const auto time = [&](const Windows& w) {
    const double parts = std::max(1.0, span / static_cast<double>(w.columns));
    const bool near = static_cast<double>(l.nnz) <= parts * static_cast<double>(l.rows.count * w.most.sums);
    return parts * listing + products / (near ? kShapes.rank.near_rate : kShapes.rank.far_rate);
  };
  Windows best = with(kShape.window);
  if (!l.in_order || !l.extent.sorted_b) return best;
  for (int columns = kShape.window / 2; columns >= kLeast; columns /= 2)
    if (const Windows smaller = with(columns); time(smaller) < time(best)) best = smaller;
  return best;
}

template <BlockShape kShape, class T>
void fill_by_blocks(const NumericLaunch<T>& l) {
  const Windows windows = windows_of<kShape>(l);
  const std::size_t bitmap = bitmap_bytes<kShape.threads>(windows.words);
  auto chosen = numeric_block<T, false, kShape.threads>;
  std::int64_t sums = 0;
  int part = 0;
  if (l.in_order || turns_pay<kShape, T>(l, windows.most.sums)) {
    chosen = numeric_block<T, true, kShape.threads>;
    sums = std::min(l.extent.bound_max, windows.most.sums), part = windows.most.part;
  }
  const std::size_t shared =
      bitmap + static_cast<std::size_t>(sums) * sizeof(T) + bytes_of_products<T, kShape.threads>(part);
  allow_shared(chosen, shared);
  launch(chosen, {.grid = l.rows.count, .block = kShape.threads, .shared = shared}, l.stream, l.a, l.b, l.rows, l.runs,
         l.c_rows, l.row_ptr, l.col, l.val, l.group, l.in_order, l.extent.sorted_b, windows.columns, windows.words,
         static_cast<int>(sums), part);
}

/// Whether narrow rows are so few that a wave each leaves most of the device idle.
[[nodiscard]] bool few(const RowList& rows, const Info& device) {
  return rows.count <= kShapes.rank.few_rows * device.multiprocessors;
}

}  // namespace

void symbolic(const SymbolicLaunch& l, int kernel) {
  if (kernel == DeviceRank::kMiddle) return count_by_blocks<kMiddleBlock>(l);
  if (kernel == DeviceRank::kWide) return count_by_blocks<kWideBlock>(l);
  if (kernel == DeviceRank::kWidest) return count_by_blocks<kWidestBlock>(l);
  if (few(l.rows, l.device)) {
    SymbolicLaunch unsaved = l;
    unsaved.runs.saved = {};
    return count_by_blocks<kMiddleBlock>(unsaved);
  }
  launch(symbolic_narrow, {.grid = (l.rows.count + kGroups - 1) / kGroups, .block = kNarrowThreads}, l.stream, l.a, l.b,
         l.rows, l.runs, l.c_rows, l.nnz, l.group);
}

void count_abandoned(const SymbolicLaunch& l, std::int64_t most) {
  constexpr std::int64_t kBlocks = kShapes.rank.blocks_for_handed_over;  // of a multiprocessor
  launch(symbolic_abandoned,
         {.grid = std::min<std::int64_t>(most, kBlocks * l.device.multiprocessors), .block = kWideBlock.threads},
         l.stream, l.a, l.b, l.abandoned, l.runs, l.c_rows, l.nnz, l.group, l.extent.sorted_b);
}

template <class T>
void numeric(const NumericLaunch<T>& l, int kernel) {
  if (kernel == DeviceRank::kMiddle) return fill_by_blocks<kMiddleBlock>(l);
  if (kernel == DeviceRank::kWide) return fill_by_blocks<kWideBlock>(l);
  if (few(l.rows, l.device)) return fill_by_blocks<kMiddleBlock>(l);
  // rows of B that fill the lanes well enough are walked one at a time, without atomics
  constexpr double kFull = kShapes.rank.full_lanes, kFullOfRow = kShapes.rank.full_lanes_of_row;
  const bool fills = l.group_decided ? l.group == kLanes : l.b_row_avg >= kFull * kLanes;
  const Adding adding = adding_of(l, fills);
  const auto chosen = adding == Adding::row_by_row ? numeric_narrow<T, Adding::row_by_row>
                      : adding == Adding::in_order ? numeric_narrow<T, Adding::in_order>
                                                   : numeric_narrow<T, Adding::atomic>;
  const Shape shape{.grid = (l.rows.count + kGroups - 1) / kGroups,
                    .block = kNarrowThreads,
                    .shared = narrow_bytes(l.extent.span_max, l.extent.bound_max, sizeof(T))};
  allow_shared(chosen, shape.shared);
  launch(
      chosen, shape, l.stream, l.a, l.b, l.rows, l.runs, l.c_rows, l.row_ptr, l.col, l.val,
      static_cast<int>((l.extent.span_max + kBits - 1) / kBits + 1), static_cast<int>(l.extent.bound_max), l.group,
      adding != Adding::row_by_row || l.group_decided || l.in_order ? 0.0F : static_cast<float>(kFullOfRow * kLanes));
}

#define ROWAN_INSTANTIATE(T) template void numeric(const NumericLaunch<T>&, int);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
