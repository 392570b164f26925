#include "models/policy.hpp"

#include <algorithm>

namespace rowan {

bool Policy::asks_for(Feature f) const noexcept {
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
    case Decision::symbolic:
    case Decision::numeric:
      return kCandidates[outcome].name;
  }
  return "";
}

// Comparisons are in float32 and NaN has a side of its own, exactly as in XGBoost, so that trained trees agree with it.
std::span<const std::uint8_t> evaluate(const Tree& tree, const FeatureVector& features) noexcept {
  const Node* node = &tree.nodes[0];
  while (!node->leaf()) {
    const float value = features[node->feature];
    const bool less = value < node->threshold || (node->nan_less && value != value);
    node = &tree.nodes[less ? node->less : node->other];
  }
  return tree.ranked.subspan(node->less, node->other);
}

}  // namespace rowan
