#pragma once
// Policies are data. A paper's rules, hand rules and trained trees are one kind of thing: for each decision a graph of
// comparisons whose leaves rank what may be chosen, best first; or trees that score it. Compiled in or loaded, they are
// read the same way.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "accumulators/candidates.hpp"
#include "accumulators/hash/table_rules.hpp"
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

/// Where a tree starts that is added to an outcome's score.
struct Root {
  std::uint8_t outcome = 0;
  std::uint16_t node = 0;

  [[nodiscard]] constexpr bool operator==(const Root&) const noexcept = default;
};

/// Without roots a graph that starts at nodes[0] and whose leaves rank outcomes. With roots many small trees whose
/// leaves have values, their thresholds: an outcome's score is the sum of its trees', and the least is best.
struct Tree {
  std::span<const Node> nodes;
  std::span<const std::uint8_t> ranked;  // outcomes, as numbers whose meaning is the decision's; scored: each once
  std::span<const Root> roots = {};

  [[nodiscard]] constexpr bool scored() const noexcept { return !roots.empty(); }
};

/// Outcomes, best first.
struct Ranking {
  static constexpr std::size_t kMost = 16;
  std::array<std::uint8_t, kMost> outcome{};
  std::uint8_t count = 0;

  [[nodiscard]] constexpr const std::uint8_t* begin() const noexcept { return outcome.data(); }
  [[nodiscard]] constexpr const std::uint8_t* end() const noexcept { return outcome.data() + count; }
  [[nodiscard]] constexpr std::uint8_t operator[](std::size_t i) const noexcept { return outcome[i]; }
};

/// Outcomes of the decisions `symbolic` and `numeric`: candidates, and behind them families, for which candidates stand
/// in (LoadedPolicy::resolve) before a policy is in force.
inline constexpr std::size_t kAccumulatorOutcomes = kCandidates.size() + kFamilies.count;
static_assert(kAccumulatorOutcomes <= Ranking::kMost);
[[nodiscard]] constexpr bool is_family(std::uint8_t outcome) noexcept {
  return outcome >= kCandidates.size();
}
[[nodiscard]] constexpr std::string_view accumulator_name(std::uint8_t outcome) noexcept {
  return is_family(outcome) ? kFamilies.name[outcome - kCandidates.size()] : kCandidates[outcome].name;
}

/// What a policy decides.
enum class Decision : std::uint8_t { use_binning, method, symbolic, numeric, group, sampled };
inline constexpr std::size_t kDecisions = 6;
inline constexpr std::array<std::string_view, kDecisions> kDecisionNames{"use_binning", "method", "symbolic",
                                                                         "numeric",     "group",  "sampled"};
/// What a file that is silent on a decision says; empty: every file must say it.
inline constexpr std::array<std::string_view, kDecisions> kSilent{"", "", "", "", "by average", "measure"};
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

/// Of the decision `sampled`, on hosts, made from a sample of the rows (features/sample.hpp): the candidate that
/// multiplies all rows, of which nothing is measured then; or behind all candidates, that every row is measured first.
inline constexpr std::uint8_t kMeasure = kCandidates.size();
inline constexpr std::string_view kMeasureName = "measure";
[[nodiscard]] constexpr std::string_view sampled_name(std::uint8_t outcome) noexcept {
  return outcome == kMeasure ? kMeasureName : kCandidates[outcome].name;
}

/// Where rows of two candidates alternate on a host, bins of `from`, which takes consecutive rows together, go to `to`
/// where their isolated rows cost more (lib/choose/alternating.hpp). A step of the one (Candidate::batch_steps) takes
/// as long as `words_per_step` words of the other (Candidate::scanned_words).
struct Alternating {
  CandidateId from = 0, to = 0;
  float words_per_step = 0;

