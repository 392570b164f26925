#include "accumulators/sort/device/one_phase.hpp"

#include <algorithm>
#include <bit>

#include "accumulators/common/device/shape.hpp"
#include "accumulators/sort/device/network.hpp"
#include "accumulators/sort/device/row.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

// The positions of products handed on through shared memory made it slower by a quarter on an H200 (triangulations).
constexpr auto kShape = kShapes.one_phase;
constexpr int kTileThreads = kShape.block;
// For AMD's compiler the second number would say something else: waves of a SIMD.
#if defined(__HIPCC__)
#define ROWAN_TILE_BOUNDS(most) __launch_bounds__(kTileThreads)
#else
#define ROWAN_TILE_BOUNDS(most) __launch_bounds__(kTileThreads, tile_blocks(most))
#endif
/// That a multiprocessor has registers for.
[[maybe_unused]] constexpr int tile_blocks(int most) noexcept {
  constexpr int kShort = kShape.blocks_of_short, kWide = kShape.blocks_of_wide, kWidest = kShape.blocks_of_widest;
  return most <= kMostShort ? kShort : most <= kMostWide / 2 ? kWide : kWidest;
}
constexpr int kAhead = kShape.ahead;                           // products that a lane loads before it stores them
constexpr int kMedium = kShape.medium;                         // products of a row: a network of its own
constexpr int kMostRoomOfLane = kShape.staged_a_lane;          // entries staged in shared memory
constexpr int kMostRoomOfWide = kShape.staged_a_lane_of_wide;  // of rows that a wave has no more of than lanes for
// that have a row of at most 32 products, or at most kMostShort
constexpr int kLanesOfFew = kShape.lanes_of_few, kLanesOfMany = kShape.lanes_of_many;
/// Or more; then a wave has as many rows as it has groups of lanes.
constexpr int lanes_of_wide(int most) noexcept {
  constexpr int kWide = kShape.lanes_of_wide, kWidest = kShape.lanes_of_widest;
  return most <= 2 * kMostShort ? kWide : kWidest;
}

template <class T>
struct Tiles {
  Operand<T> a, b;
  const CRow* c_rows;
  unsigned most;           // products of a short row
  int rows_of_wave, room;  // entries that are staged for a wave
  bool placed;             // row_ptr is known
  std::int64_t* row_ptr;
  Column* col;
  T* val;
  std::int64_t capacity;
  unsigned long long* words;  // the number of the next tile, and then what is known of each
};

// A tile's state: nothing yet, how many entries it has, how many it and all before it have.
constexpr unsigned long long kCounted = 1ULL << 62, kComplete = 2ULL << 62, kNumber = kCounted - 1;

/// Entries of all tiles before `tile`, to all lanes of the one wave that asks; `mine` are its own.
__device__ std::int64_t entries_before(unsigned long long* state, std::int64_t tile, std::int64_t mine) {
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane();
  const auto entries = static_cast<unsigned long long>(mine);
  if (lane == 0) simt::publish(state + tile, (tile == 0 ? kComplete : kCounted) | entries);
  unsigned long long before = 0;
  for (std::int64_t end = tile; end > 0; end -= simt::wave_width()) {
    const std::int64_t k = end - 1 - lane;
    unsigned long long seen = kComplete;
    do {
      if (k >= 0) seen = simt::load_published(state + k);
    } while (simt::ballot(wave, seen < kCounted) != 0);
    const Mask complete = simt::ballot(wave, seen >= kComplete);
    const int last = complete == 0 ? lane : simt::lowest(complete);
    before += simt::wave_sum(lane <= last ? seen & kNumber : 0ULL);
    if (complete != 0) break;
  }
  if (lane == 0 && tile != 0) simt::publish(state + tile, kComplete | (before + entries));
  return static_cast<std::int64_t>(before);
}

/// A short row of a wave's, in shared memory.
struct ShortRow {
  std::int64_t base, end;  // its entries of A
  std::int64_t place;      // in C
  Column lo, n;            // first column, products
  std::int32_t before;     // products of the wave's short rows before it
  std::int32_t count;      // entries
};

