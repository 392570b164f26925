#include "models/policy.hpp"

#include <algorithm>

namespace rowan {

bool Policy::uses(Feature f) const noexcept {
  for (std::size_t d = 0; d < kDecisions; d++)
    if (static_cast<Decision>(d) != Decision::sampled &&
        std::ranges::any_of(trees[d].nodes, [f](const Node& n) { return n.feature == index(f); }))
      return true;
  return false;
}

std::string_view outcome_name(Decision d, std::uint8_t outcome) noexcept {
  switch (d) {
    case Decision::use_binning:
      return kUseBinningNames[outcome];
    case Decision::method:
      return kMethodNames[outcome];
    case Decision::group:
      return kGroupNames[outcome];
    case Decision::sampled:
      return sampled_name(outcome);
    case Decision::symbolic:
    case Decision::numeric:
      return accumulator_name(outcome);
  }
  return "";
}

}  // namespace rowan
