// One phase's kernel. What a wave of a tile goes through, its short rows being numbered from 0:
//   load    a lane a row: short rows are listed in shared memory (ShortRow)
//   sum     batches of them are gathered, sorted and summed; their entries are staged in shared memory. Before the tile
//           is placed, room is left in which the rows that do not fit are summed as well, only to be counted
//   place   once, the whole block: entries of the tiles before by look-back, then every row's place and row_ptr
//   write   what is staged goes to C; then sum and write again for the rows that were only counted
// Always done <= staged <= next: rows before `done` are in C, from there to `staged` in shared memory, to `next`
// counted.
#include "accumulators/sort/device/one_phase_tile.hpp"

#include <algorithm>
#include <bit>

#include "accumulators/sort/device/network.hpp"
#include "accumulators/sort/device/row.hpp"
#include "lib/core/values.hpp"
#include "lib/device/simt/look_back.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

/// That a multiprocessor has registers for.
[[maybe_unused]] constexpr int tile_blocks(int most) noexcept {
  constexpr int kShort = kShapes.one_phase.blocks_of_short, kWide = kShapes.one_phase.blocks_of_wide,
                kWidest = kShapes.one_phase.blocks_of_widest;
  return most <= kMostShort ? kShort : most <= kMostWide / 2 ? kWide : kWidest;
}
constexpr int kLanesOfWidest = kShapes.one_phase.lanes_of_widest;
constexpr int kAhead = kShapes.one_phase.ahead, kAheadOfWidest = kShapes.one_phase.ahead_of_widest;
constexpr int kMedium = kShapes.one_phase.medium;  // products of a row: a network of its own

template <int kValue>
using Constant = std::integral_constant<int, kValue>;

/// A short row of a wave's, in shared memory.
struct ShortRow {
  std::int64_t base, end;  // its entries of A
  std::int64_t place;      // in C
  Column lo, n;            // first column, products
  std::int32_t before;     // products of the wave's short rows before it
  std::int32_t count;      // entries
};

/// The lanes of one short row, and how many of its products the lane has. `area` is where the products of rows[0]
/// stand.
struct ShortLane {
  int of;                  // which row of the batch
  int l, first;            // the lane of its group, and its first position once the row is sorted
  int n, lo, from;         // products of the row, its first column, where its products stand
  std::int64_t base, end;  // its entries of A
};
template <int kLanes, int kKeys>
__device__ ShortLane short_lane(const ShortRow* rows, int take, int fill) {
  const int area = fill - rows[0].before;
  const int lane = simt::lane(), l = lane & (kLanes - 1), of = lane / kLanes;
  const ShortRow& row = rows[of < take ? of : 0];
  const std::int64_t base = row.base;
  return {of, l, l * kKeys, of < take ? row.n : 0, row.lo, area + row.before, base, of < take ? row.end : base};
}

/// Bit t: the lane's position t is the last of an entry, which ends before the next head, and with the row.
template <int kLanes, int kKeys>
__device__ unsigned ends_of(unsigned head, const ShortLane& own) {
  const unsigned right = simt::shuffle_down(simt::wave_mask(), head & 1U, 1, kLanes);
  const int left = own.n - own.first, mine = left < 0 ? 0 : left < kKeys ? left : kKeys;
  unsigned ends = (head >> 1 | right << (kKeys - 1)) & ((1U << mine) - 1);
  if (mine != 0 && mine == left) ends |= 1U << (mine - 1);
  return ends;
}

