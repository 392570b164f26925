#include "models/print.hpp"

#include <charconv>
#include <cmath>
#include <functional>

namespace rowan {

std::string shortest(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

namespace {

std::string ranking(const Tree& tree, const Node& leaf, Decision d) {
  std::string text;
  for (std::size_t i = 0; i < leaf.other; i++)
    text += (i == 0 ? "" : ", else ") + std::string(outcome_name(d, tree.ranked[leaf.less + i]));
  return text;
}

std::string comparison(const Node& node, bool less) {
  return std::string(kFeatures[node.feature].name) + (less ? " < " : " >= ") + shortest(node.threshold);
}

/// What a leaf says: what it ranks, or how many times the time of another candidate is predicted.
using LeafText = std::function<std::string(const Node&)>;

// Conditions of one rule share the node that a failed one leads to: they are joined with "and", whichever way round
// each is written. What is left is nested.
void print_node(std::span<const Node> nodes, const LeafText& leaf, std::size_t n, const std::string& indent,
                std::string& out) {
  const Node* node = &nodes[n];
  if (node->leaf()) {
    out += indent + leaf(*node) + "\n";
    return;
  }
  const auto shares = [&](std::size_t child, std::size_t failed) {
    const Node& c = nodes[child];
    return !c.leaf() && (c.less == failed || c.other == failed);
  };
  // the first condition's failing side: the one that its next condition shares, or the one that is not a leaf
  bool less = shares(node->less, node->other) ||
              (!shares(node->other, node->less) && (nodes[node->less].leaf() || !nodes[node->other].leaf()));
  const std::size_t failed = less ? node->other : node->less;
  std::size_t next = less ? node->less : node->other;
  out += indent + "if " + comparison(*node, less);
  while (shares(next, failed)) {
    node = &nodes[next];
    less = node->other == failed;
    out += " and " + comparison(*node, less);
    next = less ? node->less : node->other;
  }
  if (nodes[next].leaf()) {
    out += ": " + leaf(nodes[next]) + "\n";
    if (nodes[failed].leaf())
      out += indent + "else: " + leaf(nodes[failed]) + "\n";
    else
      print_node(nodes, leaf, failed, indent, out);
    return;
  }
  out += ":\n";
  print_node(nodes, leaf, next, indent + "  ", out);
  out += indent + "else:\n";
  print_node(nodes, leaf, failed, indent + "  ", out);
}

}  // namespace

namespace {

/// A value with three digits.
std::string rounded(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 3).ptr;
  return {text.data(), end};
}

std::string print_scores(const Tree& tree, Decision d) {
  std::string out = "  the least score, the sum of these trees\n";
  std::uint8_t outcome = Node::kLeaf;
  for (const Root& root : tree.roots) {
    const std::string name(outcome_name(d, root.outcome));
    out += "  " + name + (root.outcome == outcome ? ", to be added:\n" : ":\n");
    outcome = root.outcome;
    print_node(
        tree.nodes, [](const Node& leaf) { return rounded(leaf.threshold); }, root.node, "    ", out);
  }
  return out;
}

/// Each tree of the predicted times as a factor.
std::string print_costs(const Tree& costs, std::string_view phase) {
  std::string out;
  for (const Root& root : costs.roots) {
    out += "\npredicted time of " + std::string(accumulator_name(root.outcome)) + ", " + std::string(phase) + ":\n";
    const auto times = [&](const Node& leaf) {
      return rounded(std::exp(leaf.threshold)) + " x " + std::string(accumulator_name(costs.ranked[0]));
    };
    print_node(costs.nodes, times, root.node, "  ", out);
  }
  return out;
}

/// The comparisons from a node on that the features fulfil, the tightest for each feature and side.
struct Fulfilled {
  struct Comparison {
    std::size_t feature;
    bool less;
    float threshold;
  };
  std::vector<Comparison> sides;

  void walk(std::span<const Node> nodes, std::size_t from, const FeatureVector& features) {
    const Node* node = &nodes[from];
    while (!node->leaf()) {
      const float value = features[node->feature];
      const bool less = value < node->threshold || (node->nan_less && value != value);
      add({node->feature, less, node->threshold});
      node = &nodes[less ? node->less : node->other];
    }
  }
  void add(Comparison side) {
    for (Comparison& s : sides) {
      if (s.feature != side.feature || s.less != side.less) continue;
      s.threshold = side.less ? std::min(s.threshold, side.threshold) : std::max(s.threshold, side.threshold);
      return;
    }
    sides.push_back(side);
  }
};

}  // namespace

std::string print_tree(const Tree& tree, Decision d) {
  if (tree.scored()) return print_scores(tree, d);
  std::string out;
  print_node(
      tree.nodes, [&](const Node& leaf) { return ranking(tree, leaf, d); }, 0, "  ", out);
  return out;
}

std::string print_policy(const Policy& policy) {
  std::string out = std::string(policy.name) + " (" + std::string(policy.kind) + ")\n" + std::string(policy.about) +
                    "\nsource: " + std::string(policy.source) + "\n";
  for (std::size_t d = 0; d < kDecisions; d++)
    out += "\n" + std::string(kDecisionNames[d]) + ":\n" + print_tree(policy.trees[d], static_cast<Decision>(d));
  if (const auto& rule = policy.alternating)
    out += "\nalternating bins, on hosts: rows of " + std::string(kCandidates[rule->from].name) + " between rows of " +
           std::string(kCandidates[rule->to].name) + " go there where that takes less, at " +
           shortest(rule->words_per_step) + " words for a step\n";
  if (const SlotsPerEntry slots = policy.tables.slots_per_entry; slots != SlotsPerEntry{})
    out += "\nslots of a hash table for 100 entries: " + std::to_string(slots.symbolic) + " (symbolic), " +
           std::to_string(slots.numeric) + " (numeric)\n";
  if (policy.tables.sort != TableRules{}.sort)
    out += "\nhow hash tables are sorted: " + std::string(name_of(policy.tables.sort)) + "\n";
  if (policy.tables.library_rows != 0)
    out += "\nrows beyond shared memory whose hash tables the library sorts: " +
           std::to_string(policy.tables.library_rows) + " at most\n";
  if (policy.tables.collisions != 0)
    out += "\ncollisions for a product before hash hands a row that it counts to dense-rank: " +
           std::to_string(policy.tables.collisions) + "\n";
  out += print_costs(policy.costs[0], kDecisionNames[static_cast<std::size_t>(Decision::symbolic)]);
  out += print_costs(policy.costs[1], kDecisionNames[static_cast<std::size_t>(Decision::numeric)]);
  return out;
}

std::vector<std::string> print_path(const Tree& tree, Decision d, const FeatureVector& features) {
  std::vector<std::string> path;
  Fulfilled fulfilled;
  if (tree.scored()) {
    const Ranking ranked = evaluate(tree, features);
    for (std::size_t i = 0; i < std::min<std::size_t>(2, ranked.count); i++) {
      path.push_back(std::string(outcome_name(d, ranked[i])) + " " + rounded(score(tree, ranked[i], features)));
      for (const Root& root : tree.roots)
        if (root.outcome == ranked[i]) fulfilled.walk(tree.nodes, root.node, features);
    }
  } else {
    fulfilled.walk(tree.nodes, 0, features);
  }
  for (const auto& [feature, less, threshold] : fulfilled.sides)
    path.push_back(std::string(kFeatures[feature].name) + " " + shortest(features[feature]) + (less ? " < " : " >= ") +
                   shortest(threshold));
  return path;
}

}  // namespace rowan
