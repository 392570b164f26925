#include "accumulators/direct/device/shift.hpp"

#include "accumulators/common/device/shape.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::direct {
namespace {

constexpr unsigned kProductMask = (1U << kProductBits) - 1, kPlaceBits = 32 - kProductBits,
                   kPlaceMask = (1U << kPlaceBits) - 1;

/// Rows of C that are multiplied together, and what their first row is like.
struct ShiftBundle {
  std::int64_t a_from, to;  // where the first row begins in A and in C
  int rows;
  int a_entries, c_entries, products;  // of each row
  int lo, a_pitch, b_pitch;
};

__device__ ShiftBundle team_at(const Pattern& a, std::int64_t row, const ShiftMark* shift_mark, const CRow* c_rows,
                               const std::int64_t* row_ptr) {
  const std::int64_t a_from = a.ptr[row], to = row_ptr[row];
  const int a_entries = static_cast<int>(a.ptr[row + 1] - a_from);
  const CRow& c_row = c_rows[row];
  return {a_from,
          to,
          shift_mark[row].rows(),
          a_entries,
          static_cast<int>(row_ptr[row + 1] - to),
          static_cast<int>(c_row.nprod),
          c_row.lo,
          static_cast<int>(pitch_of(a_entries)),
          static_cast<int>(pitch_of(c_row.b_max))};
}

/// Shared memory of a block. Chunks are consecutive entries of A that meet consecutive rows of B: those of a tile stand
/// one after another in B.
template <class T>
struct ShiftShared {
  std::int64_t* from;     // by entry of A's first row: where its row of B begins
  T *sums, *a, *b;        // sums by entry of C, values by row
  unsigned* recipe;       // products, entry of C by entry: A's entry, B's place
  Column* col;            // of C's first row
  int* begin;             // of an entry's products; one more
  int *length, *product;  // by entry of A: of its row of B; the first of its products
  int *chunk, *staged;    // the first entry of a chunk, one more; the row of staged B that an entry begins at

