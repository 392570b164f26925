// One phase's launch: how many rows a wave has and how much shared memory.
#include <algorithm>

#include "accumulators/sort/device/one_phase_tile.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {
namespace {

constexpr int kMostRoomOfLane = kShapes.one_phase.staged_a_lane;  // entries staged in shared memory
constexpr int kMostRoomOfWide =
    kShapes.one_phase.staged_a_lane_of_wide;  // of rows that a wave has no more of than lanes for

/// How many rows a wave has, and room for how many entries.
struct WaveShare {
  int rows, room;
};
/// Half as many rows as lanes, so that a wave's first loads and its wait are soon forgotten, but fewer where they need
/// more shared memory than leaves room for enough waves. What they need: the last ones' products behind the entries of
/// those before, and room to count in. Where rows of B are met all over it, few: memory that is not shared keeps what
/// others have read (H200, a shuffled triangulation: 1.89 ms, and 1.63 with eight rows).
WaveShare share_of_wave(std::int64_t rows, int most_products, double short_products, double short_entries,
                        bool scattered, int wave) {
  if (most_products > kMostShort) {
    const int room = wave / lanes_of_wide(most_products) * ((most_products + 31) / 32 * 32);
    const int batches = std::clamp<int>(kMostRoomOfWide * wave / room, 1, kShapes.one_phase.most_batches);
    return {batches * wave / lanes_of_wide(most_products), batches * room};
  }
  constexpr double kSlack = kShapes.one_phase.slack;
  const auto row_count = static_cast<double>(std::max<std::int64_t>(rows, 1));
  const double products = std::max(short_products / row_count, 1.0);
  const double entries = std::min(short_entries / row_count, products);
  const int together = wave / (products <= 32 ? kLanesOfFew : kLanesOfMany), most = kMostRoomOfLane * wave,
            least = wave / 4;
  WaveShare share{};
  for (share.rows = scattered ? least : wave / 2; share.rows >= least; share.rows /= 2) {
    const double before = std::max(share.rows - together, 0) * entries,
                 last = std::min(share.rows, together) * products;
    share.room = kMostShort + static_cast<int>(kSlack * (before + last));
    if (share.room <= most) break;
  }
  share.rows = std::max(share.rows, least);
  share.room = std::clamp(share.room / 32 * 32 + 32, 2 * kMostShort, most);
  return share;
}

}  // namespace

std::int64_t one_phase_words(std::int64_t rows, int most) {
  const int least_rows = kTileThreads / (most > kMostShort ? lanes_of_wide(most) : 4);  // of a tile
  return kTileState + (rows + least_rows - 1) / least_rows;
}

template <class T>
void one_phase(const OnePhaseLaunch<T>& l) {
  const int waves = kTileThreads / l.wave;
  const WaveShare share = share_of_wave(l.a.rows, l.most, l.short_products, l.short_entries, l.scattered, l.wave);
  const std::int64_t of_tile = std::int64_t{waves} * share.rows;
  const Tiles<T> tiles{l.a,        l.b,        l.c_rows, l.counted, static_cast<unsigned>(l.most),
                       share.rows, share.room, l.placed, l.row_ptr, l.col,
                       l.val,      l.capacity, l.words,  l.told};
  const auto staged = static_cast<std::size_t>(waves * share.room) * (sizeof(T) + sizeof(unsigned));
  launch_tiles(tiles, l.most, {.grid = (l.a.rows + of_tile - 1) / of_tile, .block = kTileThreads, .shared = staged},
               l.stream);
}

#define ROWAN_INSTANTIATE(T) template void one_phase(const OnePhaseLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
