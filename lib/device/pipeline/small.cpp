#include "lib/device/pipeline/small.hpp"

#include <algorithm>
#include <cmath>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/carver.hpp"
#include "lib/device/pipeline/elements.hpp"
#include "lib/device/pipeline/one_launch.hpp"
#include "lib/device/pipeline/stages.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr auto kSmall = kShapes.small;

/// A thread an entry, the grid covers them.
template <class T>
__global__ void __launch_bounds__(kElementThreads)
    copy_entries(const Column* col, const T* val, std::int64_t n, Column* to_col, T* to_val) {
  const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kElementThreads + threadIdx.x;
  if (k < n) to_col[k] = col[k], to_val[k] = val[k];
}

/// Lanes that hold nearly all rows' products. Tiles have as many rows as there are lanes for, but where there are few
/// rows every block that runs at a time has some.
[[nodiscard]] dense::SmallTiles tiles_for(double products, std::int64_t rows, int multiprocessors) {
  constexpr int kProducts = kSmall.products_a_lane, kMostLanes = 32;
  const std::int64_t at_once = std::int64_t{kSmall.blocks_at_once} * multiprocessors;
  dense::SmallTiles t{.lanes = 8, .held = kProducts, .rows = 0};
  const auto have_room = [&] {
    return t.lanes * kProducts * static_cast<double>(rows) >= kSmall.room_a_row * products;
  };
  while (t.lanes < kMostLanes && !have_room()) t.lanes *= 2;
  // half as many tiles, of twice as much work each (H100: fe_body 163 -> 127 us)
  if (t.lanes == kMostLanes && have_room() && rows * t.lanes > kSmall.block * at_once) t.lanes /= 2, t.held *= 2;
  t.rows = static_cast<int>(std::clamp<std::int64_t>((rows + at_once - 1) / at_once, 1, kSmall.block / t.lanes));
  return t;
}

constexpr int kSkips = 31;  // times that sizes are passed over before they are tried once more

/// What the next product of the same sizes is to go by. With fewer rows a tile, the costliest is so much cheaper, and
/// there are more rounds: their sum is least where it takes the rows that are asked for here.
[[nodiscard]] PastLaunch past_of(const dense::SmallTold& told, const dense::SmallTiles& tiles, std::int64_t rows,
                                 int multiprocessors) {
  constexpr double kOfRound = kSmall.of_round;
  const auto at_once = static_cast<double>(kSmall.blocks_at_once * multiprocessors);
  const auto costliest = static_cast<double>(told.costliest), of_block = static_cast<double>(told.cost) / at_once;
  const double rounds = static_cast<double>(rows) / (at_once * tiles.rows);
  PastLaunch past{.entries = told.entries, .tile_rows = tiles.rows, .most = 0, .skips = 0};
  if (costliest > kSmall.much_of_tile) {
    const auto best = static_cast<int>(tiles.rows * std::sqrt(kOfRound * rounds / costliest) + 0.5);
    past.tile_rows = std::clamp(best, 1, tiles.rows);
  }
  if (past.tile_rows == tiles.rows && std::max(costliest, of_block) + kOfRound * rounds > kSmall.most_of_all)
    past.skips = kSkips;
  return past;
}

/// The same, for a launch that was given up.
[[nodiscard]] PastLaunch past_of_given_up(const dense::SmallTiles& tiles) {
  constexpr int kFewerRows = 4;
  return {.entries = 0,
          .tile_rows = std::max(1, tiles.rows / kFewerRows),
          .most = 0,
          .skips = tiles.rows == 1 ? kSkips : 0};
}

/// C's entries before their number is known, in one allocation.
template <class T>
struct Room {
  T* val;
  Column* col;

  Room(Carver& carver, std::int64_t entries) : val(carver.take<T>(entries)), col(carver.take<Column>(entries)) {}
};

