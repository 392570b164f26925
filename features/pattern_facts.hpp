#pragma once
// What one matrix's rows look like, apart from any product: order, column ranges, runs of like rows.
#include <cstdint>

#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include "lib/core/row_work.hpp"
#include <rowan/memory.hpp>

namespace rowan {

struct ColumnRange {
  std::int32_t lo, hi;  // hi < lo: the row is empty
};

struct PatternFacts {
  bool sorted = true;        // every row's columns rise strictly
  std::int64_t longest = 0;  // entries of the longest row
  Array<ColumnRange> range;  // of each row
  Array<RowRun> run;         // of each row
};

/// O(rows + nnz), one pass over the columns (two where rows are not sorted); parallel.
[[nodiscard]] PatternFacts pattern_facts(const Pattern& m, const Team& team);

}  // namespace rowan
