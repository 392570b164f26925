#pragma once
// A's row has one entry or none: C's row is a scaled copy of a row of B (DCU-nsparse, section 5.3).
#include "accumulators/candidate.hpp"

namespace rowan::direct {

ScratchBytes scratch(const Extent& extent, std::size_t value_bytes);
void symbolic(const SymbolicTask& task);
std::int64_t numeric_float(const NumericTask<float>& task);
std::int64_t numeric_double(const NumericTask<double>& task);

inline constexpr Candidate candidate{
    .name = "direct",
    .family = "direct",
    .shines = "A's row has one entry: a scaled copy, no table",
    .fallback = "sort",
    .max_a_nnz = 1,
    .needs_sorted_b = true,  // and free of duplicates: the copy is the result
    .group_sizes = kHostGroupSizes,
    .scratch = scratch,
    .symbolic = symbolic,
    .numeric_float = numeric_float,
    .numeric_double = numeric_double,
};

}  // namespace rowan::direct