/// Sums up rows[0, take) of the wave, as many as it has groups at most. Their products and then their entries, row
/// after row, stand in columns and values from `fill` on; returns how many entries, and each row's in `count`.
///
/// The memory is used three times, and a barrier of the wave is between: products as they are gathered, their keys
/// (column above position) in `columns`; then, all of them being in registers, the rows' entries from `fill` on.
template <int kLanes, int kKeys, class T>
__device__ int sum_rows(const Operand<T>& a, const Operand<T>& b, ShortRow* rows, int take, int fill, unsigned* columns,
                        T* values) {
  constexpr int kProducts = kLanes * kKeys;
  constexpr unsigned kBits = std::bit_width(kProducts - 1U), kPosition = (1U << kBits) - 1;
  const Mask wave = simt::wave_mask();
  const ShortLane own = short_lane<kLanes, kKeys>(rows, take, fill);
  gather<kLanes, kLanes == kLanesOfWidest ? kAheadOfWidest : kAhead>(
      a.col, a.val, b.ptr, own.base, own.end,
      [&](std::int64_t at, T scale) {
        return ColumnAndProduct<T>{static_cast<unsigned>(b.col[at] - own.lo), scale * b.val[at]};
      },
      [&](int p, const ColumnAndProduct<T>& made) {
        columns[own.from + p] = made.column << kBits | static_cast<unsigned>(p);
        values[own.from + p] = made.product;
      });
  simt::sync_wave(wave);

  // sorted by column and position; products follow their keys
  Held<unsigned, kKeys> key;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const int p = t * kLanes + own.l;
    key[t] = p < own.n ? columns[own.from + p] : kBehindAll;
  }
  sort_in_registers<kLanes, kKeys>(key);
  Held<T, kKeys> product;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    product[t] = own.first + t < own.n ? values[own.from + static_cast<int>(key[t] & kPosition)] : T{0};
    key[t] >>= kBits;
  }

  // each head begins an entry; the running sum of heads says which
  const unsigned head = heads<kLanes, kKeys>(own.n, [&](int t) { return key[t]; });
  const int begun = __popc(head), upto = simt::inclusive_sum(wave, begun, simt::wave_width());
  const int entries = simt::shuffle(wave, upto, simt::wave_width() - 1);
  const int row_begin = simt::shuffle(wave, upto - begun, 0, kLanes);
  if (own.l == kLanes - 1 && own.of < take) rows[own.of].count = upto - row_begin;
  T sum = carried<kLanes, kKeys>(product, head, own.n);
  const unsigned ends = ends_of<kLanes, kKeys>(head, own);
  simt::sync_wave(wave);  // all have read keys and products: entries take their place
  int at = fill + upto - begun - 1;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const bool begins = (head >> t & 1U) != 0;
    sum = (begins ? T{0} : sum) + product[t];
    at += begins ? 1 : 0;
    if ((ends >> t & 1U) != 0) {
      columns[at] = key[t] + static_cast<unsigned>(own.lo);
      values[at] = sum;
    }
  }
  simt::sync_wave(wave);
  return entries;
}

/// A wave's short rows, those that go together and whose products fit into `room`: how many, and how.
struct ShortBatch {
  int take;
  int most;  // products that one of them has at most: 16, 32, 48 or 64; of wide ones, 64, 128, 256, 512, or
             // fewer_keys()
};
template <int kMost>
__device__ ShortBatch batch_of(const ShortRow* rows, int left, int room) {
  if constexpr (kMost > kMostShort) {  // there is room for each of them
    const int take = std::min(left, simt::wave_width() / lanes_of_wide(kMost));
    const int n = simt::lane() < take ? rows[simt::lane()].n : 0;
    int most = kMostShort;
    while (most < kMost && simt::ballot(simt::wave_mask(), n > most) != 0) most *= 2;
    const int fewer = fewer_keys(most / lanes_of_wide(kMost)) * lanes_of_wide(kMost);
    return {take, simt::ballot(simt::wave_mask(), n > fewer) == 0 ? fewer : most};
  }
  constexpr int kFew = kMost < 32 ? kMost : 32;
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane();
  const bool fits = lane < left && rows[lane].before + rows[lane].n - rows[0].before <= room;
  const auto first = [&](int groups) { return simt::ballot(wave, fits && lane < groups); };
  const int groups_of_few = simt::wave_width() / kLanesOfFew, groups_of_many = simt::wave_width() / kLanesOfMany;
  const auto all_have = [&](int groups, int most) {
    return simt::ballot(wave, fits && lane < groups && rows[lane].n > most) == 0;
  };
  if (kMost <= kFew || all_have(groups_of_few, kFew)) return {simt::popcount(first(groups_of_few)), kFew};
  return {simt::popcount(first(groups_of_many)), all_have(groups_of_many, kMedium) ? kMedium : kMost};
}

