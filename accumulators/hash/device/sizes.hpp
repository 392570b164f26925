#pragma once
// Tables and threads of the device's hash kernels, and which rows each takes.
#include <array>
#include <cstdint>

#include "accumulators/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

struct Size {
  int threads;  // that have a row to themselves; up to kMostLanes of one wave,
                // more are a block
  int table;    // places, a power of two
};
inline constexpr int kMostLanes = 32;       // so that a group of lanes fits waves of 32 and 64
inline constexpr int kBlockOfGroups = 256;  // threads of a block whose waves have rows of their own

/// Symbolic, sized to the bound of a row's entries: at most five sixths full
/// (OpSparse, section 5.7, Sym_1.2x). Tables and threads are OpSparse's table 1
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
/// Numeric, sized to the exact number of entries: at most half full (OpSparse,
/// table 2, Num_2x), eight places a thread so that a thread holds its places in
/// registers while the table is packed for the sort.
inline constexpr std::array<Size, 9> kNumeric{
    {{4, 32}, {8, 64}, {16, 128}, {32, 256}, {64, 512}, {128, 1024}, {256, 2048}, {512, 4096}, {1024, 8192}}};
inline constexpr int kPlacesAThread = 8;  // of kNumeric

[[nodiscard]] constexpr std::int64_t most_symbolic(const Size& s) noexcept {
  return s.table * 5 / 6;
}
[[nodiscard]] constexpr std::int64_t most_numeric(const Size& s) noexcept {
  return s.table / 2;
}
[[nodiscard]] constexpr int rows_a_block(const Size& s) noexcept {
  return s.threads <= kMostLanes ? kBlockOfGroups / s.threads : 1;
}
[[nodiscard]] constexpr int threads_a_block(const Size& s) noexcept {
  return s.threads <= kMostLanes ? kBlockOfGroups : s.threads;
}
/// Dynamic shared memory of a block; a place takes a column, and a value in the numeric phase. Tables of lanes lie some
/// places apart, so that they begin in different banks.
[[nodiscard]] constexpr std::size_t shared_bytes(const Size& s, std::size_t value_bytes) noexcept {
  if (s.threads > kMostLanes) return static_cast<std::size_t>(s.table) * (sizeof(std::int32_t) + value_bytes);
  const std::size_t keys = value_bytes == 0 ? static_cast<std::size_t>(s.table + s.threads) * sizeof(std::int32_t)
                                            : static_cast<std::size_t>(s.table / 2 + s.threads) * sizeof(std::uint64_t);
  return static_cast<std::size_t>(rows_a_block(s)) *
         (keys + static_cast<std::size_t>(s.table + s.threads) * value_bytes);
}
/// Static shared memory of the kernels, at most: what reductions over a block
/// and late rows of B need.
inline constexpr std::size_t kOwnShared = 2048;

/// Which kernel takes rows of at most so many entries; past the last of the
/// table: in global memory.
[[nodiscard]] constexpr int symbolic_kernel(const SizeQuery& q) noexcept {
  constexpr auto kSizes = kSymbolic;  // of its own: devices cannot see the host's
  std::size_t s = 0;
  while (s < kSizes.size() && q.bound_max > most_symbolic(kSizes[s])) s++;
  if (s < kSizes.size() && shared_bytes(kSizes[s], 0) + kOwnShared > q.shared_limit) s = kSizes.size();
  return static_cast<int>(s);
}
[[nodiscard]] constexpr int numeric_kernel(const SizeQuery& q) noexcept {
  constexpr auto kSizes = kNumeric;
  std::size_t s = 0;
  while (s < kSizes.size() && q.bound_max > most_numeric(kSizes[s])) s++;
  if (s < kSizes.size() && shared_bytes(kSizes[s], q.value_bytes) + kOwnShared > q.shared_limit) s = kSizes.size();
  return static_cast<int>(s);
}

/// Borders of bins that the tables ask for.
inline constexpr auto kSymbolicBorders = [] {
  std::array<std::int64_t, kSymbolic.size() + 1> b{};
  for (std::size_t i = 0; i < kSymbolic.size(); i++) b[i] = most_symbolic(kSymbolic[i]);
  b.back() = INT64_MAX;
  return b;
}();
inline constexpr auto kNumericBorders = [] {
  std::array<std::int64_t, kNumeric.size() + 1> b{};
  for (std::size_t i = 0; i < kNumeric.size(); i++) b[i] = most_numeric(kNumeric[i]);
  b.back() = INT64_MAX;
  return b;
}();

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
