#include "training/validate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "models/embedded.hpp"
#include "training/fit_sampled.hpp"

namespace rowan::training {
namespace {

/// Candidates' times over that of the one that costs are relative to, in the bins of a product.
void add_predictions(const TrainingSet& set, std::size_t product, std::size_t phase, const Tree& costs,
                     std::vector<Prediction>& to) {
  if (!costs.scored()) return;
  for (const Example& e : set.times[phase][product].bins)
    for (std::size_t id = 0; id < kCandidates.size(); id++) {
      if (!e.feasible(id) || id == costs.ranked[0] || !e.feasible(costs.ranked[0])) continue;
      if (const auto log_time = predict(costs, static_cast<CandidateId>(id), e.features))
        to.push_back({std::exp(static_cast<double>(*log_time)), e.seconds[id] / e.seconds[costs.ranked[0]]});
    }
}

/// Geometric mean of how far predictions are off, either way.
double factor_of(const std::vector<Prediction>& predictions) {
  double sum = 0;
  for (const Prediction& p : predictions) sum += std::abs(std::log(p.predicted / p.measured));
  return predictions.empty() ? 1 : std::exp(sum / static_cast<double>(predictions.size()));
}

/// Some of the products, chosen at random; the same on every machine.
Products some_of(Products from, std::size_t n) {
  std::mt19937 lot(1);
  for (std::size_t i = 0; i < n; i++) std::swap(from[i], from[i + lot() % (from.size() - i)]);
  from.resize(n);
  std::sort(from.begin(), from.end());
  return from;
}

}  // namespace

HeldOut validate(const TrainingSet& set, std::size_t folds, const FitRules& rules) {
  const Products all = all_of(set);
  HeldOut result;
  std::array<std::vector<Prediction>, kPhases> predictions;
  for (std::size_t p = 0; p < kPhases; p++) {
    result.seconds[p].resize(all.size());
    result.accuracy[p].resize(all.size());
  }
  result.whole.resize(all.size());
  const std::vector<Products> splits = folds_by_family(set, all, folds);
  result.splits = splits.size();
  for (const Products& out : splits) {
    const FittedPolicy fitted = fit_policy(set, without(all, out), rules);
    const Policy policy = fitted.policy.view();
    for (const std::size_t i : out) {
      result.whole[i] = sampled_seconds(set, i, policy);
      for (std::size_t p = 0; p < kPhases; p++) {
        result.seconds[p][i] = policy_seconds(set, i, p, policy);
        result.accuracy[p][i] = accuracy(set, i, p, policy);
        add_predictions(set, i, p, policy.costs[p], predictions[p]);
      }
    }
  }
  for (std::size_t p = 0; p < kPhases; p++) result.cost_factor[p] = factor_of(predictions[p]);
  result.predictions = std::move(predictions[kNumeric]);
  return result;
}

namespace {

using Step = std::function<void()>;

double geomean(const TrainingSet& set, const HeldOut& held_out, std::size_t phase) {
  return regret_of(ratios(set, held_out, phase)).geomean;
}

/// Every way by families held out; the best of each phase is kept.
void judge_ways(const TrainingSet& set, std::size_t folds, FitRules rules, Validation& v, const Step& step) {
  v.ways.clear(), v.kept = {};
  for (const Way& way : kWays) {
    rules.ways = {way, way};
    v.ways.push_back(validate(set, folds, rules));
    for (std::size_t p = 0; p < kPhases; p++)
      if (geomean(set, v.ways.back(), p) < geomean(set, v.ways[v.kept[p]], p)) v.kept[p] = v.ways.size() - 1;
    step();
  }
}

/// Features other than the original four stay unless the regret of families held out is lower without: the worst goes
/// first, then all are judged again.
void choose_features(const TrainingSet& set, std::size_t folds, FitRules rules, Validation& v, const Step& step) {
  constexpr double kChance = 0.001;
  const std::vector<std::size_t> base = base_features();
  rules.features = base;
  v.four = geomean(set, validate(set, folds, rules), kNumeric);
  double regret = geomean(set, v.ways[v.kept[kNumeric]], kNumeric);
  for (;;) {
    std::size_t worst = kFeatures.size();
    v.without.fill(0);
    for (const std::size_t f : v.features) {
      if (std::find(base.begin(), base.end(), f) != base.end()) continue;
      rules.features = v.features;
      std::erase(rules.features, f);
      v.without[f] = geomean(set, validate(set, folds, rules), kNumeric);
      if (worst == kFeatures.size() || v.without[f] < v.without[worst]) worst = f;
      step();
    }
    if (worst == kFeatures.size() || v.without[worst] >= regret - kChance) return;
    v.left_out.push_back({worst, regret, v.without[worst]});
    regret = v.without[worst];
    std::erase(v.features, worst);
  }
}

/// More rounds of boosting for predicted times only where they bring the held-out factor down; and the model as a
/// whole.
void choose_rounds(const TrainingSet& set, std::size_t folds, FitRules rules, Validation& v, const Step& step) {
  constexpr double kPays = 0.98;  // of the factor before: less is not worth more trees
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < kCostRounds.size(); r++) {
    rules.cost_rounds = kCostRounds[r];
    HeldOut held_out = validate(set, folds, rules);
    v.cost_factors[r] = held_out.cost_factor[kNumeric];
    if (v.cost_factors[r] < kPays * best)
      best = v.cost_factors[r], v.cost_rounds = kCostRounds[r], v.model = std::move(held_out);
    step();
  }
}

/// Lanes that walk a row of B by a fit only where that pays on families held out.
void choose_group(const TrainingSet& set, std::size_t folds, FitRules rules, Validation& v) {
  constexpr double kPays = 0.001;
  rules.fit_group = true;
  HeldOut with = validate(set, folds, rules);
  v.by_average = geomean(set, v.model, kNumeric), v.with_group = geomean(set, with, kNumeric);
  const auto both = [&](const HeldOut& h) { return geomean(set, h, 0) * geomean(set, h, kNumeric); };
  if (both(with) > both(v.model) - kPays) return;
  v.fit_group = true;
  v.model = std::move(with);
}

/// Whether rows are measured by a fit only where it is better than the hand rules on families held out.
void choose_sampled(const TrainingSet& set, Validation& v) {
  v.sampled_fit = sampled_regret(set, [&](std::size_t i) { return v.model.whole[i]; });
  const Policy& rules = *embedded_policy("host-rules");
  v.sampled_rules = sampled_regret(set, [&](std::size_t i) { return sampled_seconds(set, i, rules); });
  v.fit_sampled = v.sampled_fit < v.sampled_rules;
}

}  // namespace

