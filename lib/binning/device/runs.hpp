#pragma once
// Runs, the grouping before binning. Neighbouring rows that are alike share work: the leader, the first of them, is
// counted for all (its followers take its count), and bundles of them are multiplied together.
//   - Runs of equal rows are cut every kRunRows rows, so that every row finds its leader near by. A bundle reads B's
//     rows and looks columns up once (docs/devices.md: dense-run).
//   - Shift bundles are rows of which each has the products of the row before, moved by one column (grids). One recipe
//     multiplies them (docs/devices.md: shift runs).
#include <cstdint>

#include "lib/binning/rows.hpp"
#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// How a row's pattern relates to the row's before; 0: not at all.
inline constexpr std::uint8_t kSameAsPrevious = 1, kShiftedFromPrevious = 2;

inline constexpr std::int64_t kRunRows = 48;  // what bundles of 1, 2, 3, 4, 6 and 8 rows all divide
inline constexpr int kMaxBundleRows = 8;

/// Whether the row is of the same run as the row before it.
[[nodiscard]] constexpr bool goes_on(const std::uint8_t* relation, std::int64_t row) noexcept {
  return relation[row] == kSameAsPrevious && row % kRunRows != 0;
}
/// Whether the row before or behind is of the same pattern.
[[nodiscard]] constexpr bool in_run(std::int64_t rows, const std::uint8_t* relation, std::int64_t row) noexcept {
  return relation[row] == kSameAsPrevious || (row + 1 < rows && relation[row + 1] == kSameAsPrevious);
}

/// What a row is of a shift bundle: its leader, a follower, or none. A byte; zero is none. No row of a run of equal
/// rows is in a shift bundle.
class ShiftMark {
 public:
  static constexpr int kMinRows = static_cast<int>(kShiftRun), kMaxRows = 128;  // of a bundle

  ShiftMark() = default;
  [[nodiscard]] static constexpr ShiftMark leader(int rows) noexcept { return ShiftMark(rows); }
  [[nodiscard]] static constexpr ShiftMark follower(int behind) noexcept { return ShiftMark(kMaxRows + behind); }

  [[nodiscard]] constexpr bool in_bundle() const noexcept { return byte_ != 0; }
  [[nodiscard]] constexpr bool is_leader() const noexcept { return in_bundle() && byte_ <= kMaxRows; }
  [[nodiscard]] constexpr bool is_follower() const noexcept { return byte_ > kMaxRows; }
  /// Of a leader: rows of its bundle.
  [[nodiscard]] constexpr int rows() const noexcept { return byte_; }
  /// Of a follower: how many rows its leader is before it.
  [[nodiscard]] constexpr int behind() const noexcept { return byte_ - kMaxRows; }

 private:
  explicit constexpr ShiftMark(int byte) noexcept : byte_(static_cast<std::uint8_t>(byte)) {}
  std::uint8_t byte_ = 0;
};
static_assert(sizeof(ShiftMark) == 1 && ShiftMark::follower(ShiftMark::kMaxRows - 1).behind() == 127);

/// A word of a row's bitmap that is not zero.
struct alignas(8) SavedWord {
  std::uint32_t bits;
  /// Bits in the words before it, and from kBitsBefore on which word of the row's span it is; of spans of more than
  /// dense::kSlotWords which word it is, and nothing else.
  std::uint32_t packed;
  static constexpr int kBitsBefore = 16;
  static constexpr std::int64_t kMax = (1 << kBitsBefore) - 1;  // of bits, and of words of a span
  [[nodiscard]] constexpr int before() const { return static_cast<int>(packed & ((1U << kBitsBefore) - 1)); }
  [[nodiscard]] constexpr int at() const { return static_cast<int>(packed >> kBitsBefore); }
};
/// Where a run's words are; n is 0: nowhere. Negative: of a row that dense-rank counted, whose bitmap is there with all
/// its words, two in each of -n.
struct SavedRange {
  std::int32_t from, n;
};
/// Bitmaps that the symbolic phase saves for the numeric phase, which makes the others again: rows whose words find no
/// room are not saved.
struct SavedBitmaps {
  SavedWord* words = nullptr;
  std::int64_t* used = nullptr;
  std::int64_t room = 0;
  SavedRange* of_row = nullptr;  // null: none are saved
};

}  // namespace rowan::device::inline ROWAN_BACKEND
