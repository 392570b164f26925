#pragma once
// Tables and threads of the device's hash kernels, and which rows each takes.
#include <array>
#include <cstdint>

#include "accumulators/common/device/task.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

/// Threads that have a row to themselves, up to kMostLanes of one wave, more are a block; slots, a power of two.
using TableSize = tuning::TableSize;
inline constexpr int kMostLanes = 32;  // so that a group of lanes fits waves of 32 and 64
inline constexpr int kBlockOfGroups = kShapes.hash.block_of_groups;
inline constexpr int kDigits = 32;  // of radix sort: a wave has a lane for each

/// Symbolic, sized to the bound of a row's entries: by OpSparse's choice at most five sixths full (section 5.7,
/// Sym_1.2x; models/policy.hpp).
inline constexpr auto kSymbolic = kShapes.hash.symbolic.value;
/// Numeric, sized to the exact number of entries: by OpSparse's choice at most half full (table 2, Num_2x). All have as
/// many slots a thread, so that a thread holds its slots in registers while the table is packed for the sort.
inline constexpr auto kNumeric = kShapes.hash.numeric.value;
inline constexpr int kSlotsAThread = kNumeric.front().table / kNumeric.front().threads;
static_assert([] {
  for (const TableSize& s : kNumeric)
    if (s.table != kSlotsAThread * s.threads) return false;
  return true;
}());

/// Entries of a row that the table is for, at `room` places for 100 of them.
[[nodiscard]] constexpr std::int64_t most_entries(const TableSize& s, int room) noexcept {
  return s.table * 100 / room;
}
/// Entries that a table can end up with, a power of two: room for their words, which are sorted. Whole tables are
/// sorted without words: what is left is room for columns.
[[nodiscard]] constexpr int most_words(int table, int room, TableSort sort) noexcept {
  return room >= 200 || sort == TableSort::whole ? table / 2 : table;
}
[[nodiscard]] constexpr int rows_a_block(const TableSize& s) noexcept {
  return s.threads <= kMostLanes ? kBlockOfGroups / s.threads : 1;
}
[[nodiscard]] constexpr int threads_a_block(const TableSize& s) noexcept {
  return s.threads <= kMostLanes ? kBlockOfGroups : s.threads;
}
/// Dynamic shared memory of a block in the symbolic phase, where a place takes a column. Tables of lanes lie some
/// places apart, so that they begin in different banks.
[[nodiscard]] constexpr std::size_t symbolic_bytes(const TableSize& s) noexcept {
  const int apart = s.threads > kMostLanes ? 0 : s.threads;
  return static_cast<std::size_t>(rows_a_block(s)) * static_cast<std::size_t>(s.table + apart) * sizeof(std::int32_t);
}
/// How a table of this size is sorted. Few entries are counted (kMostCounting), whatever this says.
[[nodiscard]] constexpr TableSort sort_of(const TableSize& s, TableSort sort) noexcept {
  constexpr int kRadixFrom = kShapes.hash.radix_from;
  if (sort != TableSort::by_size) return sort;
  return s.table >= kRadixFrom ? TableSort::radix : TableSort::bitonic;
}
/// Counters of a block's radix sort: one for each of a wave's 32 digits.
[[nodiscard]] constexpr int digit_counters(const TableSize& s, TableSort sort) noexcept {
  return sort_of(s, sort) == TableSort::radix && s.threads > kMostLanes ? s.threads / kLeastWave * kDigits : 0;
}
/// In the numeric phase: values, and words in whose memory columns are until they are packed.
[[nodiscard]] constexpr std::size_t numeric_bytes(const TableSize& s, std::size_t value_bytes, int room,
                                                  TableSort sort) noexcept {
  const int apart = s.threads > kMostLanes ? 0 : s.threads;
  return static_cast<std::size_t>(rows_a_block(s)) *
             (static_cast<std::size_t>(most_words(s.table, room, sort) + apart) * sizeof(std::uint64_t) +
              static_cast<std::size_t>(s.table + apart) * value_bytes) +
         static_cast<std::size_t>(digit_counters(s, sort)) * sizeof(int);
}
/// Static shared memory of the kernels, at most.
inline constexpr std::size_t kOwnShared = kShapes.hash.reserved_shared_bytes;

/// Slots of the table that rows beyond all others are tried in, in shared memory, before global memory has to do: the
/// most that a device has room for (OpSparse, section 5.6.1).
[[nodiscard]] constexpr int tried_places(std::size_t shared_limit) noexcept {
  constexpr auto kSlots = kShapes.hash.tried.value;
  for (const int slots : kSlots)
    if (static_cast<std::size_t>(slots) * sizeof(std::int32_t) + kOwnShared <= shared_limit) return slots;
  return 0;
}
/// Entries that it may come to hold; each thread of the block may still add one more.
[[nodiscard]] constexpr int most_tried(int slots) noexcept {
  constexpr int kFifths = kShapes.hash.tried_fifths;
  return slots / 5 * kFifths;
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
[[nodiscard]] constexpr std::array<std::int64_t, kCount + 1> borders_of(const std::array<TableSize, kCount>& sizes,
                                                                        int room) noexcept {
  std::array<std::int64_t, kCount + 1> b{};
  for (std::size_t i = 0; i < kCount; i++) b[i] = most_entries(sizes[i], room);
  b.back() = INT64_MAX;
  return b;
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