Validation validate_ways(const TrainingSet& set, std::size_t folds, const Tell& tell) {
  // about the same number of features is judged again where one is left out
  const auto steps = static_cast<double>(2 * kWays.size() + kCostRounds.size() + 2 * kFeatures.size());
  double done = 0;
  const Step step = [&] {
    if (tell) tell(std::min(1.0, ++done / steps));
  };
  Validation v;
  FitRules rules;
  judge_ways(set, folds, rules, v, step);
  rules.ways = {kWays[v.kept[0]], kWays[v.kept[1]]};
  choose_features(set, folds, rules, v, step);
  rules.features = v.features;
  if (!v.left_out.empty()) judge_ways(set, folds, rules, v, step);
  rules.ways = {kWays[v.kept[0]], kWays[v.kept[1]]};
  choose_rounds(set, folds, rules, v, step);
  rules.cost_rounds = v.cost_rounds;
  if (set.on_device()) choose_group(set, folds, rules, v);
  if (has_sampled(set)) choose_sampled(set, v);
  return v;
}

std::vector<double> ratios(const TrainingSet& set, const HeldOut& held_out, std::size_t phase) {
  std::vector<double> all;
  for (std::size_t i = 0; i < set.samples.size(); i++)
    if (held_out.seconds[phase][i] > 0) all.push_back(held_out.seconds[phase][i] / best_seconds(set, i, phase));
  return all;
}

std::vector<LearningPoint> learning_curve(const TrainingSet& set, std::size_t folds, const FitRules& rules) {
  const Products all = all_of(set);
  std::vector<LearningPoint> curve;
  for (const double share : {0.1, 0.2, 0.4, 0.6, 0.8, 1.0}) {
    LearningPoint point{.share = share};
    std::vector<double> over_best;
    const std::vector<Products> groups = folds_by_family(set, all, folds);
    for (const Products& out : groups) {
      Products seen = without(all, out);
      const auto n = static_cast<std::size_t>(share * static_cast<double>(seen.size()));
      seen = some_of(std::move(seen), std::max<std::size_t>(1, n));
      point.products += static_cast<double>(seen.size()) / static_cast<double>(groups.size());
      const FittedPolicy fitted = fit_policy(set, seen, rules);
      for (const std::size_t i : out)
        over_best.push_back(policy_seconds(set, i, kNumeric, fitted.policy.view()) / best_seconds(set, i, kNumeric));
    }
    point.regret = regret_of(over_best).geomean;
    curve.push_back(point);
  }
  return curve;
}

}  // namespace rowan::training
