#pragma once
// What a policy says of a device's hash tables.
#include <array>
#include <cstdint>
#include <string_view>

namespace rowan {

/// How a table with sums becomes a sorted row, numeric phase. What is packed is sorted by counting where it is little.
enum class TableSort : std::uint8_t {
  by_size,  // bitonic or radix, whichever was faster for tables of the size
  bitonic,  // entries packed, then a bitonic network (OpSparse condenses and sorts)
  whole,    // nothing packed: a bitonic network over all slots (DCU-nsparse, section 5.3)
  radix,    // entries packed, then digit by digit (DeltaSPARSE, section III.A)
};
inline constexpr std::array<std::string_view, 4> kTableSortNames{"by_size", "bitonic", "whole", "radix"};

[[nodiscard]] constexpr std::string_view name_of(TableSort sort) noexcept {
  return kTableSortNames[static_cast<std::size_t>(sort)];
}

/// Slots of a hash table for 100 entries of its row, by phase; for a row's upper bound in the symbolic phase. Bins'
/// borders are made from it before anything is measured, so that it is one for all rows. 120 and 200 are OpSparse's
/// (section 5.7); nsparse has 100, spECK keeps tables at most 66 % full: 150.
struct SlotsPerEntry {
  std::int16_t symbolic = 120, numeric = 200;

  static constexpr int kLeast = 100, kMost = 800;
  [[nodiscard]] constexpr bool operator==(const SlotsPerEntry&) const noexcept = default;
};

struct TableRules {
  SlotsPerEntry slots_per_entry = {};
  TableSort sort = TableSort::by_size;
  /// So many rows of one kernel, if they are beyond all tables in shared memory, have tables of 1.5 times the bound in
  /// global memory that the library's sort orders, all together; more have tables of twice the bound that a block each
  /// sorts in place (DCU-nsparse, section 5.4.2).
  std::int32_t library_rows = 0;
  /// Collisions for each product that a lane may meet while it counts; beyond, its row is given up and counted by
  /// dense-rank (DeltaSPARSE, section III.A, which prints no limit). 0: rows are never given up.
  std::int32_t collisions = 0;

  [[nodiscard]] constexpr bool operator==(const TableRules&) const noexcept = default;
};

}  // namespace rowan
