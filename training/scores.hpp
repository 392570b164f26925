#pragma once
// From the trees of a fit to those of a policy.
#include "models/loaded.hpp"
#include "training/booster.hpp"
#include "training/dataset.hpp"

namespace rowan::training {

/// An outcome's score is the sum of its trees; the least is best.
struct Scorer {
  std::uint8_t outcome = 0;
  std::vector<ScoreTree> trees = {};
};

/// When a leaf prefers an outcome, that is, has a value below 0.
struct SureRules {
  std::uint8_t safest = 0;         // what is chosen where no leaf prefers another
  std::size_t least_products = 3;  // products that led there, at least (0: every leaf counts) ...
  double errors = 1;  // ... and it beats the safest by more than this number of standard errors of the mean
};

struct JoinedScores {
  LoadedPolicy::OwnedTree tree = {};
  std::vector<std::size_t> examples =
      {};                         // by node: examples that led there and for which the outcome is feasible (leaves)
  std::vector<bool> unsure = {};  // by node: a leaf that does not prefer its outcome, although it was fitted so
};

/// One decision of all scores. Unsure leaves get the value 0: where all are unsure the safest is chosen.
[[nodiscard]] JoinedScores join(const std::vector<Scorer>& scorers, std::span<const Example> examples,
                                const SureRules& rules);

}  // namespace rowan::training
