#pragma once
// What tests of the feature pass and of bins share.
#include "lib/binning/tally.hpp"
#include "lib/core/pattern.hpp"
#include "tests/support/matrices.hpp"

namespace rowan::test {

[[nodiscard]] inline Pattern pattern(const Sparsity& s) {
  return {.rows = s.rows, .cols = s.cols, .ptr = s.ptr.data(), .col = s.col.data()};
}

[[nodiscard]] inline bool same(const Tally& x, const Tally& y) {
  return x.rows == y.rows && x.nprod == y.nprod && x.nprod_max == y.nprod_max && x.bound == y.bound &&
         x.bound_max == y.bound_max && x.a_nnz == y.a_nnz && x.a_nnz_max == y.a_nnz_max && x.span == y.span &&
         x.span_max == y.span_max && x.b_row_max == y.b_row_max && x.in_runs == y.in_runs &&
         x.in_shifts == y.in_shifts && x.nprod_squares == y.nprod_squares;
}

}  // namespace rowan::test