/// Sums up rows[0, take) of the wave, as many as it has groups at most. Their products and then their entries, row
/// after row, stand in columns and values from `fill` on; returns how many entries, and each row's in `count`.
template <int kLanes, int kKeys, class T>
__device__ int sum_rows(const Operand<T>& a, const Operand<T>& b, ShortRow* rows, int take, int fill, unsigned* columns,
                        T* values) {
  constexpr int kProducts = kLanes * kKeys;
  constexpr unsigned kBits = std::bit_width(kProducts - 1U), kPosition = (1U << kBits) - 1;
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), l = lane & (kLanes - 1);
  const int area = fill - rows[0].before;
  const int of = lane / kLanes, first = l * kKeys;
  ShortRow& row = rows[of < take ? of : 0];
  const int n = of < take ? row.n : 0, lo = row.lo, from = area + row.before;
  const std::int64_t base = row.base, end = of < take ? row.end : base;
  gather<kLanes, kAhead>(
      a.col, a.val, b.ptr, base, end,
      [&](std::int64_t at, T scale) {
        return ColumnAndProduct<T>{static_cast<unsigned>(b.col[at] - lo), scale * b.val[at]};
      },
      [&](int p, const ColumnAndProduct<T>& made) {
        columns[from + p] = made.column << kBits | static_cast<unsigned>(p);
        values[from + p] = made.product;
      });
  simt::sync_wave(wave);
  Held<unsigned, kKeys> key;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const int p = t * kLanes + l;
    key[t] = p < n ? columns[from + p] : kBehindAll;
  }
  sort_in_registers<kLanes, kKeys>(key);
  Held<T, kKeys> product;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    product[t] = first + t < n ? values[from + static_cast<int>(key[t] & kPosition)] : T{0};
    key[t] >>= kBits;
  }
  const unsigned head = heads<kLanes, kKeys>(n, [&](int t) { return key[t]; });
  const int begun = __popc(head), upto = simt::inclusive_sum(wave, begun, simt::wave_width());
  const int entries = simt::shuffle(wave, upto, simt::wave_width() - 1);
  const int row_begin = simt::shuffle(wave, upto - begun, 0, kLanes);
  if (l == kLanes - 1 && of < take) row.count = upto - row_begin;
  T sum = carried<kLanes, kKeys>(product, head, n);
  // an entry ends before the next head, and with the row
  const unsigned right = simt::shuffle_down(wave, head & 1U, 1, kLanes);
  const int left = n - first, mine = left < 0 ? 0 : left < kKeys ? left : kKeys;
  unsigned ends = (head >> 1 | right << (kKeys - 1)) & ((1U << mine) - 1);
  if (mine != 0 && mine == left) ends |= 1U << (mine - 1);
  simt::sync_wave(wave);  // all have read keys and products: entries take their place
  int at = fill + upto - begun - 1;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const bool begins = (head >> t & 1U) != 0;
    sum = (begins ? T{0} : sum) + product[t];
    at += begins ? 1 : 0;
    if ((ends >> t & 1U) != 0) {
      columns[at] = key[t] + static_cast<unsigned>(lo);
      values[at] = sum;
    }
  }
  simt::sync_wave(wave);
  return entries;
}

