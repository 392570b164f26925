#pragma once
// A symbolic phase for rows of which nothing is known: a column is new where it was not met in this row.
#include "accumulators/candidate.hpp"

namespace rowan {

/// SymbolicFn of candidates whose persistent scratch begins with Places. O(products).
void count_by_places(const SymbolicTask& t);

}  // namespace rowan