  [[nodiscard]] constexpr bool operator==(const Alternating&) const noexcept = default;
};
[[nodiscard]] constexpr bool may_alternate_from(const Candidate& c) noexcept {
  return c.on_host && c.batch_steps != nullptr;
}
[[nodiscard]] constexpr bool may_alternate_to(const Candidate& c) noexcept {
  return c.on_host && c.scanned_words != nullptr;
}
/// Sort's rows between dense-window's. (Zen 4, with and without: wing_nodal 6.7 ms and 12.2, pubmed_graph 7.1 and 10.6,
/// copter2 30.7 and 37.8.) Policies of version 1 had it in force without saying so.
inline constexpr Alternating kSortInWindows{
    .from = *candidate_named("sort"), .to = *candidate_named("dense-window"), .words_per_step = 4};

struct Policy {
  std::string_view name;
  std::string_view kind;    // "rules" or "trees"
  std::string_view about;   // what it is, in a line
  std::string_view source;  // where it comes from: paper and section, or how it was trained
  std::array<Tree, kDecisions> trees;
  /// Of the symbolic phase, and of the numeric: predicted times, for people to see; no choice reads them. A candidate's
  /// score is the logarithm of its time over that of ranked[0]. Without nodes nothing is predicted.
  std::array<Tree, 2> costs = {};
  std::optional<Alternating> alternating = {};  // empty: bins are chosen each by itself
  TableRules tables = {};                       // of devices' hash tables

  [[nodiscard]] const Tree& tree(Decision d) const noexcept { return trees[static_cast<std::size_t>(d)]; }
  /// Whether any comparison of measured rows asks for the feature: what no policy asks for need not be measured.
  [[nodiscard]] bool uses(Feature f) const noexcept;
};

/// What outcome number `outcome` of a decision is called: "one_phase", "dense-window", "dense" ...
[[nodiscard]] std::string_view outcome_name(Decision d, std::uint8_t outcome) noexcept;

/// Where the features lead to from `node` on: the leaf. Comparisons are in float32 and NaN has a side of its own,
/// exactly as in XGBoost, so that trained trees agree with it.
[[nodiscard]] constexpr const Node& leaf_of(std::span<const Node> nodes, const FeatureVector& features,
                                            std::size_t from = 0) noexcept {
  const Node* node = &nodes[from];
  while (!node->leaf()) {
    const float value = features[node->feature];
    const bool less = value < node->threshold || (node->nan_less && value != value);
    node = &nodes[less ? node->less : node->other];
  }
  return *node;
}

/// The score of an outcome: its trees' values, added up in their order as XGBoost does it.
[[nodiscard]] constexpr float score(const Tree& tree, std::uint8_t outcome, const FeatureVector& features) noexcept {
  float sum = 0;
  for (const Root& root : tree.roots)
    if (root.outcome == outcome) sum += leaf_of(tree.nodes, features, root.node).threshold;
  return sum;
}

/// What the features lead to, best first; of equal scores the first of tree.ranked. No allocation.
[[nodiscard]] constexpr Ranking evaluate(const Tree& tree, const FeatureVector& features) noexcept {
  Ranking r;
  if (!tree.scored()) {
    const Node& leaf = leaf_of(tree.nodes, features);
    for (std::uint16_t i = 0; i < leaf.other; i++) r.outcome[r.count++] = tree.ranked[leaf.less + i];
    return r;
  }
  std::array<float, Ranking::kMost> scores{};
  for (const Root& root : tree.roots) scores[root.outcome] += leaf_of(tree.nodes, features, root.node).threshold;
  for (const std::uint8_t outcome : tree.ranked) {
    std::size_t at = r.count++;
    for (; at > 0 && scores[outcome] < scores[r.outcome[at - 1]]; at--) r.outcome[at] = r.outcome[at - 1];
    r.outcome[at] = outcome;
  }
  return r;
}

/// The logarithm of the candidate's predicted time over that of costs.ranked[0]; empty where nothing predicts it.
[[nodiscard]] constexpr std::optional<float> predict(const Tree& costs, CandidateId candidate,
                                                     const FeatureVector& features) noexcept {
  for (const CandidateId known : costs.ranked)
    if (known == candidate) return score(costs, candidate, features);
  return std::nullopt;
}

}  // namespace rowan