/// A wave's short rows, those that go together and whose products fit into `room`: how many, and how.
struct ShortBatch {
  int take;
  int most;  // products that one of them has: 16, 32, 48 or 64; of wide ones, 64, 128, 256 or 512
};
template <int kMost>
__device__ ShortBatch batch_of(const ShortRow* rows, int left, int room) {
  if constexpr (kMost > kMostShort) {  // there is room for each of them
    const int take = std::min(left, simt::wave_width() / lanes_of_wide(kMost));
    const int n = simt::lane() < take ? rows[simt::lane()].n : 0;
    int most = kMostShort;
    while (most < kMost && simt::ballot(simt::wave_mask(), n > most) != 0) most *= 2;
    return {take, most};
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

template <int kValue>
using Constant = std::integral_constant<int, kValue>;

/// Tiles are rows in order, some for each wave. A tile waits for all before it to be counted, so they are taken by
/// number: those that one waits for have begun.
template <class T, int kMost>
__global__ void ROWAN_TILE_BOUNDS(kMost) tile_rows(Tiles<T> c) {
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
  if (!c.placed) {
    if (threadIdx.x == 0) of_wave[waves] = static_cast<std::int64_t>(simt::atomic_add(c.words, 1ULL));
    __syncthreads();
    tile = of_wave[waves];
  }
  const std::int64_t row = (tile * waves + w) * c.rows_of_wave + lane;
  const bool has = lane < c.rows_of_wave && row < c.a.rows;

  // a lane a row
  std::int64_t base = 0, end = 0, known = 0;  // its entries of A; entries, or its place
  int lo = 0, n = 0;
  if (has) {
    const std::uint32_t products = c.c_rows[row].nprod;
    lo = c.c_rows[row].lo, base = c.a.ptr[row], end = c.a.ptr[row + 1];
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
    // as many rows as there is room for, if not placed then with some left in which the others are counted
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
      constexpr int kFew = kMost < 32 ? kMost : 32;
      const auto sum = [&](auto lanes, auto keys) {
        return sum_rows<lanes, keys>(c.a, c.b, rows + next, batch.take, fill, columns, values);
      };
      if constexpr (kWide) {
        const auto sum_wide = [&](auto most) {
          constexpr int kLanes = lanes_of_wide(kMost);
          entries = sum(Constant<kLanes>{}, Constant<std::min<int>(most, kMost) / kLanes>{});
        };
        if (batch.most <= kMostShort)
          sum_wide(Constant<kMostShort>{});
        else if (kMost == 2 * kMostShort || batch.most <= 2 * kMostShort)
          sum_wide(Constant<2 * kMostShort>{});
        else if (kMost == 4 * kMostShort || batch.most <= 4 * kMostShort)
          sum_wide(Constant<4 * kMostShort>{});
        else
          sum_wide(Constant<kMostWide>{});
      } else if (kMost <= 32 || batch.most <= 32) {
        entries = sum(Constant<kLanesOfFew>{}, Constant<kFew / kLanesOfFew>{});
      } else if (batch.most <= kMedium) {
        entries = sum(Constant<kLanesOfMany>{}, Constant<kMedium / kLanesOfMany>{});
      } else {
        entries = sum(Constant<kLanesOfMany>{}, Constant<kMostShort / kLanesOfMany>{});
      }
      next += batch.take;
      if (staging) staged = next, fill += entries;
    }
    if (!placed) {
      const std::int64_t entries = n != 0 ? rows[mine].count : known;
      const std::int64_t upto = simt::inclusive_sum(wave, entries, simt::wave_width());
      if (lane == simt::wave_width() - 1) of_wave[w] = upto;
      __syncthreads();
      if (w == 0) {
        const std::int64_t of_one = lane < waves ? of_wave[lane] : 0;
        const std::int64_t in_tile = simt::inclusive_sum(wave, of_one, simt::wave_width());
        const std::int64_t all = simt::shuffle(wave, in_tile, simt::wave_width() - 1);
        const std::int64_t tiles_before = entries_before(c.words + 1, tile, all);
        if (lane < waves) of_wave[lane] = tiles_before + in_tile - of_one;
        if (lane == 0 && tile + 1 == static_cast<std::int64_t>(gridDim.x)) c.row_ptr[c.a.rows] = tiles_before + all;
      }
      __syncthreads();
      const std::int64_t place = of_wave[w] + upto - entries;
      if (has) c.row_ptr[row] = place;
      if (n != 0) rows[mine].place = place;
      simt::sync_wave(wave);
      placed = true;
    }
    // rows that follow each other in C are copied together
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
    done = staged;
  }
}

// A group of lanes a row and a block a sample: rows that follow each other, blocks all over the matrix.
constexpr int kSampleThreads = kShape.sample_block;
constexpr std::int64_t kLeastSamples = kShape.least_samples, kMostApart = kShape.most_apart;

/// Rows of one kind that are sampled: with more than `above` products, and at most kLanes * kKeys.
template <int kLanes, int kKeys>
struct SampleOf {
  static constexpr int kRows = kSampleThreads / kLanes, kMost = kLanes * kKeys, kPitch = kMost + kLanes;
  static constexpr int kWords = kRows * kPitch;
  unsigned above;
  std::int64_t blocks, apart;  // a sample every so many blocks' rows

  SampleOf(unsigned more_than, std::int64_t rows) : above(more_than) {
    const std::int64_t groups = (rows + kRows - 1) / kRows;
    apart = std::clamp<std::int64_t>(groups / kLeastSamples, 1, kMostApart);
    blocks = (groups + apart - 1) / apart;
  }

  __device__ void add(const Pattern& a, const Pattern& b, const CRow* c_rows, std::int64_t block, unsigned* all_columns,
                      ShortSample::Part* sample) const {
    const int mine = static_cast<int>(threadIdx.x) / kLanes, l = simt::lane() & (kLanes - 1);
    const std::int64_t row = block * apart * kRows + mine;
    std::int64_t base = 0, end = 0;
    int n = 0;
    if (row < a.rows) {
      const std::uint32_t products = c_rows[row].nprod;
      base = a.ptr[row], end = a.ptr[row + 1];
      if (products > above && products <= kMost && end - base != 1) n = static_cast<int>(products);
    }
    if (simt::ballot(simt::wave_mask(), n != 0) == 0) return;
    const int found = distinct_columns<kLanes, kKeys>(a, b, base, n == 0 ? base : end, n, all_columns + mine * kPitch);
    const auto entries = simt::wave_sum(static_cast<unsigned>(found));
    const auto products = simt::wave_sum(static_cast<unsigned>(l == 0 ? n : 0));
    if (simt::lane() != 0) return;
    simt::atomic_add(&sample->entries, static_cast<unsigned long long>(entries));
    simt::atomic_add(&sample->products, static_cast<unsigned long long>(products));
  }
};
using SampleOfShort = SampleOf<kLanesOfMany, kMostShort / kLanesOfMany>;
using SampleOfWide = SampleOf<kLeastWave, kMostWide / kLeastWave>;

__global__ void __launch_bounds__(kSampleThreads)
    sample_rows(Pattern a, Pattern b, const CRow* c_rows, SampleOfShort of_short, SampleOfWide of_wide,
                ShortSample* sample) {
  ROWAN_SHARED(unsigned, columns, std::max(SampleOfShort::kWords, SampleOfWide::kWords));
  const std::int64_t block = blockIdx.x;
  if (block < of_wide.blocks)  // they take longer: first
    of_wide.add(a, b, c_rows, block, columns, &sample->part[1]);
  else
    of_short.add(a, b, c_rows, block - of_wide.blocks, columns, &sample->part[0]);
}

/// How many rows a wave has, and room for how many entries.
struct WaveShare {
  int rows, room;
};
/// Half as many rows as lanes, so that a wave's first loads and its wait are soon forgotten, but fewer where they need
/// more shared memory than leaves room for enough waves. What they need: the last ones' products behind the entries of
/// those before, and room to count in.
WaveShare share_of_wave(std::int64_t rows, int most_products, double short_products, double short_entries, int wave) {
  if (most_products > kMostShort) {
    const int room = wave / lanes_of_wide(most_products) * ((most_products + 31) / 32 * 32);
    const int batches = std::clamp<int>(kMostRoomOfWide * wave / room, 1, kShape.most_batches);
    return {batches * wave / lanes_of_wide(most_products), batches * room};
  }
  constexpr double kSlack = kShape.slack;
  const auto row_count = static_cast<double>(std::max<std::int64_t>(rows, 1));
  const double products = std::max(short_products / row_count, 1.0);
  const double entries = std::min(short_entries / row_count, products);
  const int together = wave / (products <= 32 ? kLanesOfFew : kLanesOfMany), most = kMostRoomOfLane * wave;
  WaveShare share{};
  for (share.rows = wave / 2; share.rows >= wave / 4; share.rows /= 2) {
    const double before = std::max(share.rows - together, 0) * entries,
                 last = std::min(share.rows, together) * products;
    share.room = kMostShort + static_cast<int>(kSlack * (before + last));
    if (share.room <= most) break;
  }
  share.rows = std::max(share.rows, wave / 4);
  share.room = std::clamp(share.room / 32 * 32 + 32, 2 * kMostShort, most);
  return share;
}

}  // namespace

