#pragma once
// Whether R·A·P pays in one operation, from sizes and a sample.
#include <string>

#include "lib/host/galerkin/sizes.hpp"
#include "lib/host/settings.hpp"

namespace rowan::fused {

struct GalerkinChoice {
  bool fused = false;
  std::string reason;
};

/// By A and P, before R is looked at. `r_rows` and `r_nnz` are R's. O(1): some rows of A are read.
[[nodiscard]] GalerkinChoice choose_by_rows(std::int64_t r_rows, std::int64_t r_nnz, const Pattern& a, const Pattern& p,
                                            const Settings& settings);

/// What was chosen, or two products where rows of R reach too far, for one worker or for several.
[[nodiscard]] GalerkinChoice choose_by_sizes(GalerkinChoice by_rows, const GalerkinSizes& sizes, const Pattern& a,
                                             int workers);

}  // namespace rowan::fused
