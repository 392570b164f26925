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
#define ROWAN_SAME(field, ...) &&x.field == y.field
  return x.rows == y.rows ROWAN_TALLY_FIELDS(ROWAN_SAME, ROWAN_SAME, ROWAN_SAME, ROWAN_SAME);
#undef ROWAN_SAME
}

}  // namespace rowan::test
