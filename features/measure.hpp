#pragma once
// The feature pass: what is known of every row of C, of the matrices, and of any set of rows, before multiplying.
#include <memory>

#include "features/feature.hpp"
#include "features/formulas.hpp"
#include "features/pattern_facts.hpp"
#include "lib/binning/bins.hpp"

namespace rowan {

struct Measured {
  std::shared_ptr<const PatternFacts> a, b;  // one object where A and B are one matrix
  Array<RowWork> rows;
  Bins bins;  // the rows', in case that they are binned
  Tally all;
  std::int64_t columns = 0;
  float compression_ratio = 0;  // 0: not sampled
};

/// One pass over A's entries: for each the length and column range of B's row; bins fall off on the way, for to read
/// the rows again would take as long. Parallel by rows. `b_facts`: B's, where they are known. Throws what
/// check_products throws.
[[nodiscard]] Measured measure(const Pattern& a, const Pattern& b, const Team& team,
                               std::shared_ptr<const PatternFacts> b_facts = nullptr);

/// Throws Error{overflow} where A and B, whose longest row has `longest` entries, have more products than Offset
/// counts: every sum of products, bounds and entries of C is at most that. O(1) unless they may; else O(nnz of A).
void check_products(const Pattern& a, const Pattern& b, std::int64_t longest);

/// Products for each entry of C, from at most 64 rows spread over the matrix and about a 500th of its products.
[[nodiscard]] float sample_compression(const Pattern& a, const Pattern& b, const Measured& measured);

/// The features of the rows that `tally` sums up.
[[nodiscard]] inline FeatureVector features_of(const Tally& tally, const Measured& measured) noexcept {
  return features_of(tally, measured.columns, measured.compression_ratio);
}

}  // namespace rowan