  __device__ explicit ShiftShared(const ShiftSizes& s) {
    simt::DynamicShared shared;
    const int a_entries = static_cast<int>(s.a_entries), c_entries = static_cast<int>(s.c_entries);
    from = shared.take<std::int64_t>(a_entries);
    sums = shared.take<T>(c_entries * kSumPitch);
    a = shared.take<T>(static_cast<int>(pitch_of(s.a_entries)) * kTileRows);
    b = shared.take<T>(static_cast<int>(s.b_values));
    recipe = shared.take<unsigned>(static_cast<int>(s.products));
    col = shared.take<std::int32_t>(c_entries);
    begin = shared.take<int>(c_entries + 1);
    length = shared.take<int>(a_entries);
    product = shared.take<int>(a_entries);
    chunk = shared.take<int>(a_entries + 1);
    staged = shared.take<int>(a_entries);
  }
  /// The row of staged B that chunk c begins at: each has room for a tile's rows, and one for each further entry.
  __device__ int row_of(int c) const { return (kTileRows - 1) * c + chunk[c]; }
};

/// Sorts n keys, a power of two of them. (Batcher's bitonic network.)
__device__ void sort_keys(const WholeBlock& block, unsigned* keys, int n) {
  constexpr int kLanes = 32;  // whose pairs of keys lie in 64 places while steps are no longer
  const Lanes lanes(kLanes);
  const auto exchange = [&](int size, int step) {
    for (int pair = block.rank(); pair < n / 2; pair += block.size()) {
      const int low = 2 * pair - (pair & (step - 1)), high = low + step;
      const unsigned x = keys[low], y = keys[high];
      if ((x > y) == ((low & size) == 0)) keys[low] = y, keys[high] = x;
    }
  };
  for (int size = 2; size <= n; size *= 2) {
    for (int step = size / 2; step > kLanes; step /= 2) {
      exchange(size, step);
      block.sync();
    }
    ROWAN_UNROLL
    for (int step = kLanes; step > 0; step /= 2) {
      if (step >= size) continue;
      exchange(size, step);
      lanes.sync();
    }
    if (size > kLanes) block.sync();  // the next step is longer
  }
  block.sync();
}

/// A power of two of lanes for rows of n entries.
__device__ int lanes_for(int n) {
  int lanes = 1;
  while (lanes < n && lanes < kLeastWave) lanes *= 2;
  return lanes;
}

/// What all rows of the team have in common; returns how many chunks there are.
template <class T>
__device__ int make_recipe(const WholeBlock& block, const Pattern& a, const Pattern& b, const ShiftBundle& team,
                           const ShiftShared<T>& room, int* chunks) {
  for (int e = block.rank(); e < team.a_entries; e += block.size()) {
    const std::int64_t j = a.col[team.a_from + e], from = b.ptr[j];
    room.from[e] = from, room.length[e] = static_cast<int>(b.ptr[j + 1] - from);
  }
  int keys_n = 1;
  while (keys_n < team.products) keys_n *= 2;
  auto* const keys = reinterpret_cast<unsigned*>(room.b);
  auto* const factors = keys + keys_n;
  for (int s = team.products + block.rank(); s < keys_n; s += block.size()) keys[s] = ~0U;
  block.sync();
  if (block.rank() < kTileRows) {
    const Lanes lanes(kTileRows);
    int products = 0, found = 0;
    for (int base = 0; base < team.a_entries; base += lanes.size()) {
      const int e = base + lanes.rank();
      const bool here = e < team.a_entries;
      const Column* const column = a.col + team.a_from + e;
      const int opens = here && (e == 0 || column[0] != column[-1] + 1) ? 1 : 0;
      int more_products, more;
      const int before = lanes.exclusive_sum(here ? room.length[e] : 0, more_products);
      const int c = found + lanes.exclusive_sum(opens, more);
      if (opens != 0) room.chunk[c] = e;
      if (here) {
        room.product[e] = products + before;
        room.staged[e] = (kTileRows - 1) * (c + opens - 1) + e;
      }
      products += more_products, found += more;
    }
    if (lanes.rank() == 0) room.chunk[found] = team.a_entries, *chunks = found;
  }
  block.sync();
  const Lanes lanes(lanes_for(team.b_pitch - 1));
  for (int e = block.rank() / lanes.size(); e < team.a_entries; e += block.size() / lanes.size())
    for (int k = lanes.rank(); k < room.length[e]; k += lanes.size()) {
      const int s = room.product[e] + k;
      keys[s] = static_cast<unsigned>(b.col[room.from[e] + k] - team.lo) << kProductBits | static_cast<unsigned>(s);
      factors[s] = static_cast<unsigned>(e) << kPlaceBits | static_cast<unsigned>(room.staged[e] * team.b_pitch + k);
    }
  block.sync();
  sort_keys(block, keys, keys_n);  // by column, then in A's order
  int entries = 0;
  for (int base = 0; base < team.products; base += block.size()) {
    const int s = base + block.rank();
    const bool here = s < team.products;
    const unsigned key = here ? keys[s] : 0, column = key >> kProductBits;
    const bool opens = here && (s == 0 || keys[s - 1] >> kProductBits != column);
    int more;
    const int c = entries + block.exclusive_sum(opens ? 1 : 0, more);
    if (opens) room.begin[c] = s, room.col[c] = team.lo + static_cast<std::int32_t>(column);
    if (here) room.recipe[s] = factors[key & kProductMask];
    entries += more;
  }
  if (block.rank() == 0) room.begin[team.c_entries] = team.products;
  block.sync();
  return *chunks;
}

/// Entries of A whose rows of B are in shared memory together, by chunks, for one tile.
struct Pass {
  int tile, first, end;
};

/// The pass from chunk `first` on: as many chunks as there is room for.
template <class T>
__device__ Pass pass_from(const ShiftShared<T>& room, int tile, int first, int chunks, int most_rows) {
  const int from = room.row_of(first);
  int end = chunks;
  if (room.row_of(chunks) - from > most_rows)
    for (end = first + 1; room.row_of(end + 1) - from <= most_rows;) end++;
  return {tile, first, end};
}

/// Copies `rows` rows of n values, one after another, to rows that are `pitch` apart.
template <class T>
__device__ void copy_rows(const T* from, int rows, int n, T* to, int pitch, int thread, int threads) {
  const int gap = pitch - n;
  for (int k = thread; k < rows * n; k += threads) simt::copy_async(to + k + (gap == 0 ? 0 : k / n * gap), from + k);
}

/// Copies A's and B's values of a pass to shared memory; chunks of B are shared out among groups of threads.
template <class T>
__device__ void stage(const Operand<T>& a, const Operand<T>& b, const ShiftBundle& team, const ShiftShared<T>& room,
                      const Pass& pass, int rows) {
  constexpr int kGroup = kShapes.shift.copy_threads;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x),
            group = threads < kGroup ? threads : kGroup;
  const std::int64_t moved = std::int64_t{pass.tile} * kTileRows;
  if (pass.first == 0)
    copy_rows(a.val + team.a_from + moved * team.a_entries, rows, team.a_entries, room.a, team.a_pitch, thread,
              threads);
  const int base = room.row_of(pass.first);
  for (int c = pass.first + thread / group; c < pass.end; c += threads / group) {
    const int e = room.chunk[c], n = room.length[e];
    copy_rows(b.val + room.from[e] + moved * n, rows - 1 + room.chunk[c + 1] - e, n,
              room.b + (room.row_of(c) - base) * team.b_pitch, team.b_pitch, thread % group, group);
  }
}

