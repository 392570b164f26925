#pragma once
// The feature pass: what is known of every row of C, of the matrices, and of any set of rows, before multiplying.
#include <memory>

#include "features/feature.hpp"
#include "features/formulas.hpp"
#include "features/pattern_facts.hpp"
#include "lib/binning/bins.hpp"
#include "lib/core/single_entries.hpp"
#include "lib/core/vector_bytes.hpp"

namespace rowan {

struct Measured {
  std::shared_ptr<const PatternFacts> a, b;  // one object where A and B are one matrix, or A's rows are some of B's
  Array<CRow> rows;
  Bins bins;  // the rows', in case that they are binned
  Tally all;
  std::int64_t columns = 0, b_rows = 0;        // of B
  SingleEntries single_b = SingleEntries::no;  // of B
  float compression_ratio = 0;                 // 0: not sampled
};

/// What is known of the patterns before a product is measured.
struct KnownFacts {
  std::shared_ptr<const PatternFacts> b = nullptr;  // null: nothing
  std::int64_t a_first_in_b = -1;  // A's rows are B's from this one on, a multiple of kPatternBlock; -1: they are not
};

/// One pass over A's entries: for each the length and column range of B's row. Bins are counted in the same pass: a
/// second pass over the rows would double the cost. Parallel by rows. Throws what check_products throws.
[[nodiscard]] Measured measure(const Pattern& a, const Pattern& b, const Team& team, KnownFacts known = {});

/// Throws Error{overflow} where A and B, whose longest row has `longest` entries, have more products than Offset
/// counts: every sum of products, bounds and entries of C is at most that. O(1) unless they may; else O(nnz of A).
void check_products(const Pattern& a, const Pattern& b, std::int64_t longest);

/// Entries of C at least, from the longest row of B that each row of A meets; where rows of B may have entries twice,
/// one for each row of C that has any. O(nnz of A), parallel.
[[nodiscard]] std::int64_t least_entries(const Pattern& a, const Pattern& b, const PatternFacts& b_facts,
                                         const Team& team);

/// Products for each entry of C, from at most 64 rows spread over the matrix and about a 500th of its products.
[[nodiscard]] float sample_compression(const Pattern& a, const Pattern& b, const Measured& measured);

/// The features that devices do not have, where A has so many entries in all.
inline void set_host_features(FeatureVector& f, std::int64_t b_rows, std::int64_t a_nnz) noexcept {
  f[index(Feature::b_rows)] = static_cast<float>(b_rows);
  f[index(Feature::b_uses)] = b_rows == 0 ? 0.0F : static_cast<float>(a_nnz) / static_cast<float>(b_rows);
  f[index(Feature::vector_bytes)] = static_cast<float>(vector_bytes());
}

/// The features of the rows that `tally` sums up.
[[nodiscard]] inline FeatureVector features_of(const Tally& tally, const Measured& measured) noexcept {
  FeatureVector f = features_of(tally, measured.columns, measured.compression_ratio);
  set_host_features(f, measured.b_rows, measured.all.a_nnz);
  return f;
}

}  // namespace rowan
