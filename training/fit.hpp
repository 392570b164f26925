#pragma once
// A whole policy fitted to measurements.
#include "training/ways.hpp"

namespace rowan::training {

/// All of them. `compression_ratio` costs at most 64 rows or a 500th of the products, where a policy asks for it.
[[nodiscard]] std::vector<std::size_t> offered_features();
/// The original design's four.
[[nodiscard]] std::vector<std::size_t> base_features();

/// The candidate that takes any rows and, forced, has the least mean regret.
[[nodiscard]] CandidateId safest_candidate(const TrainingSet& set, const Products& products, std::size_t phase);

/// The bins of some products as a problem; with all rows as one bin beside them, for what is not binned.
[[nodiscard]] Problem phase_problem(const TrainingSet& set, const Products& products, std::size_t phase);

/// Without the outcomes that are the fastest so seldom, or by so little, that choosing them saves nothing.
[[nodiscard]] Problem worth_choosing(Problem problem);

struct FitRules {
  std::array<Way, kPhases> ways{kWays[0], kWays[0]};
  std::vector<std::size_t> features = offered_features();  // that it may ask about
  int cost_rounds = 1;                                     // of boosting, for predicted times
  bool fit_group = false;                                  // of devices; else lanes go by the average row
  bool fit_sampled = true;                                 // of hosts; else as the hand rules say
};

struct FittedPolicy {
  LoadedPolicy policy;
  std::array<FittedDecision, kPhases> phases;
  FittedDecision use_binning, sampled, group;  // of hosts, of hosts, of devices
  std::array<CandidateId, kPhases> safest{};
};

/// Fits to `products`. Deterministic.
[[nodiscard]] FittedPolicy fit_policy(const TrainingSet& set, const Products& products, const FitRules& rules);

}  // namespace rowan::training
