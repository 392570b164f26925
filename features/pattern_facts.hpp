#pragma once
// What one matrix's rows look like, apart from any product: order, column ranges, runs of like rows.
#include <cstdint>

#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include "lib/core/row_work.hpp"
#include <rowan/memory.hpp>

namespace rowan {

/// What a product needs to know of a row of B, side by side: it is met at random, and one cache line is one wait.
struct RowFacts {
  std::int32_t lo = 0, hi = -1;  // its columns lie in [lo, hi]; hi < lo: the row is empty
  std::int32_t length = 0;
  RowRun run;
};
static_assert(sizeof(RowFacts) == 16);

struct PatternFacts {
  bool sorted = true;        // every row's columns rise strictly
  std::int64_t longest = 0;  // entries of the longest row
  Array<RowFacts> row;
  Array<RowRun> run;  // of each row, once more: kernels read nothing else of it
};

/// O(rows + nnz), one pass over the columns (two where rows are not sorted); parallel. Throws Error{overflow} where a
/// row has 2^31 entries and more, as only one with duplicates can.
[[nodiscard]] PatternFacts pattern_facts(const Pattern& m, const Team& team);

}  // namespace rowan
