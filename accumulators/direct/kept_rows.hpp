#pragma once
// What a row of C leaves for rows behind it whose products are its own, moved by some columns: how long the rows of B
// are that A's row meets, their columns, and where in C's row their sums stand.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "accumulators/candidate.hpp"
#include "accumulators/common/positions.hpp"
#include "accumulators/common/scratch.hpp"

namespace rowan::direct {

inline constexpr std::int64_t kKeptEntries = 64;      // of a row of C, at most: its positions are bits of a word
inline constexpr int kKeptColumns = 16;               // are compared at a time
inline constexpr std::size_t kKeptRoom = 256 * 1024;  // bytes for all kept rows: within a second-level cache

/// Columns that n columns of a row of B take, with those that pad them.
[[nodiscard]] constexpr std::int64_t padded(std::int64_t n) noexcept {
  return std::max<std::int64_t>((n + kKeptColumns - 1) / kKeptColumns * kKeptColumns, kKeptColumns);
}

/// What an entry of A's row meets: a row of B.
struct MetRow {
  std::uint64_t positions;  // of its columns in C's row, a bit each
  std::int32_t length;
  std::uint16_t first_lanes;  // a bit for each of its first kKeptColumns columns
};

/// A kept row. Columns are counted from its first product's.
struct KeptRow {
  std::int64_t a_nnz, nnz;       // entries of A's row, and of C's
  KeptRow* next;                 // like the row that came behind this one last; null: not known
  const MetRow* met;             // a_nnz rows of B
  const Column* columns;         // theirs, padded(length) each, zeros behind
  const std::uint8_t* position;  // of each product, in C's row
  const Column* col;             // of C's row; kKeptEntries may be read
};

/// All that are kept, in persistent scratch: all zero at first, at a border of kScratchAlign.
class KeptRows {
 public:
  [[nodiscard]] static constexpr std::size_t bytes() noexcept { return aligned(sizeof(KeptRows)) + kKeptRoom; }

  /// A row like row i of C if one is kept, and null if none is: found by the lengths and first columns of up to 32
  /// of the rows of B that it meets. Its row of A has entries.
  [[nodiscard]] KeptRow*& slot(const Pattern& a, const Pattern& b, std::int64_t i) noexcept;

  /// Keeps row i of C, whose columns are `col`, rising. `position`, of columns from `lo` on, is written and read where
  /// the row has some; its numbers from `begin` on are the row's own. Null, and nothing is kept, where the row is too
  /// long or a row of B does not rise. Where there is no room, those that were kept are forgotten. O(products).
  [[nodiscard]] KeptRow* keep(const Pattern& a, const Pattern& b, std::int64_t i, std::span<const Column> col,
                              ColumnPositions::Position* position, std::int64_t begin, Column lo) noexcept;

  /// Whether the next row is compared with kept ones, else kept: not for a while where few were alike.
  [[nodiscard]] bool looks() noexcept { return pause_left_ == 0 || --pause_left_ == 0; }
  /// `rows` were compared, `alike` of them with success.
  void compared(std::int64_t rows, std::int64_t alike) noexcept {
    compared_ += rows, alike_ += alike;
    if (compared_ < kJudged) return;
    if (kFew * alike_ < compared_) pause_left_ = pause_ = std::clamp(4 * pause_, kLeastPause, kMostPause);
    compared_ = alike_ = 0;
  }

  KeptRow* last;  // like the row before; null: none is

 private:
  static constexpr std::size_t kSlots = 1024;
  // Rows after which is judged, and the share of them alike below which comparing and keeping do not pay. An irregular
  // matrix of 10,000 rows has 192 compared and kept, which take two to three times as long.
  static constexpr std::int64_t kJudged = 64, kFew = 4;
  static constexpr std::int64_t kLeastPause = 1024, kMostPause = 65536;  // rows

  template <class T>
  [[nodiscard]] T* room(std::int64_t n) noexcept {
    auto* const at = reinterpret_cast<std::byte*>(this) + aligned(sizeof(KeptRows)) + used_;
    used_ += aligned(static_cast<std::size_t>(n) * sizeof(T));
    return reinterpret_cast<T*>(at);
  }

  KeptRow* slot_[kSlots];
  std::size_t used_;
  std::int64_t compared_, alike_, pause_left_, pause_;
};

}  // namespace rowan::direct
