// Families in policies. A file says "dense" for any backend; which candidate that is depends on where it is in force.
#include <algorithm>

#include "models/loaded.hpp"

namespace rowan {
namespace {

/// A family of which the backend has nothing is its first member, whose fallbacks lead to what the backend has.
CandidateId candidate_of(std::uint8_t outcome, const std::function<bool(CandidateId)>& has) {
  if (!is_family(outcome)) return outcome;
  const std::string_view family = accumulator_name(outcome);
  if (const auto id = candidate_named(family, has)) return *id;
  const auto first = std::ranges::find(kCandidates, family, &Candidate::family);
  return static_cast<CandidateId>(first - kCandidates.begin());
}

void resolve_tree(LoadedPolicy::OwnedTree& tree, const std::function<bool(CandidateId)>& has) {
  for (std::uint8_t& outcome : tree.ranked) outcome = candidate_of(outcome, has);
  for (Root& root : tree.roots) root.outcome = candidate_of(root.outcome, has);
  if (tree.roots.empty()) return;
  // of scores each outcome once: a family and the member that it stands for add up
  auto end = tree.ranked.begin();
  for (const std::uint8_t outcome : tree.ranked)
    if (std::find(tree.ranked.begin(), end, outcome) == end) *end++ = outcome;
  tree.ranked.erase(end, tree.ranked.end());
}

}  // namespace

void LoadedPolicy::resolve(const std::function<bool(CandidateId)>& has) {
  for (const Decision d : {Decision::symbolic, Decision::numeric})
    resolve_tree(trees[static_cast<std::size_t>(d)], has);
  for (OwnedTree& tree : costs) resolve_tree(tree, has);
}

}  // namespace rowan
