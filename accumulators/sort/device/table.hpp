#pragma once
// Columns of a row counted by a table in a wave's shared memory.
#include <cstdint>

#include "accumulators/common/device/probe.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

/// Places of a table that lanes clear, and look through, four at a time.
struct alignas(16) FourPlaces {
  int column[4];
};
/// How many of them a group has that counts columns by a table: half as many places again as there may be columns, or
/// more; the same for fewer_keys() (with as many places, rows of which few products meet made scircuit 357 us of 282).
/// Groups of part of a wave sort instead (hubs, rows of up to 32 products: 48 us, by tables 69).
[[nodiscard]] constexpr int table_fours(int lanes, int keys) noexcept {
  return lanes < kLeastWave ? 0 : lanes * (keys > 8 ? 24 : 16) / 4;
}

/// A lane's part of how many different columns [0, n) of `columns` are, by an empty table of table_fours(): each
/// is stored where its hash says, over others, and then looked for there. Of all that were stored in a place one is
/// left, and mostly it is the only one. The few that do not find themselves go on from there, one by one, as in any
/// hash table. (A network takes half as long again: copter2, 77 us in place of 55.)
template <int kLanes, int kKeys>
__device__ int count_by_table(const unsigned* columns, int n, FourPlaces* places) {
  constexpr int kFours = table_fours(kLanes, kKeys), kPlaces = 4 * kFours;
  static_assert(3 * kLanes * kKeys <= 2 * kPlaces);
  constexpr unsigned kGolden = 2654435769;  // 2^32 over the golden ratio (Knuth, 6.4)
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  int* const table = places->column;
  const auto home = [](unsigned column) { return static_cast<int>(std::uint64_t{column * kGolden} * kPlaces >> 32); };
  Held<unsigned, kKeys> column;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const bool has = t * kLanes + l < n;
    column[t] = has ? columns[t * kLanes + l] : 0;
    if (has) simt::atomic_store(table + home(column[t]), static_cast<int>(column[t]));
  }
  simt::sync_wave(wave);
  unsigned lost = 0;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++)
    if (t * kLanes + l < n && simt::load_relaxed(table + home(column[t])) != static_cast<int>(column[t]))
      lost |= 1U << t;
  const auto next = [](int at) { return at + 1 < kPlaces ? at + 1 : 0; };
  for (; lost != 0; lost &= lost - 1) {
    const unsigned its = columns[simt::lowest(lost) * kLanes + l];
    bool fresh;
    probe(table, next(home(its)), static_cast<int>(its), fresh, next);
  }
  simt::sync_wave(wave);
  int found = 0;
  ROWAN_UNROLL
  for (int k = 0; k < kFours; k += kLanes)
    for (const int its : places[k + l].column) found += its != kNoKey ? 1 : 0;
  return found;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
