#pragma once
// Where a tile's entries begin in C, while other tiles are still counted: decoupled look-back (Merrill and Garland
// 2016). A word for each tile says what is known of it.
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

// Nothing yet (0), how many entries it has, how many it and all before it have.
inline constexpr unsigned long long kCountedTile = 1ULL << 62, kCompleteTile = 2ULL << 62,
                                    kEntriesOfTile = kCountedTile - 1;

/// Says how many entries a tile has, so that others need not wait until it asks for those before it.
__device__ inline void count_tile(unsigned long long* state, std::int64_t tile, std::int64_t entries) {
  simt::publish(state + tile, (tile == 0 ? kCompleteTile : kCountedTile) | static_cast<unsigned long long>(entries));
}

/// Entries of all tiles before `tile`, to all lanes of the one wave that asks; `mine` are its own. `state`: of all
/// tiles, 0 at first. Tiles before this one have begun, or else this never ends.
///
/// The tile before has often been placed already. Where it is not, as when all of few tiles begin together, lanes look
/// at several states at a time: one by one a small product waited longer for its place than it computed.
__device__ inline std::int64_t entries_before(unsigned long long* state, std::int64_t tile, std::int64_t mine) {
  constexpr int kWindows = 8;
  const Mask wave = simt::wave_mask();
  const int lane = simt::lane(), width = simt::wave_width();
  const auto entries = static_cast<unsigned long long>(mine);
  if (lane == 0) count_tile(state, tile, mine);
  unsigned long long before = 0;
  int windows = 1;
  bool found = tile == 0;
  for (std::int64_t end = tile; !found; end -= std::int64_t{windows} * width, windows = kWindows) {
    Held<unsigned long long, kWindows> seen;
    ROWAN_UNROLL
    for (int j = 0; j < kWindows; j++) {
      const std::int64_t k = end - 1 - j * width - lane;
      seen[j] = j < windows && k >= 0 ? simt::load_published(state + k) : kCompleteTile;
    }
    ROWAN_UNROLL
    for (int j = 0; j < kWindows; j++) {
      if (found || j >= windows) continue;
      const std::int64_t k = end - 1 - j * width - lane;
      while (simt::ballot(wave, seen[j] < kCountedTile) != 0)
        if (seen[j] < kCountedTile) seen[j] = simt::load_published(state + k);
      const Mask complete = simt::ballot(wave, seen[j] >= kCompleteTile);
      const int last = complete == 0 ? lane : simt::lowest(complete);
      before += simt::wave_sum(lane <= last ? seen[j] & kEntriesOfTile : 0ULL);
      found = complete != 0;
    }
  }
  if (lane == 0 && tile != 0) simt::publish(state + tile, kCompleteTile | (before + entries));
  return static_cast<std::int64_t>(before);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
