#pragma once
// How good a fit is on families that it never saw.
#include <functional>

#include "training/fit.hpp"
#include "training/judge.hpp"

namespace rowan::training {

/// A candidate's time over the safest's, in a bin of a product that was held out.
struct Prediction {
  double predicted = 1, measured = 1;
};

/// Every product once, judged by a policy fitted without its family.
struct HeldOut {
  std::array<std::vector<double>, kPhases> seconds;   // by product; 0 where it was never held out
  std::array<std::vector<double>, kPhases> accuracy;  // by product
  std::vector<double> whole;                          // by product, as `sampled` decides; 0 where it was not measured
  std::array<double, kPhases> cost_factor{1, 1};      // geomean of how far predicted relative times are off
  std::vector<Prediction> predictions;                // of the numeric phase
  std::size_t splits = 0;
};

/// What ways, features and rounds are judged by.
struct Validation {
  std::vector<HeldOut> ways;                // of kWays, each for both phases
  std::array<std::size_t, kPhases> kept{};  // the way with the least held-out regret of each phase
  int cost_rounds = 1;
  std::array<double, 3> cost_factors{};       // of the numeric phase, by kCostRounds
  HeldOut model;                              // the kept ways together
  bool fit_group = false;                     // of devices: it is kept where regret is lower with it
  double with_group = 1, by_average = 1;      // regret of the numeric phase either way
  bool fit_sampled = false;                   // of hosts: it is kept where regret is lower than the hand rules'
  double sampled_fit = 1, sampled_rules = 1;  // regret of whole products either way
  double four = 1;  // held-out regret of the numeric phase (geomean) with the original four features
  std::vector<std::size_t> features = offered_features();  // that stay
  std::array<double, kFeatures.size()> without{};  // the regret without one of those; 0: one of the four, or not there
  struct LeftOut {
    std::size_t feature = 0;
    double with = 1, without = 1;
  };
  std::vector<LeftOut> left_out = {};
};
inline constexpr std::array<int, 3> kCostRounds{1, 4, 16};

using Tell = std::function<void(double)>;  // called with the share that is done

[[nodiscard]] HeldOut validate(const TrainingSet& set, std::size_t folds, const FitRules& rules);
[[nodiscard]] Validation validate_ways(const TrainingSet& set, std::size_t folds, const Tell& tell);

/// Times over the best of the products that were held out.
[[nodiscard]] std::vector<double> ratios(const TrainingSet& set, const HeldOut& held_out, std::size_t phase);

/// Held-out regret of the numeric phase (geomean) with a share of the training products, for some shares.
struct LearningPoint {
  double share = 0, products = 0, regret = 1;
};
[[nodiscard]] std::vector<LearningPoint> learning_curve(const TrainingSet& set, std::size_t folds,
                                                        const FitRules& rules);

}  // namespace rowan::training
