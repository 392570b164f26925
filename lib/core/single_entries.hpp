#pragma once
// Matrices of which no row has more than one entry: diagonals, permutations, selections, the groups that vertices are
// in. Products with them are copies, or sums of neighbours.
#include "lib/core/pattern.hpp"

namespace rowan {

/// Whether no row of a matrix has more than one entry, and then what columns do from entry to entry. A matrix without
/// entries is none of these.
enum class SingleEntries : std::uint8_t { no, in_any_order, never_fall, rise };

/// Whether there are entries, and no row has more than one. O(1) where there are more entries than rows; else O(rows),
/// less where an early row has more.
[[nodiscard]] bool has_single_entries(const Pattern& m) noexcept;
/// O(1) where there are more entries than rows; else O(rows + nnz), less where an early row has more or an early column
/// falls.
[[nodiscard]] SingleEntries single_entries(const Pattern& m) noexcept;

}  // namespace rowan
