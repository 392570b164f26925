#pragma once
// The facts of a block of a matrix's rows.
#include "features/pattern_facts.hpp"

namespace rowan {

inline constexpr std::int64_t kPatternBlock = 1 << 11;  // rows: what they hold stays in the cache for a second reading

struct BlockFacts {
  bool rising = true;
  std::int64_t longest = 0, linked = 0, far = 0;  // rows: linked are another row moved, far ones reach far
};

/// Sets rows and runs of rows [from, to), kPatternBlock at most, as they are if the rows rise; runs end with the block.
/// One pass over the columns.
[[nodiscard]] BlockFacts classify_rows(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts);

}  // namespace rowan
