#include "models/policy.hpp"

#include <algorithm>

namespace rowan {

bool Policy::uses(Feature f) const noexcept {
  return std::ranges::any_of(trees, [f](const Tree& tree) {
    return std::ranges::any_of(tree.nodes, [f](const Node& n) { return n.feature == index(f); });
  });
}

std::string_view outcome_name(Decision d, std::uint8_t outcome) noexcept {
  switch (d) {
    case Decision::use_binning:
      return kUseBinningNames[outcome];
    case Decision::method:
      return kMethodNames[outcome];
    case Decision::group:
      return kGroupNames[outcome];
    case Decision::symbolic:
    case Decision::numeric:
      return accumulator_name(outcome);
  }
  return "";
}

}  // namespace rowan
