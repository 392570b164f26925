#include "models/print.hpp"

#include <charconv>

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

// Conditions of one rule share the node that a failed one leads to: they are joined with "and", whichever way round
// each is written. What is left is nested.
void print_node(const Tree& tree, Decision d, std::size_t n, const std::string& indent, std::string& out) {
  const Node* node = &tree.nodes[n];
  if (node->leaf()) {
    out += indent + ranking(tree, *node, d) + "\n";
    return;
  }
  const auto shares = [&](std::size_t child, std::size_t failed) {
    const Node& c = tree.nodes[child];
    return !c.leaf() && (c.less == failed || c.other == failed);
  };
  // the first condition's failing side: the one that its next condition shares, or the one that is not a leaf
  bool less = shares(node->less, node->other) ||
              (!shares(node->other, node->less) && (tree.nodes[node->less].leaf() || !tree.nodes[node->other].leaf()));
  const std::size_t failed = less ? node->other : node->less;
  std::size_t next = less ? node->less : node->other;
  out += indent + "if " + comparison(*node, less);
  while (shares(next, failed)) {
    node = &tree.nodes[next];
    less = node->other == failed;
    out += " and " + comparison(*node, less);
    next = less ? node->less : node->other;
  }
  if (tree.nodes[next].leaf()) {
    out += ": " + ranking(tree, tree.nodes[next], d) + "\n";
    if (tree.nodes[failed].leaf())
      out += indent + "else: " + ranking(tree, tree.nodes[failed], d) + "\n";
    else
      print_node(tree, d, failed, indent, out);
    return;
  }
  out += ":\n";
  print_node(tree, d, next, indent + "  ", out);
  out += indent + "else:\n";
  print_node(tree, d, failed, indent + "  ", out);
}

}  // namespace

std::string print_tree(const Tree& tree, Decision d) {
  std::string out;
  print_node(tree, d, 0, "  ", out);
  return out;
}

std::string print_policy(const Policy& policy) {
  std::string out = std::string(policy.name) + " (" + std::string(policy.kind) + ")\n" + std::string(policy.about) +
                    "\nsource: " + std::string(policy.source) + "\n";
  for (std::size_t d = 0; d < kDecisions; d++)
    out += "\n" + std::string(kDecisionNames[d]) + ":\n" + print_tree(policy.trees[d], static_cast<Decision>(d));
  return out;
}

std::vector<std::string> print_path(const Tree& tree, const FeatureVector& features) {
  std::vector<std::string> path;
  const Node* node = &tree.nodes[0];
  while (!node->leaf()) {
    const float value = features[node->feature];
    const bool less = value < node->threshold || (node->nan_less && value != value);
    path.push_back(std::string(kFeatures[node->feature].name) + " " + shortest(value) + (less ? " < " : " >= ") +
                   shortest(node->threshold));
    node = &tree.nodes[less ? node->less : node->other];
  }
  return path;
}

}  // namespace rowan