/// Adds a pass's products: a row a lane, entries of C shared out among groups of 32 lanes.
template <class T>
__device__ void add_products(const ShiftBundle& team, const ShiftShared<T>& room, const Pass& pass, int chunks,
                             int rows) {
  constexpr int kTogether = kShapes.shift.products_together;
  const int row = static_cast<int>(threadIdx.x) % kTileRows;
  if (row >= rows) return;
  const bool part = pass.first != 0 || pass.end != chunks;
  const unsigned from = static_cast<unsigned>(room.chunk[pass.first]), to = static_cast<unsigned>(room.chunk[pass.end]);
  const T* const a = room.a + row * team.a_pitch;
  const int moved = (row - room.row_of(pass.first)) * team.b_pitch;
  const auto product = [&](unsigned factors) {
    return a[factors >> kPlaceBits] * room.b[moved + static_cast<int>(factors & kPlaceMask)];
  };
  for (int c = static_cast<int>(threadIdx.x) / kTileRows; c < team.c_entries;
       c += static_cast<int>(blockDim.x) / kTileRows) {
    int s = room.begin[c], end = room.begin[c + 1];
    if (part) {
      while (s < end && room.recipe[s] >> kPlaceBits < from) s++;
      int last = s;
      while (last < end && room.recipe[last] >> kPlaceBits < to) last++;
      end = last;
    }
    T sum = pass.first == 0 ? T{0} : room.sums[c * kSumPitch + row];
    for (; s + kTogether <= end; s += kTogether) {
      Held<T, kTogether> found;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) found[u] = product(room.recipe[s + u]);
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) sum += found[u];
    }
    for (; s < end; s++) sum += product(room.recipe[s]);
    room.sums[c * kSumPitch + row] = sum;
  }
}

/// How a thread walks a tile of C, whose rows stand one after another: from which row and entry, by how much.
struct Strides {
  int row, entry, rows, entries;
  __device__ explicit Strides(int n)
      : row(static_cast<int>(threadIdx.x) / n),
        entry(static_cast<int>(threadIdx.x) % n),
        rows(static_cast<int>(blockDim.x) / n),
        entries(static_cast<int>(blockDim.x) % n) {}
};

