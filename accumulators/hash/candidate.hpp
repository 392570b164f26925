#pragma once
// Open addressing, sized to the row's bound; the entries are sorted afterwards (nsparse; OpSparse, section 5.2).
#include "accumulators/candidate.hpp"

namespace rowan::hash {

ScratchBytes scratch(const Extent& extent, std::size_t value_bytes);
void symbolic(const SymbolicTask& task);
std::int64_t numeric_float(const NumericTask<float>& task);
std::int64_t numeric_double(const NumericTask<double>& task);

inline constexpr Candidate candidate{
    .name = "hash",
    .family = "hash",
    .shines = "scattered columns over spans too wide for a bitmap",
    .fallback = "",
    .last_resort = true,
    .abandons_rows = true,
    .group_sizes = kHostGroupSizes,
    .scratch = scratch,
    .symbolic = symbolic,
    .numeric_float = numeric_float,
    .numeric_double = numeric_double,
};

}  // namespace rowan::hash
