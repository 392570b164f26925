#pragma once
// Products of a row are sorted by (column, position) and equal columns summed in that order: ESC (Bell 2012) kept in
// registers and the first-level cache, for short rows (register-aware, section 3.1).
#include <bit>

#include "accumulators/candidate.hpp"
#include "accumulators/common/count_by_positions.hpp"
#include "accumulators/common/positions.hpp"

namespace rowan::sort {

inline constexpr std::int64_t kMaxProducts = 512;
/// A key is 32 bits: the product's position (9 bits for 512) below its column's distance from the row's first. Rows of
/// fewer products have bits to spare for wider spans; what still does not fit is sorted by keys of 64 bits.
inline constexpr std::int64_t kMaxSpan = std::int64_t{1} << (32 - 9);

ScratchBytes scratch(const Extent& extent, std::size_t value_bytes);
void symbolic(const SymbolicTask& task);
ROWAN_DECLARE_NUMERIC(numeric)
ScratchBytes vector_scratch(const Extent& extent, std::size_t value_bytes);
ROWAN_DECLARE_NUMERIC(vector_numeric)

/// A network for 2^k keys has (k^2 + k) / 2 rounds of 2^k / 2 comparisons.
constexpr double batch_steps(std::int64_t nprod) {
  const auto keys = static_cast<std::uint64_t>(nprod);
  const auto k = static_cast<int>(std::bit_width(keys > 0 ? keys - 1 : 0));
  return (k * k + k) / 4.0 * static_cast<double>(std::uint64_t{1} << k);
}

inline constexpr Candidate candidate{
    .name = "sort",
    .family = "sort",
    .shines = "few products: up to about a hundred",
    .fallback = "dense-window",
    .max_nprod = kMaxProducts,
    .max_unmeasured_span = kNoLimit,
    .short_rows = true,
    .one_phase = true,
    .batch_steps = batch_steps,
    .group_sizes = kHostGroupSizes,
    .scratch = scratch,
    .symbolic = symbolic,
    .numeric = ROWAN_PER_VALUE(numeric),
};

/// Rows one after another, each within a vector or two; longer ones as dense-spa takes them.
inline constexpr Candidate vector{
    .name = "sort-vector",
    .family = "sort",
    .shines = "irregular rows of up to 32 products",
    .fallback = "sort",
    .max_span = kMostPositions,
    .max_widest_per_product = 32,  // 4 bytes a column
    .max_unmeasured_span = kNoLimit,
    .group_sizes = kHostGroupSizes,
    .scratch = vector_scratch,
    .symbolic = count_by_positions,
    .numeric = ROWAN_PER_VALUE(vector_numeric),
};

/// Rows of B merged by their least columns (register-aware, section 3.2). On devices only: as many rows of A's as a
/// wave of 32 lanes has, one each, and as few products as the paper has bins for (section 3.4).
inline constexpr Candidate merge{
    .name = "sort-merge",
    .family = "sort",
    .shines = "few rows of B to a row of C, each of them sorted",
    .fallback = "sort",
    .max_nprod = kMaxProducts,
    .max_a_nnz = 32,
    .needs_sorted_b = true,
    .on_host = false,
    .short_rows = true,
};

}  // namespace rowan::sort
