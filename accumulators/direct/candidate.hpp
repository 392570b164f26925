#pragma once
// Direct accumulators: where each product goes is known before it is made, so there is no table.
//
// direct: A's row has one entry or none: C's row is a scaled copy of a row of B (DCU-nsparse, section 5.3). Or B's rows
// have, and their columns never fall: C's row is A's, scaled and renumbered, and only neighbours may be summed.
#include "accumulators/candidate.hpp"
#include "accumulators/common/count_by_positions.hpp"
#include "accumulators/common/positions.hpp"

namespace rowan::direct {

ScratchBytes scratch(const Extent& extent, std::size_t value_bytes);
void symbolic(const SymbolicTask& task);
ROWAN_DECLARE_NUMERIC(numeric)

inline constexpr Candidate candidate{
    .name = "direct",
    .family = "direct",
    .shines = "A's row or B's rows have one entry: a scaled copy, no table",
    .fallback = "sort",
    .max_a_nnz = 1,
    .takes_single_b = true,
    .needs_sorted_b = true,  // and free of duplicates: the copy is the result
    .counts_first = true,
    .cheapest = true,
    .group_sizes = kHostGroupSizes,
    .scratch = scratch,
    .symbolic = symbolic,
    .numeric = ROWAN_PER_VALUE(numeric),
};

ScratchBytes shift_scratch(const Extent& extent, std::size_t value_bytes);
void shift_symbolic(const SymbolicTask& task);
ROWAN_DECLARE_NUMERIC(shift_numeric)

/// Rows whose products are the previous row's moved by one column: one row in each lane of a vector. Writes values
/// alone where a task has neither `col` nor `nnz`.
inline constexpr Candidate shift{
    .name = "direct-shift",
    .family = "direct",
    .shines = "grids: rows whose products are the row before's moved by one column",
    .fallback = "sort",
    .max_nprod = 2048,                  // the rows of B that a tile of rows meets stay in the cache
    .max_span = std::int64_t{1} << 20,  // a recipe looks columns up in four bytes each
    .needs_shifts = true,
    .counts_first = true,
    .group_sizes = kHostGroupSizes,
    .scratch = shift_scratch,
    .symbolic = shift_symbolic,
    .numeric = ROWAN_PER_VALUE(shift_numeric),
};

ScratchBytes repeat_scratch(const Extent& extent, std::size_t value_bytes);
ROWAN_DECLARE_NUMERIC(repeat_numeric)

/// Rows whose products are those of a row before, moved by some columns: what was kept of it says where sums stand.
inline constexpr Candidate repeat{
    .name = "direct-repeat",
    .family = "direct",
    .shines = "rows whose products are an earlier row's, moved: multigrid on regular grids",
    .fallback = "hash",
    .max_span = kMostPositions,
    .max_widest_per_product = 32,  // half a value a column, as for dense-spa
    .max_unmeasured_span = kNoLimit,
    .group_sizes = kHostGroupSizes,
    .scratch = repeat_scratch,
    .symbolic = count_by_positions,
    .numeric = ROWAN_PER_VALUE(repeat_numeric),
};

}  // namespace rowan::direct