template <class T>
[[nodiscard]] std::optional<Product<T>> try_small(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                  std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  constexpr double kMoreRoom = 1.25, kAndEntries = 1 << 18;
  const double products = expected_products(a, b);
  const std::int64_t rows = a.m.rows;
  const std::uint64_t sizes = sizes_of(OneLaunch::small, a, b);
  std::optional<PastLaunch> past = engine.past_launches().find(sizes);
  if (past && past->skips > 0) {
    past->skips--;
    engine.past_launches().note(sizes, *past);
    return {};
  }
  dense::SmallTiles tiles = tiles_for(products, rows, engine.info().multiprocessors);
  if (past && past->tile_rows > 0) tiles.rows = std::min(tiles.rows, past->tile_rows);
  const bool known = past && past->entries > 0;
  // where rows of B are not met equally often, there are more; where they are, less than products
  const std::int64_t entries =
      known ? past->entries
            : std::min(static_cast<std::int64_t>(std::min(2 * products, kMoreRoom * products + kAndEntries)) + rows,
                       rows * b.m.cols);
  const std::int64_t of_words = dense::small_words(rows, tiles);
  Carver size;
  (void)Room<T>(size, known ? 0 : entries);
  std::int64_t temporary = size.used() + of_words * static_cast<std::int64_t>(sizeof(unsigned long long));
  const auto fits = [&](std::int64_t nnz) {
    return memory_limit == 0 || temporary + bytes_of_c<T>(rows, nnz) <= memory_limit;
  };
  if (!fits(entries)) return {};

  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  Pool& pool = engine.pool();
  const Buffer<std::byte> memory(pool, size.used(), stream);
  Carver carver(memory.data());
  const Room<T> room(carver, known ? 0 : entries);
  Product<T> c{.rows = rows,
               .cols = b.m.cols,
               .nnz = 0,
               .row_ptr = Buffer<std::int64_t>(pool, rows + 1, stream),
               .col = {},
               .val = {}};
  const auto multiply_into = [&](Column* col, T* val, std::int64_t capacity) {
    HostMailbox<dense::SmallTold> told(pool, stream);
    ZeroWords words(pool, of_words, stream);
    dense::small_product<T>({.a = a.m,
                             .b = b.m,
                             .tiles = tiles,
                             .in_order = engine.deterministic(),
                             .row_ptr = c.row_ptr.data(),
                             .col = col,
                             .val = val,
                             .capacity = capacity,
                             .words = words.words(),
                             .told = told.sender(),
                             .stream = stream});
    words.launched();
    return told.wait("waiting for C's size");
  };
  Buffer<Column> near_col = known ? Buffer<Column>(pool, entries, stream) : Buffer<Column>();
  Buffer<T> near_val = known ? Buffer<T>(pool, entries, stream) : Buffer<T>();
  Column* const first_col = known ? near_col.data() : room.col;
  T* const first_val = known ? near_val.data() : room.val;
  const dense::SmallTold told = multiply_into(first_col, first_val, entries);
  c.nnz = told.entries;
  if (c.nnz > dense::kMostSmallEntries) {
    engine.past_launches().note(sizes, past_of_given_up(tiles));
    return {};
  }
  engine.past_launches().note(sizes, past_of(told, tiles, rows, engine.info().multiprocessors));
  if (known && c.nnz != entries) temporary += static_cast<std::int64_t>(near_col.bytes() + near_val.bytes());
  if (!fits(c.nnz)) return {};
  if (known && c.nnz == entries) {
    c.col = std::move(near_col), c.val = std::move(near_val);
  } else {
    c.col = Buffer<Column>(pool, c.nnz, stream), c.val = Buffer<T>(pool, c.nnz, stream);
    if (c.nnz > entries)
      (void)multiply_into(c.col.data(), c.val.data(), c.nnz);
    else if (c.nnz != 0)
      launch(copy_entries<T>, threads_for(c.nnz), stream, first_col, first_val, c.nnz, c.col.data(), c.val.data());
  }
  clock.mark(&times.numeric);
  clock.read();
  if (stats != nullptr) {
    report_one_launch(engine, a, b, c, temporary, stream, *stats);
    stats->small_product = true;
  }
  return c;
}

}  // namespace

template <class T>
bool may_be_small(const Engine& engine, const Resident<T>& a, const Resident<T>& b) {
  constexpr std::int64_t kMostEntries = 4 * kSmall.most_products;
  // of a row, on average (H100: 1,760 and more 1.6 to 2.6 times as fast as without, 10,000 the same)
  constexpr double kMostOfRow = 4096;
  return engine.small_path() && a.m.rows > 0 && a.nnz > 0 && a.m.rows <= kSmall.most_rows &&
         b.m.cols <= kSmall.most_columns && a.nnz <= kMostEntries && b.nnz <= kMostEntries &&
         expected_products(a, b) <=
             std::min(static_cast<double>(kSmall.most_products), kMostOfRow * static_cast<double>(a.m.rows));
}

// 0. What a launch for the same sizes told: whether it is not to be tried, how many rows tiles should have, how many
//    entries C had.
// 1. Room for so many entries, which will be C if it has as many again, or for some more than sizes let one expect.
// 2. The launch. The host waits for nnz(C), which is known before the last entries are written.
// 3. Where there are more or fewer entries than room, C is taken exactly, and copied; where room was too little, the
//    launch is repeated into it instead.
template <class T>
std::optional<Product<T>> small_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                        std::int64_t memory_limit, hipStream_t stream, Stats* stats) {
  if (!may_be_small(engine, a, b)) return {};
  return unless_out_of_memory([&] { return try_small(engine, a, b, memory_limit, stream, stats); });
}

#define ROWAN_INSTANTIATE(T)                                                                                      \
  template bool may_be_small(const Engine&, const Resident<T>&, const Resident<T>&);                              \
  template std::optional<Product<T>> small_product(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, \
                                                   hipStream_t, Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
