#include "training/scores.hpp"

#include <algorithm>
#include <cmath>

namespace rowan::training {
namespace {

/// What an outcome gains over the safest (or its fallback, where rows are beyond its limits), as logarithms of times,
/// and how sure that is.
struct Gain {
  std::size_t examples = 0;
  std::vector<std::size_t> products = {};
  double weights = 0, squares = 0, sum = 0, sum_squares = 0;

  void add(const Example& e, double gain) {
    examples++;
    if (products.empty() || products.back() != e.product) products.push_back(e.product);  // examples come by product
    weights += e.weight, squares += e.weight * e.weight;
    sum += e.weight * gain, sum_squares += e.weight * gain * gain;
  }
  [[nodiscard]] bool sure(const SureRules& rules) const {
    if (rules.least_products == 0) return true;
    if (products.size() < rules.least_products || weights <= 0) return false;
    const double mean = sum / weights, variance = std::max(0.0, sum_squares / weights - mean * mean);
    return mean > rules.errors * std::sqrt(variance * squares) / weights;
  }
};

/// By node of a tree: what its leaves' examples gained.
std::vector<Gain> gains_of(const ScoreTree& tree, std::uint8_t outcome, std::span<const Example> examples,
                           std::uint8_t safest) {
  std::vector<Gain> gains(tree.size());
  for (const Example& e : examples) {
    if (!e.feasible(outcome)) continue;
    const auto leaf = static_cast<std::size_t>(&leaf_of(tree, e.features) - tree.data());
    gains[leaf].add(e, std::log(e.seconds[chosen({&safest, 1}, e)] / e.seconds[outcome]));
  }
  return gains;
}

}  // namespace

JoinedScores join(const std::vector<Scorer>& scorers, std::span<const Example> examples, const SureRules& rules) {
  JoinedScores out;
  out.tree.ranked.push_back(rules.safest);
  for (const Scorer& s : scorers) {
    if (s.outcome != rules.safest) out.tree.ranked.push_back(s.outcome);
    for (const ScoreTree& tree : s.trees) {
      const auto first = static_cast<std::uint16_t>(out.tree.nodes.size());
      out.tree.roots.push_back({.outcome = s.outcome, .node = first});
      const std::vector<Gain> gains = gains_of(tree, s.outcome, examples, rules.safest);
      for (std::size_t i = 0; i < tree.size(); i++) {
        Node n = tree[i];
        const bool unsure = n.leaf() && s.outcome != rules.safest && n.threshold < 0 && !gains[i].sure(rules);
        if (unsure) n.threshold = 0;
        if (!n.leaf())
          n.less = static_cast<std::uint16_t>(n.less + first), n.other = static_cast<std::uint16_t>(n.other + first);
        out.tree.nodes.push_back(n);
        out.examples.push_back(gains[i].examples), out.unsure.push_back(unsure);
      }
    }
  }
  if (out.tree.roots.empty()) {  // nothing to choose from
    out.tree.nodes.push_back({.less = 0, .other = 1});
    out.examples.push_back(examples.size()), out.unsure.push_back(false);
  }
  return out;
}

}  // namespace rowan::training
