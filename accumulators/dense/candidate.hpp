#pragma once
// Dense accumulators: a bitmap over the row's column span says which columns there are, in order and without a sort.
// They differ in where the values are while they are summed.
#include "accumulators/candidate.hpp"
#include "accumulators/common/count_by_positions.hpp"
#include "accumulators/common/positions.hpp"

namespace rowan::dense {

ScratchBytes window_scratch(const Extent& extent, std::size_t value_bytes);
ScratchBytes run_scratch(const Extent& extent, std::size_t value_bytes);
ScratchBytes rank_scratch(const Extent& extent, std::size_t value_bytes);
void symbolic(const SymbolicTask& task);      // bitmap and popcount (DeltaSPARSE, section III.A)
void run_symbolic(const SymbolicTask& task);  // once a run
ROWAN_DECLARE_NUMERIC(window_numeric)
ROWAN_DECLARE_NUMERIC(run_numeric)
ROWAN_DECLARE_NUMERIC(rank_numeric)
ScratchBytes spa_scratch(const Extent& extent, std::size_t value_bytes);
ROWAN_DECLARE_NUMERIC(spa_numeric)
ScratchBytes narrow_scratch(const Extent& extent, std::size_t value_bytes);
void narrow_symbolic(const SymbolicTask& task);
ROWAN_DECLARE_NUMERIC(narrow_numeric)

ScratchBytes dense_b_scratch(const Extent& extent, std::size_t value_bytes);
void dense_b_symbolic(const SymbolicTask& task);
ROWAN_DECLARE_NUMERIC(dense_b_numeric)

/// One word of the bitmap is read for 64 columns. At this many columns a product, reading it takes about as long as a
/// probe of a hash table; beyond, more time goes to empty words than to products.
inline constexpr std::int64_t kMostSpanPerProduct = 1024;
/// 128 bytes of a window of doubles for each product: ten times what the product's entry of C takes. Pages of a wider
/// window are touched for the first time by nearly every product, which takes longer than the product (27,000 products
/// over a million columns: 408 ms, and 0.7 by hash).
inline constexpr std::int64_t kMostWindowPerProduct = 16;

/// A span that is read as a whole row after row, and stays near, even if few of its columns are met.
inline constexpr std::int64_t kFewColumns = 4096;

/// Of the bitmap.
constexpr double scanned_words(std::int64_t span) {
  return static_cast<double>(span) / 64;
}

/// One value a column of the span (sparse accumulator, Gilbert 1992; DeltaSPARSE, section III.A).
inline constexpr Candidate window{
    .name = "dense-window",
    .family = "dense",
    .shines = "dense rows and narrow spans; most rows of more than a hundred products",
    .fallback = "hash",
    .max_span_per_product = kMostSpanPerProduct,
    .max_widest_per_product = kMostWindowPerProduct,
    .max_unmeasured_span = kFewColumns,
    .scanned_words = scanned_words,
    .group_sizes = kHostGroupSizes,
    .scratch = window_scratch,
    .symbolic = symbolic,
    .numeric = ROWAN_PER_VALUE(window_numeric),
};

/// The window for up to four rows of one pattern together: each column is looked up once for all of them.
inline constexpr Candidate run{
    .name = "dense-run",
    .family = "dense",
    .shines = "runs of rows with one pattern: several unknowns a node",
    .fallback = "dense-window",
    .max_span_per_product = kMostSpanPerProduct,
    .max_widest_per_product = kMostWindowPerProduct / 8,  // sums of eight rows a column
    .needs_runs = true,
    .group_sizes = kHostGroupSizes,
    .scratch = run_scratch,
    .symbolic = run_symbolic,
    .numeric = ROWAN_PER_VALUE(run_numeric),
};

/// No window: the rank of a column's bit is its position in C's row, where its products are added.
inline constexpr Candidate rank{
    .name = "dense-rank",
    .family = "dense",
    .shines = "heavy rows whose window is beyond the cache while C's row is not",
    .fallback = "hash",
    .max_span_per_product = kMostSpanPerProduct,
    .max_widest_per_product = kMostWindowPerProduct * 32,  // two bits a column
    .takes_abandoned = true,
    .group_sizes = kHostGroupSizes,
    .scratch = rank_scratch,
    .symbolic = symbolic,
    .numeric = ROWAN_PER_VALUE(rank_numeric),
};

/// Sums stand in C itself, found by a number a column; distinct columns are sorted.
inline constexpr Candidate spa{
    .name = "dense-spa",
    .family = "dense",
    .shines = "rows of few entries that many products fall on",
    .fallback = "hash",
    .max_span = kMostPositions,
    .max_widest_per_product = kMostWindowPerProduct * 2,  // half a value a column
    .max_unmeasured_span = kNoLimit,
    .group_sizes = kHostGroupSizes,
    .scratch = spa_scratch,
    .symbolic = count_by_positions,
    .numeric = ROWAN_PER_VALUE(spa_numeric),
};

/// Columns of B whose sums all fit into the vector registers of AVX-512, and whose bits into two words.
inline constexpr std::int64_t kNarrowColumns = 128;

/// The sums of all of B's columns stay in registers, or in the nearest cache; bits say which were met.
inline constexpr Candidate narrow{
    .name = "dense-narrow",
    .family = "dense",
    .shines = "a B of few columns: many sources or features, the last levels of multigrid",
    .fallback = "dense-window",
    .max_columns = kNarrowColumns,
    .max_unmeasured_span = kNarrowColumns,
    .group_sizes = kHostGroupSizes,
    .scratch = narrow_scratch,
    .symbolic = narrow_symbolic,
    .numeric = ROWAN_PER_VALUE(narrow_numeric),
};

/// Wider matrices are rarely dense enough: a row of B takes as long at 512 columns as 40 products elsewhere.
inline constexpr std::int64_t kDenseBColumns = 512;
/// Of doubles that is 2 MB: half in the second-level cache, and twice as fast as beyond it.
inline constexpr std::int64_t kMostDenseBArea = std::int64_t{1} << 18;
/// To spread a row of B takes as long as to add it four times.
inline constexpr std::int64_t kLeastDenseBUses = 8;

/// B is kept dense: multiples of its rows are added without a look at columns.
inline constexpr Candidate dense_b{
    .name = "dense-b",
    .family = "dense",
    .shines = "a small B that is not too thin and met often: the last levels of multigrid, clusters, features",
    .fallback = "dense-window",
    .max_columns = kDenseBColumns,
    .max_b_area = kMostDenseBArea,
    .min_b_uses = kLeastDenseBUses,
    .max_unmeasured_span = kDenseBColumns,
    .group_sizes = kHostGroupSizes,
    .scratch = dense_b_scratch,
    .symbolic = dense_b_symbolic,
    .numeric = ROWAN_PER_VALUE(dense_b_numeric),
};

}  // namespace rowan::dense