/// Calls f(lanes, keys), as constants, for the network of a batch whose longest row has `most` products. (Positions
/// handed on through shared memory in place of registers made the kernel slower by a quarter on an H200,
/// triangulations.)
template <int kMost, class F>
__device__ void with_network(int most, const F& f) {
  if constexpr (kMost > kMostShort) {
    const auto wide = [&](auto at_most) {
      constexpr int kLanes = lanes_of_wide(kMost), kKeys = std::min<int>(at_most, kMost) / kLanes,
                    kFewer = fewer_keys(kKeys);
      if constexpr (kFewer != kKeys) {
        if (most <= kLanes * kFewer) return f(Constant<kLanes>{}, Constant<kFewer>{});
      }
      f(Constant<kLanes>{}, Constant<kKeys>{});
    };
    if (most <= kMostShort)
      wide(Constant<kMostShort>{});
    else if (kMost == 2 * kMostShort || most <= 2 * kMostShort)
      wide(Constant<2 * kMostShort>{});
    else if (kMost == 4 * kMostShort || most <= 4 * kMostShort)
      wide(Constant<4 * kMostShort>{});
    else
      wide(Constant<kMostWide>{});
  } else if (constexpr int kFew = kMost < 32 ? kMost : 32; kMost <= 32 || most <= 32) {
    f(Constant<kLanesOfFew>{}, Constant<kFew / kLanesOfFew>{});
  } else if (most <= kMedium) {
    f(Constant<kLanesOfMany>{}, Constant<kMedium / kLanesOfMany>{});
  } else {
    f(Constant<kLanesOfMany>{}, Constant<kMostShort / kLanesOfMany>{});
  }
}

/// A lane's row of the tile.
struct TileRow {
  std::int64_t row;
  bool has;            // there is such a row
  int n;               // products, if it is short, else 0
  int mine;            // its number among the wave's short rows
  std::int64_t known;  // entries, if it is not short; its place, if the tile is placed
};

/// Place: where every row of the tile begins in C, all of which are counted. By all threads of the block; `of_wave`: a
/// number for each wave in shared memory.
template <class T>
__device__ void place_rows(const Tiles<T>& c, std::int64_t tile, const TileRow& own, ShortRow* rows,
                           std::int64_t* of_wave) {
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), w = static_cast<int>(threadIdx.x) / simt::wave_width();
  const int waves = kTileThreads / simt::wave_width();
  const std::int64_t entries = own.n != 0 ? rows[own.mine].count : own.known;
  const std::int64_t upto = simt::inclusive_sum(wave, entries, simt::wave_width());
  if (lane == simt::wave_width() - 1) of_wave[w] = upto;
  __syncthreads();
  if (w == 0) {
    const std::int64_t of_one = lane < waves ? of_wave[lane] : 0;
    const std::int64_t in_tile = simt::inclusive_sum(wave, of_one, simt::wave_width());
    std::int64_t all = simt::shuffle(wave, in_tile, simt::wave_width() - 1);
    if (all > kTooLong) all = kTooLong;
    const std::int64_t tiles_before = entries_before(c.words.zero + kTileState, tile, all);
    if (lane < waves) of_wave[lane] = tiles_before + in_tile - of_one;
    if (lane == 0 && tile + 1 == static_cast<std::int64_t>(gridDim.x)) {
      c.row_ptr[c.a.rows] = tiles_before + all;
      c.told.post(tiles_before + all);
    }
  }
  __syncthreads();
  const std::int64_t place = of_wave[w] + upto - entries;
  if (own.has) c.row_ptr[own.row] = place;
  if (own.n != 0) rows[own.mine].place = place;
  simt::sync_wave(wave);
}

