#pragma once
// Bins whose rows alternate with another candidate's.
#include "lib/choose/record.hpp"

namespace rowan {

/// Bins are chosen each by itself, but a candidate that takes rows together (Candidate::batch_steps) needs consecutive
/// rows. Where the policy asks for it (Policy::alternating) and rows of `from` and `to` alternate, the bins of `from`
/// whose isolated rows cost more than rows of `to` go there, until no more do: each leaves the rest more isolated. Only
/// the numeric choices change. `rows`: of the whole matrix.
void merge_alternating_bins(Record& record, std::int64_t rows);

}  // namespace rowan
