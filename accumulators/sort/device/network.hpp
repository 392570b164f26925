#pragma once
// A sorting network over the registers of a group of lanes.
#include <array>
#include <cstdint>

#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

__device__ inline void sort_two(unsigned& low, unsigned& high) {
  const unsigned x = low, y = high;
  low = x < y ? x : y;
  high = x < y ? y : x;
}

/// Keys of a lane that do where three quarters of the room are enough: a third less is compared and exchanged.
[[nodiscard]] constexpr int fewer_keys(int keys) noexcept {
  return keys % 8 == 0 ? keys / 4 * 3 : keys;
}

/// A comparison of two places.
struct Exchange {
  std::int8_t low, high;
};

/// The fewest comparisons known that sort so many keys (Knuth, 5.3.4: 16 by Green, 12 by Shapiro and Green).
template <int kKeys>
struct BestNetwork;
template <>
struct BestNetwork<2> {
  static constexpr std::array<Exchange, 1> exchanges{{{0, 1}}};
};
template <>
struct BestNetwork<3> {
  static constexpr std::array<Exchange, 3> exchanges{{{0, 2}, {0, 1}, {1, 2}}};
};
template <>
struct BestNetwork<4> {
  static constexpr std::array<Exchange, 5> exchanges{{{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}}};
};
template <>
struct BestNetwork<6> {
  static constexpr std::array<Exchange, 12> exchanges{
      {{0, 5}, {1, 3}, {2, 4}, {1, 2}, {3, 4}, {0, 3}, {2, 5}, {0, 1}, {2, 3}, {4, 5}, {1, 2}, {3, 4}}};
};
template <>
struct BestNetwork<8> {
  static constexpr std::array<Exchange, 19> exchanges{{{0, 2},
                                                       {1, 3},
                                                       {4, 6},
                                                       {5, 7},
                                                       {0, 4},
                                                       {1, 5},
                                                       {2, 6},
                                                       {3, 7},
                                                       {0, 1},
                                                       {2, 3},
                                                       {4, 5},
                                                       {6, 7},
                                                       {2, 4},
                                                       {3, 5},
                                                       {1, 4},
                                                       {3, 6},
                                                       {1, 2},
                                                       {3, 4},
                                                       {5, 6}}};
};
template <>
struct BestNetwork<12> {
  static constexpr std::array<Exchange, 39> exchanges{
      {{0, 8}, {1, 7},  {2, 6},  {3, 11}, {4, 10}, {5, 9}, {0, 1}, {2, 5},  {3, 4},  {6, 9}, {7, 8}, {10, 11}, {0, 2},
       {1, 6}, {5, 10}, {9, 11}, {0, 3},  {1, 2},  {4, 6}, {5, 7}, {8, 11}, {9, 10}, {1, 4}, {3, 5}, {6, 8},   {7, 10},
       {1, 3}, {2, 5},  {6, 9},  {8, 10}, {2, 3},  {4, 5}, {6, 7}, {8, 9},  {4, 6},  {5, 7}, {3, 4}, {5, 6},   {7, 8}}};
};
template <>
struct BestNetwork<16> {
  static constexpr std::array<Exchange, 60> exchanges{
      {{0, 1},   {2, 3},  {4, 5},   {6, 7},   {8, 9},   {10, 11}, {12, 13}, {14, 15}, {0, 2},  {1, 3},
       {4, 6},   {5, 7},  {8, 10},  {9, 11},  {12, 14}, {13, 15}, {0, 4},   {1, 5},   {2, 6},  {3, 7},
       {8, 12},  {9, 13}, {10, 14}, {11, 15}, {0, 8},   {1, 9},   {2, 10},  {3, 11},  {4, 12}, {5, 13},
       {6, 14},  {7, 15}, {5, 10},  {6, 9},   {3, 12},  {13, 14}, {4, 8},   {7, 11},  {1, 2},  {1, 4},
       {7, 13},  {2, 8},  {11, 14}, {2, 4},   {5, 6},   {9, 10},  {11, 13}, {3, 8},   {7, 12}, {6, 8},
       {10, 12}, {3, 5},  {7, 9},   {3, 4},   {5, 6},   {7, 8},   {9, 10},  {11, 12}, {6, 7},  {8, 9}}};
};

/// Sorts a lane's words, rising.
template <int kKeys>
__device__ void sort_in_lane(Held<unsigned, kKeys>& key) {
  constexpr auto kExchanges = BestNetwork<kKeys>::exchanges;  // of its own: devices cannot see the host's
  ROWAN_UNROLL
  for (std::size_t k = 0; k < kExchanges.size(); k++) sort_two(key[kExchanges[k].low], key[kExchanges[k].high]);
}

/// The same of words that rise and then fall, or the other way round (a bitonic sequence, Batcher 1968): halves are
/// compared while they have an even number of keys, and three keys at the end are sorted.
template <int kKeys>
__device__ void merge_in_lane(Held<unsigned, kKeys>& key) {
  constexpr int kLast = kKeys % 3 == 0 ? 3 : 1;
  ROWAN_UNROLL
  for (int size = kKeys; size > kLast; size /= 2) {
    ROWAN_UNROLL
    for (int begin = 0; begin < kKeys; begin += size) {
      ROWAN_UNROLL
      for (int t = begin; t < begin + size / 2; t++) sort_two(key[t], key[t + size / 2]);
    }
  }
  if constexpr (kLast == 3) {
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t += kLast)
      sort_two(key[t], key[t + 2]), sort_two(key[t], key[t + 1]), sort_two(key[t + 1], key[t + 2]);
  }
}

/// Sorts kLanes * kKeys words of every group of kLanes lanes of the wave, rising: lane l ends up with places l * kKeys
/// to (l + 1) * kKeys - 1. All lanes of the wave come along. `kKeys`: of a BestNetwork. `kRolled`: in
/// loops over exchanges between lanes, for kernels that have many networks: written out, their code is beyond what a
/// multiprocessor keeps of it.
template <int kLanes, int kKeys, bool kRolled = false>
__device__ void sort_in_registers(Held<unsigned, kKeys>& key) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  const auto keep = [&](int t, unsigned other, bool larger) { key[t] = (other < key[t]) != larger ? other : key[t]; };
  const auto compare_mirrored = [&](int run) {  // of lanes that are merged
    Held<unsigned, kKeys> other;
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) other[t] = simt::shuffle_xor(wave, key[kKeys - 1 - t], run - 1, kLanes);
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) keep(t, other[t], (l & (run / 2)) != 0);
  };
  const auto compare = [&](int step) {
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) keep(t, simt::shuffle_xor(wave, key[t], step, kLanes), (l & step) != 0);
  };
  sort_in_lane<kKeys>(key);
  if constexpr (kRolled) {
    ROWAN_ROLLED
    for (int run = 2; run <= kLanes; run *= 2) {
      compare_mirrored(run);
      ROWAN_ROLLED
      for (int step = run / 4; step > 0; step /= 2) compare(step);
      merge_in_lane<kKeys>(key);
    }
  } else {
    ROWAN_UNROLL
    for (int run = 2; run <= kLanes; run *= 2) {
      compare_mirrored(run);
      ROWAN_UNROLL
      for (int step = run / 4; step > 0; step /= 2) compare(step);
      merge_in_lane<kKeys>(key);
    }
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