/// Write: entries of the wave's rows from `done` to `staged`, `fill` in all, to C. Rows that follow each other there
/// are copied together.
template <class T>
__device__ void write_staged(const Tiles<T>& c, const ShortRow* rows, int done, int staged, int fill,
                             const unsigned* columns, const T* values) {
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane();
  const bool is_staged = lane >= done && lane < staged;
  const int entries = is_staged ? rows[lane].count : 0;
  const int in_stage = simt::inclusive_sum(wave, entries, simt::wave_width()) - entries;
  const std::int64_t shift = (is_staged ? rows[lane].place : 0) - in_stage, left = simt::shuffle_up(wave, shift, 1);
  Mask begins = simt::ballot(wave, is_staged && (lane == done || shift != left));
  while (begins != 0) {
    const int first = simt::lowest(begins);
    begins &= begins - 1;
    const int from = simt::shuffle(wave, in_stage, first);
    const int upto = begins != 0 ? simt::shuffle(wave, in_stage, simt::lowest(begins)) : fill;
    const std::int64_t to = simt::shuffle(wave, shift, first);
    for (int k = from + lane; k < upto; k += simt::wave_width()) {
      if (to + k >= c.capacity) break;
      c.col[to + k] = static_cast<std::int32_t>(columns[k]);
      c.val[to + k] = values[k];
    }
  }
  simt::sync_wave(wave);  // what is staged may go
}

/// Products of row `first + lane` of the wave's, as far as they are at most c.most, else more; all lanes of the wave
/// together, several a row where it has few rows.
template <class T>
__device__ std::int64_t products_of_rows(const Tiles<T>& c, std::int64_t first) {
  constexpr int kTogether = 4;  // entries whose loads wait together
  const int width = simt::wave_width(), lane = simt::lane();
  int each = 1;  // lanes that have a row
  while (2 * each * c.rows_of_wave <= width) each *= 2;
  const int r = lane / each;
  const std::int64_t row = first + r;
  std::int64_t products = 0;
  if (r < c.rows_of_wave && row < c.a.rows) {
    const std::int64_t end = c.a.ptr[row + 1];
    for (std::int64_t k = c.a.ptr[row] + lane % each; k < end && products <= c.most; k += kTogether * each) {
      Held<Column, kTogether> j{};
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) j[u] = k + u * each < end ? c.a.col[k + u * each] : -1;
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) products += j[u] < 0 ? 0 : c.b.ptr[j[u] + 1] - c.b.ptr[j[u]];
    }
  }
  products = simt::sum(simt::wave_mask(), products, each);
  return simt::shuffle(simt::wave_mask(), products, lane * each < width ? lane * each : 0);
}

