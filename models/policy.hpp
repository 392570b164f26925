#pragma once
// Policies are data. A paper's rules, hand rules and trained trees are one kind of thing: for each decision a graph of
// comparisons whose leaves rank what may be chosen, best first. Compiled in or loaded, they are read the same way.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "accumulators/candidates.hpp"
#include "features/feature.hpp"

namespace rowan {

/// A comparison, or a leaf. Children stand behind their parent, so there are no cycles.
struct Node {
  static constexpr std::uint8_t kLeaf = 255;

  std::uint8_t feature = kLeaf;  // Feature, or kLeaf
  bool nan_less = false;         // where a value that is not a number goes
  float threshold = 0;
  std::uint16_t less = 0;   // next node where value < threshold; in a leaf: first place in Tree::ranked
  std::uint16_t other = 0;  // next node elsewhere; in a leaf: how many places

  [[nodiscard]] constexpr bool leaf() const noexcept { return feature == kLeaf; }
  [[nodiscard]] constexpr bool operator==(const Node&) const noexcept = default;
};

struct Tree {
  std::span<const Node> nodes;           // nodes[0] is where it starts
  std::span<const std::uint8_t> ranked;  // outcomes, as numbers whose meaning is the decision's
};

/// What a policy decides.
enum class Decision : std::uint8_t { use_binning, method, symbolic, numeric, group };
inline constexpr std::size_t kDecisions = 5;
inline constexpr std::array<std::string_view, kDecisions> kDecisionNames{"use_binning", "method", "symbolic", "numeric",
                                                                         "group"};
inline constexpr std::array<std::string_view, 2> kUseBinningNames{"no", "yes"};
inline constexpr std::array<std::string_view, 2> kMethodNames{"one_phase", "two_phase"};

/// Lanes of a device that walk one row of B: 0 by the average row that is met, a file without this decision says so for
/// all rows; else a power of two, cut to the lanes that a row of C has.
inline constexpr std::array<std::string_view, 8> kGroupNames{"by average", "1", "2", "4", "8", "16", "32", "64"};
[[nodiscard]] constexpr int group_of(std::uint8_t outcome) noexcept {
  return outcome == 0 ? 0 : 1 << (outcome - 1);
}
[[nodiscard]] constexpr bool is_group(int lanes) noexcept {
  return lanes >= 1 && lanes <= group_of(kGroupNames.size() - 1) && (lanes & (lanes - 1)) == 0;
}

struct Policy {
  std::string_view name;
  std::string_view kind;    // "rules" or "trees"
  std::string_view about;   // what it is, in a line
  std::string_view source;  // where it comes from: paper and section, or how it was trained
  std::array<Tree, kDecisions> trees;

  [[nodiscard]] const Tree& tree(Decision d) const noexcept { return trees[static_cast<std::size_t>(d)]; }
  /// Whether any comparison asks for the feature: what no policy asks for need not be measured.
  [[nodiscard]] bool asks_for(Feature f) const noexcept;
};

/// What outcome number `outcome` of a decision is called: "one_phase", "dense-window" ...
[[nodiscard]] std::string_view outcome_name(Decision d, std::uint8_t outcome) noexcept;

/// The outcomes of the leaf that the features lead to, best first. No allocation; at most one comparison a level.
/// Comparisons are in float32 and NaN has a side of its own, exactly as in XGBoost, so that trained trees agree with
/// it.
[[nodiscard]] constexpr std::span<const std::uint8_t> evaluate(const Tree& tree,
                                                               const FeatureVector& features) noexcept {
  const Node* node = &tree.nodes[0];
  while (!node->leaf()) {
    const float value = features[node->feature];
    const bool less = value < node->threshold || (node->nan_less && value != value);
    node = &tree.nodes[less ? node->less : node->other];
  }
  return tree.ranked.subspan(node->less, node->other);
}

}  // namespace rowan
