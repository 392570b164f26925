#pragma once
// Tables and threads of the device's hash kernels, and which rows each takes.
#include <array>
#include <cstdint>

#include "accumulators/common/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

struct Size {
  int threads;  // that have a row to themselves; up to kMostLanes of one wave,
                // more are a block
  int table;    // places, a power of two
};
inline constexpr int kMostLanes = 32;       // so that a group of lanes fits waves of 32 and 64
inline constexpr int kBlockOfGroups = 256;  // threads of a block whose waves have rows of their own
inline constexpr int kDigits = 32;          // of radix sort: a wave has a lane for each

/// Symbolic, sized to the bound of a row's entries: by OpSparse's choice at most five sixths full (section 5.7,
/// Sym_1.2x; Room, models/policy.hpp). Tables and threads are OpSparse's table 1
/// (four bytes a place, eight to thirty-two places a thread), with more short
/// rows: below a wave each class halves the lanes, as DCU-nsparse
/// (section 5.4.1) does for rows shorter than a wave. The last two use the 128
/// KiB that NVIDIA has since sm_80; a device with less takes the tables in
/// global memory.
inline constexpr std::array<Size, 11> kSymbolic{{{4, 32},
                                                 {8, 64},
                                                 {8, 128},
                                                 {16, 256},
                                                 {32, 512},
                                                 {32, 1024},
                                                 {64, 2048},
                                                 {128, 4096},
                                                 {256, 8192},
                                                 {512, 16384},
                                                 {1024, 32768}}};
/// Numeric, sized to the exact number of entries: by OpSparse's choice at most half full (table 2, Num_2x), eight
/// places a thread so that a thread holds its places in registers while the table is packed for the sort.
inline constexpr std::array<Size, 9> kNumeric{
    {{4, 32}, {8, 64}, {16, 128}, {32, 256}, {64, 512}, {128, 1024}, {256, 2048}, {512, 4096}, {1024, 8192}}};
inline constexpr int kPlacesAThread = 8;  // of kNumeric

/// Entries of a row that the table is for, at `room` places for 100 of them.
[[nodiscard]] constexpr std::int64_t most_entries(const Size& s, int room) noexcept {
  return s.table * 100 / room;
}
/// Entries that a table can end up with, a power of two: room for their words, which are sorted. Whole tables are
/// sorted without words: what is left is room for columns.
[[nodiscard]] constexpr int most_words(int table, int room, TableSort sort) noexcept {
  return room >= 200 || sort == TableSort::whole ? table / 2 : table;
}
[[nodiscard]] constexpr int rows_a_block(const Size& s) noexcept {
  return s.threads <= kMostLanes ? kBlockOfGroups / s.threads : 1;
}
[[nodiscard]] constexpr int threads_a_block(const Size& s) noexcept {
  return s.threads <= kMostLanes ? kBlockOfGroups : s.threads;
}
/// Dynamic shared memory of a block in the symbolic phase, where a place takes a column. Tables of lanes lie some
/// places apart, so that they begin in different banks.
[[nodiscard]] constexpr std::size_t symbolic_bytes(const Size& s) noexcept {
  const int apart = s.threads > kMostLanes ? 0 : s.threads;
  return static_cast<std::size_t>(rows_a_block(s)) * static_cast<std::size_t>(s.table + apart) * sizeof(std::int32_t);
}
/// How a table of this size is sorted. Up to 64 entries are counted, whatever this says. By size: on an H200 radix
/// takes 128 us for bitonic's 164 where rows have 143 entries, 210 for 348 with 553 and 278 for 448 with 2,032; with
/// 81, in tables of 256 places, they are alike.
[[nodiscard]] constexpr TableSort sort_of(const Size& s, TableSort sort) noexcept {
  constexpr int kRadixFrom = 512;  // places
  if (sort != TableSort::by_size) return sort;
  return s.table >= kRadixFrom ? TableSort::radix : TableSort::bitonic;
}
/// Counters of a block's radix sort: one for each of a wave's 32 digits.
[[nodiscard]] constexpr int digit_counters(const Size& s, TableSort sort) noexcept {
  return sort_of(s, sort) == TableSort::radix && s.threads > kMostLanes ? s.threads / kLeastWave * kDigits : 0;
}
/// In the numeric phase: values, and words in whose memory columns are until they are packed.
[[nodiscard]] constexpr std::size_t numeric_bytes(const Size& s, std::size_t value_bytes, int room,
                                                  TableSort sort) noexcept {
  const int apart = s.threads > kMostLanes ? 0 : s.threads;
  return static_cast<std::size_t>(rows_a_block(s)) *
             (static_cast<std::size_t>(most_words(s.table, room, sort) + apart) * sizeof(std::uint64_t) +
              static_cast<std::size_t>(s.table + apart) * value_bytes) +
         static_cast<std::size_t>(digit_counters(s, sort)) * sizeof(int);
}
/// Static shared memory of the kernels, at most: what reductions over a block
/// and late rows of B need.
inline constexpr std::size_t kOwnShared = 2048;

/// Places of the table that rows beyond all others are tried in, in shared memory, before global memory has to do:
/// OpSparse's 24,575 (section 5.6.1), or the like in what a device has.
[[nodiscard]] constexpr int tried_places(std::size_t shared_limit) noexcept {
  constexpr int kPlaces[] = {49151, 24575, 12287};
  for (const int places : kPlaces)
    if (static_cast<std::size_t>(places) * sizeof(std::int32_t) + kOwnShared <= shared_limit) return places;
  return 0;
}
/// Entries that it may come to hold (section 5.6.1: 0.8); so many threads as a block has may still add one each.
[[nodiscard]] constexpr int most_tried(int places) noexcept {
  return places / 5 * 4;
}

/// Which kernel takes rows of at most so many entries; past the last of the
/// table: in global memory.
[[nodiscard]] constexpr int symbolic_kernel(const SizeQuery& q) noexcept {
  constexpr auto kSizes = kSymbolic;  // of its own: devices cannot see the host's
  std::size_t s = 0;
  while (s < kSizes.size() && q.bound_max > most_entries(kSizes[s], q.room)) s++;
  if (s < kSizes.size() && symbolic_bytes(kSizes[s]) + kOwnShared > q.shared_limit) s = kSizes.size();
  return static_cast<int>(s);
}
[[nodiscard]] constexpr int numeric_kernel(const SizeQuery& q) noexcept {
  constexpr auto kSizes = kNumeric;
  std::size_t s = 0;
  while (s < kSizes.size() && q.bound_max > most_entries(kSizes[s], q.room)) s++;
  if (s < kSizes.size() && numeric_bytes(kSizes[s], q.value_bytes, q.room, q.tables.sort) + kOwnShared > q.shared_limit)
    s = kSizes.size();
  return static_cast<int>(s);
}

/// Borders of bins that the tables ask for: upper border `i` of a phase's sizes.
template <std::size_t kCount>
[[nodiscard]] constexpr std::array<std::int64_t, kCount + 1> borders_of(const std::array<Size, kCount>& sizes,
                                                                        int room) noexcept {
  std::array<std::int64_t, kCount + 1> b{};
  for (std::size_t i = 0; i < kCount; i++) b[i] = most_entries(sizes[i], room);
  b.back() = INT64_MAX;
  return b;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