/// A block a tile, `rows_of_wave` rows to each of its waves, a few lanes to a row (lanes_of_few and so on); the grid is
/// as many tiles as there are. Shared memory: `room` columns and values for each wave, its short rows, a number for
/// each wave. A tile waits for all before it to be counted, so tiles are taken by number, not by block: those that one
/// waits for have begun.
template <class T, int kMost>
__global__ void ROWAN_LAUNCH_BOUNDS(kTileThreads, tile_blocks(kMost)) tile_rows(Tiles<T> c) {
  constexpr bool kWide = kMost > kMostShort;
  constexpr int kToCountIn = kWide ? 0 : kMost;  // room that is left for it
  simt::DynamicShared shared;
  T* const all_values = shared.take<T>(kTileThreads / simt::wave_width() * c.room);
  auto* const all_columns = shared.take<unsigned>(kTileThreads / simt::wave_width() * c.room);
  ROWAN_SHARED(ShortRow, all_rows, kTileThreads);
  ROWAN_SHARED(std::int64_t, of_wave, kTileThreads / kLeastWave + 1);
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), w = static_cast<int>(threadIdx.x) / simt::wave_width();
  const int waves = kTileThreads / simt::wave_width();
  T* const values = all_values + w * c.room;
  unsigned* const columns = all_columns + w * c.room;
  ShortRow* const rows = all_rows + w * simt::wave_width();
  std::int64_t tile = blockIdx.x;
  bool given_up = false;  // C is not wanted
  if (!c.placed) {
    c.words.clear_used();
    if (threadIdx.x == 0) {
      const bool seen = c.c_rows == nullptr && simt::load_published(c.words.zero + kNotShort) != 0;
      const auto next = static_cast<std::int64_t>(simt::atomic_add(c.words.zero + kNextTile, 1ULL));
      of_wave[waves] = seen ? -1 - next : next;
    }
    __syncthreads();
    tile = of_wave[waves];
    given_up = tile < 0;
    if (given_up) tile = -1 - tile;
  }
  const std::int64_t row = (tile * waves + w) * c.rows_of_wave + lane;
  const bool has = lane < c.rows_of_wave && row < c.a.rows;

  // load: a lane a row, the short ones into the list
  std::int64_t base = 0, end = 0, known = 0;  // its entries of A; entries, or its place
  int lo = 0, n = 0;
  if (has) base = c.a.ptr[row], end = c.a.ptr[row + 1];
  if (c.c_rows == nullptr) {
    const std::int64_t products = given_up    ? 0
                                  : c.counted ? (has ? c.row_ptr[row] : 0)
                                              : products_of_rows(c, row - lane);
    if (has && products <= c.most) n = static_cast<int>(products);
    if (has && c.placed) known = c.row_ptr[row];
    if (has && products > c.most) known = kTooLong, simt::publish(c.words.zero + kNotShort, 1ULL);
    if (given_up && threadIdx.x == 0) known = kTooLong;
  } else if (has) {
    const std::uint32_t products = c.c_rows[row].nprod;
    lo = c.c_rows[row].lo;
    if (products <= c.most && end - base != 1) n = static_cast<int>(products);
    if (c.placed || n == 0) known = c.row_ptr[row];
  }
  const Mask short_rows = simt::ballot(wave, n != 0);
  const int count = simt::popcount(short_rows), mine = simt::popcount(short_rows & simt::below(lane));
  const int before = simt::inclusive_sum(wave, n, simt::wave_width()) - n;
  if (n != 0) rows[mine] = {.base = base, .end = end, .place = known, .lo = lo, .n = n, .before = before, .count = 0};
  simt::sync_wave(wave);

  bool placed = c.placed;
  for (int done = 0; done < count || !placed;) {
    // sum: as many rows as there is room for, if not placed then with some left in which the others are counted
    int next = done, staged = done, fill = 0;
    for (bool staging = true; next < count;) {
      const ShortBatch batch =
          batch_of<kMost>(rows + next, count - next, (staging && !placed ? c.room - kToCountIn : c.room) - fill);
      if (batch.take == 0) {
        if (placed) break;
        staging = false;
        continue;
      }
      int entries = 0;
      with_network<kMost>(batch.most, [&](auto lanes, auto keys) {
        entries = sum_rows<lanes, keys>(c.a, c.b, rows + next, batch.take, fill, columns, values);
      });
      next += batch.take;
      if (staging) staged = next, fill += entries;
    }
    if (!placed) {
      place_rows(c, tile, {row, has, n, mine, known}, rows, of_wave);
      placed = true;
    }
    write_staged(c, rows, done, staged, fill, columns, values);
    done = staged;
  }
}

}  // namespace

template <class T>
void launch_tiles(const Tiles<T>& tiles, int most, const Shape& shape, hipStream_t stream) {
  const auto start = [&](auto at_most) {
    allow_shared(tile_rows<T, at_most>, shape.shared);
    launch(tile_rows<T, at_most>, shape, stream, tiles);
  };
  if (most <= 16)
    start(Constant<16>{});
  else if (most <= 32)
    start(Constant<32>{});
  else if (most <= kMostShort)
    start(Constant<kMostShort>{});
  else if (most <= 2 * kMostShort)
    start(Constant<2 * kMostShort>{});
  else if (most <= 4 * kMostShort)
    start(Constant<4 * kMostShort>{});
  else
    start(Constant<kMostWide>{});
}

#define ROWAN_INSTANTIATE(T) template void launch_tiles(const Tiles<T>&, int, const Shape&, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
