#pragma once
// What one matrix's rows look like, apart from any product: order, column ranges, runs of like rows.
#include <algorithm>
#include <cstdint>

#include "lib/binning/rows.hpp"
#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include <rowan/memory.hpp>

namespace rowan {

/// What a product needs to know of a row of B, in one word: rows are met at random, and the smaller they are, the more
/// of them are in the cache. From the highest bits: last column (24), first column (24), entries (16). A maximum of
/// words has the last column of all; a row without entries is neutral in it, and in a minimum of first columns.
struct BRow {
  std::uint64_t word = std::uint64_t{kNoColumn} << 16;

  static constexpr std::uint32_t kNoColumn = (1U << 24) - 1;
  static constexpr std::uint32_t kLong = 65535;  // entries and more: their number is elsewhere

  BRow() = default;
  explicit BRow(std::uint64_t whole) noexcept : word(whole) {}
  /// lo and hi in units, see PatternFacts.
  BRow(Column lo, Column hi, std::int64_t length) noexcept
      : word(static_cast<std::uint64_t>(hi) << 40 | static_cast<std::uint64_t>(lo) << 16 |
             static_cast<std::uint64_t>(std::min<std::int64_t>(length, kLong))) {}
  [[nodiscard]] std::uint32_t length() const noexcept { return static_cast<std::uint32_t>(word & 0xffff); }
  [[nodiscard]] std::uint32_t lo() const noexcept { return static_cast<std::uint32_t>(word >> 16) & kNoColumn; }
  [[nodiscard]] std::uint32_t hi() const noexcept { return hi_of(word); }
  [[nodiscard]] static std::uint32_t hi_of(std::uint64_t word) noexcept {
    return static_cast<std::uint32_t>(word >> 40);
  }
};

struct PatternFacts {
  bool sorted = true;        // every row's columns rise strictly
  bool scattered = false;    // rows are many, alike in nothing, and reach too far for their ranges to matter
  int unit = 0;              // ranges are in units of 2^unit columns: 0 up to 2^24 - 1 columns
  std::int64_t longest = 0;  // entries of the longest row
  Array<BRow> row;
  Array<RowRun> run;
  Array<std::uint8_t> length;  // of scattered rows: entries, at most 255

  /// The columns of rows whose least first and greatest last unit these are.
  [[nodiscard]] Column first_column(std::uint32_t lo) const noexcept { return static_cast<Column>(lo << unit); }
  [[nodiscard]] Column last_column(std::uint32_t hi, std::int64_t cols) const noexcept {
    return static_cast<Column>(std::min<std::int64_t>(cols, (std::int64_t{hi} + 1) << unit) - 1);
  }
};

/// O(rows + nnz), one pass over the columns (two where rows are not sorted); parallel. Throws Error{overflow} where a
/// row has 2^31 entries and more, as only one with duplicates can.
[[nodiscard]] PatternFacts pattern_facts(const Pattern& m, const Team& team);

}  // namespace rowan
