#pragma once
// Open addressing, sized to the row's bound; the entries are sorted afterwards (nsparse; OpSparse, section 5.2).
#include "accumulators/candidate.hpp"

namespace rowan::hash {

ScratchBytes scratch(const Extent& extent, std::size_t value_bytes);
void symbolic(const SymbolicTask& task);
ROWAN_DECLARE_NUMERIC(numeric)

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
    .numeric = ROWAN_PER_VALUE(numeric),
};

}  // namespace rowan::hash
