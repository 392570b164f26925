#pragma once
// A symbolic phase for rows of which nothing is known: a column is new where it was not met in this row.
#include "accumulators/candidate.hpp"

namespace rowan {

/// SymbolicFn of candidates whose persistent scratch begins with ColumnPositions. O(products).
void count_by_positions(const SymbolicTask& t);

}  // namespace rowan
