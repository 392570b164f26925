#pragma once
// C's pattern without values, where rows are not measured.
#include <optional>

#include "lib/host/budget.hpp"
#include "lib/host/chunks.hpp"
#include "lib/host/settings.hpp"

namespace rowan {

/// Row pointers, and columns that rise in each row.
struct ThinPattern {
  Array<std::int64_t> row_ptr;
  Array<Column> col;
  std::vector<Chunk> chunks;  // of rows; the bounds are their products
  std::int64_t nprod = 0;
};

/// The pattern of A B where the policy multiplies it without measuring rows (sampled.hpp). Empty where rows are to be
/// measured, where B has too many columns (kMostPositions), and where the bytes do not fit the budget.
/// O(products + nnz(C) log(longest row)).
[[nodiscard]] std::optional<ThinPattern> thin_pattern_of(const Pattern& a, const Pattern& b, const Settings& settings,
                                                         const Team& team, Budget& budget);

}  // namespace rowan