void sample_short_rows(const Pattern& a, const Pattern& b, const CRow* c_rows, ShortSample* sample,
                       hipStream_t stream) {
  const SampleOfShort of_short(0, a.rows);
  const SampleOfWide of_wide(kMostShort, a.rows);
  launch(sample_rows, {.grid = of_short.blocks + of_wide.blocks, .block = kSampleThreads}, stream, a, b, c_rows,
         of_short, of_wide, sample);
}

std::int64_t one_phase_words(std::int64_t rows, int most) {
  const int least_rows = kTileThreads / (most > kMostShort ? lanes_of_wide(most) : 4);  // of a tile
  return 1 + (rows + least_rows - 1) / least_rows;
}

template <class T>
void one_phase(const OnePhaseLaunch<T>& l) {
  const int waves = kTileThreads / l.wave;
  const WaveShare share = share_of_wave(l.a.rows, l.most, l.short_products, l.short_entries, l.wave);
  const std::int64_t of_tile = std::int64_t{waves} * share.rows;
  const Tiles<T> tiles{l.a,        l.b,        l.c_rows,   static_cast<unsigned>(l.most),
                       share.rows, share.room, l.placed,   l.row_ptr,
                       l.col,      l.val,      l.capacity, l.words};
  const auto staged = static_cast<std::size_t>(waves * share.room) * (sizeof(T) + sizeof(unsigned));
  const Shape shape{.grid = (l.a.rows + of_tile - 1) / of_tile, .block = kTileThreads, .shared = staged};
  const auto start = [&](auto most) {
    allow_shared(tile_rows<T, most>, shape.shared);
    launch(tile_rows<T, most>, shape, l.stream, tiles);
  };
  if (l.most <= 16)
    start(Constant<16>{});
  else if (l.most <= 32)
    start(Constant<32>{});
  else if (l.most <= kMostShort)
    start(Constant<kMostShort>{});
  else if (l.most <= 2 * kMostShort)
    start(Constant<2 * kMostShort>{});
  else if (l.most <= 4 * kMostShort)
    start(Constant<4 * kMostShort>{});
  else
    start(Constant<kMostWide>{});
}

#define ROWAN_INSTANTIATE(T) template void one_phase(const OnePhaseLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
