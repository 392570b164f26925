#pragma once
// The extent of rows that a tally sums up: what candidates are asked about, on every backend.
#include <algorithm>

#include "accumulators/candidate.hpp"
#include "lib/binning/bins.hpp"

namespace rowan {

/// What sizes, runs and the order of B say. Columns a product are left out: candidates of devices have no limits on
/// them.
[[nodiscard]] constexpr Extent extent_of(const Tally& t, bool sorted_b) noexcept {
  return {.nprod_max = t.nprod_max,
          .bound_max = t.bound_max,
          .span_max = t.span_max,
          .a_nnz_max = t.a_nnz_max,
          .sorted_b = sorted_b,
          .runs = t.in_runs == t.rows,
          .shifts = t.in_shifts == t.rows};
}

/// The same with columns a product; `nprod`: products of the whole multiplication.
[[nodiscard]] constexpr Extent extent_of(const Tally& t, bool sorted_b, std::int64_t nprod) noexcept {
  Extent e = extent_of(t, sorted_b);
  if (t.span_max <= kNarrowSpan) return e;
  e.span_per_product = t.span / std::max<std::int64_t>(t.nprod, 1);
  e.widest_per_product = t.span_max / std::max<std::int64_t>(nprod, 1);
  return e;
}

}  // namespace rowan