template <class T>
__device__ void write_tile(const ShiftBundle& team, const ShiftShared<T>& room, const Strides& by, int tile, int rows,
                           Column* col, T* val) {
  const int n = team.c_entries, moved = tile * kTileRows;
  const std::int64_t to = team.to + std::int64_t{moved} * n;
  int row = by.row, c = by.entry;
  for (int k = static_cast<int>(threadIdx.x); k < rows * n; k += static_cast<int>(blockDim.x)) {
    col[to + k] = room.col[c] + moved + row;
    val[to + k] = room.sums[c * kSumPitch + row];
    row += by.rows, c += by.entries;
    if (c >= n) c -= n, row++;
  }
}

/// A block a bundle of rows, the grid a block each. Shared memory: ShiftShared, and how many chunks there are.
template <class T>
__global__ void __launch_bounds__(kMostShiftThreads)
    numeric_teams(Operand<T> a, Operand<T> b, RowList list, const ShiftMark* shift_mark, const CRow* c_rows,
                  const std::int64_t* row_ptr, Column* col, T* val, ShiftSizes sizes) {
  if (list.cancelled) return;
  ROWAN_SHARED(std::int64_t, scratch, WholeBlock::kMostWaves);
  ROWAN_SHARED(int, chunks_found, 1);
  const WholeBlock block(scratch);
  const ShiftShared<T> room(sizes);
  const ShiftBundle team = team_at(a, list[blockIdx.x], shift_mark, c_rows, row_ptr);
  const int chunks = make_recipe(block, a, b, team, room, chunks_found);
  const int most_rows = static_cast<int>(sizes.b_values) / team.b_pitch;
  const auto rows_of = [&](int tile) {
    const int left = team.rows - tile * kTileRows;
    return left < kTileRows ? left : kTileRows;
  };
  const Strides strides(team.c_entries);
  Pass pass = pass_from(room, 0, 0, chunks, most_rows);
  stage(a, b, team, room, pass, rows_of(0));
  for (;;) {
    simt::copies_done();
    block.sync();
    const int rows = rows_of(pass.tile);
    add_products(team, room, pass, chunks, rows);
    block.sync();
    // the next values are on their way while sums are written
    const bool last = pass.end == chunks, more = !last || (pass.tile + 1) * kTileRows < team.rows;
    const int tile = pass.tile;
    if (more) {
      pass =
          last ? pass_from(room, tile + 1, 0, chunks, most_rows) : pass_from(room, tile, pass.end, chunks, most_rows);
      stage(a, b, team, room, pass, rows_of(pass.tile));
    }
    if (last) write_tile(team, room, strides, tile, rows, col, val);
    if (!more) break;
  }
}

/// Threads for rows of so many products: what keeps them busy, and several blocks on a multiprocessor.
int threads_for(std::int64_t nprod) {
  constexpr std::int64_t kProductsAThread = kShapes.shift.products_a_thread;
  int threads = 2 * kTileRows;
  while (threads < kMostShiftThreads && threads * kProductsAThread < nprod) threads *= 2;
  return threads;
}

}  // namespace

template <class T>
void shift_numeric(const NumericLaunch<T>& l) {
  const RowExtent& e = l.extent;
  ShiftSizes sizes = shift_sizes(e.nprod_max, e.bound_max, e.a_nnz_max, e.b_row_max, sizeof(T));
  constexpr std::size_t kBlocks = kShapes.shift.blocks_a_multiprocessor;
  const std::size_t least = sizes.bytes(sizes.b_least, sizeof(T)), share = l.device.shared_limit / kBlocks - kShiftOwn,
                    fixed = sizes.bytes(0, sizeof(T)), room = (least < share ? share : least) - fixed;
  sizes.b_values = std::min(sizes.b_most, static_cast<std::int64_t>(room / sizeof(T)));
  const std::size_t bytes = sizes.bytes(sizes.b_values, sizeof(T));
  allow_shared(numeric_teams<T>, bytes);
  launch(numeric_teams<T>, {.grid = l.rows.count, .block = threads_for(e.nprod_max), .shared = bytes}, l.stream, l.a,
         l.b, l.rows, l.runs.shift_mark, l.c_rows, l.row_ptr, l.col, l.val, sizes);
}

#define ROWAN_INSTANTIATE(T) template void shift_numeric(const NumericLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::direct
