#pragma once
// Measuring what the policy only predicts: every feasible candidate on every bin.
#include <vector>

#include "lib/pipeline/multiply.hpp"

namespace rowan {

/// seconds[bin][candidate]: wall time of the numeric phase of the bin's rows on one thread, the least of `repeats`; 0
/// where the candidate is not feasible.
template <class T>
[[nodiscard]] std::vector<std::vector<double>> time_candidates(const Inputs<T>& in, const Decided& decided,
                                                               int repeats);

}  // namespace rowan
