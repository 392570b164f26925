#include "training/ways.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rowan::training {
namespace {

constexpr double kMostRegret = 2;  // worse is as bad: three times the best
const double kMostLog = std::log(8.0);

/// Examples with weights of 1 on average, so that a leaf's least weight is a number of examples.
double mean_weight(const std::vector<const Example*>& examples) {
  double sum = 0;
  for (const Example* e : examples) sum += e->weight;
  return examples.empty() || sum <= 0 ? 1 : sum / static_cast<double>(examples.size());
}

void add_gains(FeatureVector& sum, const FeatureVector& some) {
  for (std::size_t f = 0; f < sum.size(); f++) sum[f] += some[f];
}

ScoreTree constant(float value) {
  return {Node{.threshold = value}};
}

/// An outcome's trees on log(its time / the safest's, or its fallback's); what it was never measured for it is not
/// chosen for.
Scored by_log_time(const Problem& problem, const Way& way, const std::vector<std::size_t>& features) {
  Scored out;
  for (const std::uint8_t outcome : problem.outcomes) {
    if (outcome == problem.safest) continue;  // 0
    std::vector<const Example*> known;
    for (const Example& e : problem.examples)
      if (e.feasible(outcome)) known.push_back(&e);
    if (known.empty()) continue;
    const double mean = mean_weight(known);
    FeatureTable table(features);
    std::vector<float> targets, weights;
    for (const Example* e : known) {
      table.add(e->features);
      const double log_time = std::log(e->seconds[outcome] / e->seconds[chosen({&problem.safest, 1}, *e)]);
      targets.push_back(static_cast<float>(std::clamp(log_time, -kMostLog, kMostLog)));
      weights.push_back(static_cast<float>(e->weight / mean));
    }
    const Booster booster = Booster::regression(table, targets, weights, way.boost);
    out.scorers.push_back({outcome, booster.trees().front()});
    add_gains(out.gains, booster.gains());
  }
  return out;
}

/// More is better in a softmax, less is better here.
Scored scored(const Booster& booster, const std::vector<std::uint8_t>& classes) {
  Scored out{.gains = booster.gains()};
  auto trees = booster.trees();
  for (std::size_t k = 0; k < classes.size(); k++) {
    for (ScoreTree& tree : trees[k])
      for (Node& n : tree)
        if (n.leaf()) n.threshold = -n.threshold;
    out.scorers.push_back({classes[k], std::move(trees[k])});
  }
  return out;
}

/// Of the outcomes that take part; kNone where there is no second.
struct Order {
  static constexpr std::uint8_t kNone = 255;
  std::uint8_t best = kNone, second = kNone;
};
Order order_of(const Example& e, const std::vector<std::uint8_t>& outcomes) {
  Order o;
  for (const std::uint8_t k : outcomes) {
    if (!e.feasible(k)) continue;
    if (o.best == Order::kNone || e.seconds[k] < e.seconds[o.best])
      o.second = o.best, o.best = k;
    else if (o.second == Order::kNone || e.seconds[k] < e.seconds[o.second])
      o.second = k;
  }
  return o;
}

Scored by_best_class(const Problem& problem, const Way& way, const std::vector<std::size_t>& features) {
  std::vector<std::uint8_t> classes;
  for (const Example& e : problem.examples)
    if (const Order o = order_of(e, problem.outcomes);
        o.best != Order::kNone && std::find(classes.begin(), classes.end(), o.best) == classes.end())
      classes.push_back(o.best);
  std::sort(classes.begin(), classes.end());
  if (classes.size() < 2) return {.scorers = {{classes.empty() ? problem.safest : classes[0], {constant(0)}}}};
  FeatureTable table(features);
  std::vector<float> labels;
  std::vector<double> raw;
  double sum = 0;
  for (const Example& e : problem.examples) {
    const Order o = order_of(e, problem.outcomes);
    if (o.second == Order::kNone) continue;
    const double regret = std::min(e.seconds[o.second] / e.seconds[o.best] - 1, kMostRegret);
    table.add(e.features);
    labels.push_back(static_cast<float>(std::find(classes.begin(), classes.end(), o.best) - classes.begin()));
    raw.push_back(e.weight * regret), sum += raw.back();
  }
  std::vector<float> weights;
  weights.reserve(raw.size());
  for (const double w : raw) weights.push_back(static_cast<float>(w * static_cast<double>(raw.size()) / sum));
  const auto k = static_cast<double>(classes.size());
  BoostRules boost = way.boost;
  boost.least_weight *= 1 / k * (1 - 1 / k);  // counted by its second derivative
  boost.lambda *= 1 / k * (1 - 1 / k);
  return scored(Booster::softprob(table, labels, weights, static_cast<int>(classes.size()), boost), classes);
}

/// The expected regret of choosing by softmax, and its derivatives; the second is an upper bound.
Scored by_regret(const Problem& problem, const Way& way, const std::vector<std::size_t>& features) {
  const std::vector<std::uint8_t>& classes = problem.outcomes;
  const std::size_t k = classes.size();
  if (k < 2) return {.scorers = {{k == 0 ? problem.safest : classes[0], {constant(0)}}}};
  std::vector<const Example*> all;
  FeatureTable table(features);
  for (const Example& e : problem.examples) all.push_back(&e), table.add(e.features);
  const double mean = mean_weight(all);
  const auto gradient = [&](std::span<const float> outputs, std::span<float> first, std::span<float> second) {
    for (std::size_t i = 0; i < all.size(); i++) {
      const Example& e = *all[i];
      const double best = e.seconds[order_of(e, classes).best], weight = e.weight / mean;
      std::vector<double> p(k), regret(k);
      double sum = 0, expected = 0;
      for (std::size_t c = 0; c < k; c++)
        if (e.feasible(classes[c])) sum += p[c] = std::exp(static_cast<double>(outputs[i * k + c]));
      for (std::size_t c = 0; c < k; c++) {
        if (!e.feasible(classes[c])) continue;
        const double r = e.seconds[classes[c]] / best - 1;
        regret[c] = r <= e.noise ? 0 : std::min(r, kMostRegret);
        p[c] /= sum, expected += p[c] * regret[c];
      }
      for (std::size_t c = 0; c < k; c++) {
        constexpr double kLeast = 1e-6;  // XGBoost divides by sums of these
        first[i * k + c] = static_cast<float>(weight * p[c] * (regret[c] - expected));
        second[i * k + c] = static_cast<float>(e.feasible(classes[c]) ? std::max(weight, kLeast) : kLeast);
      }
    }
  };
  return scored(Booster::custom(table, static_cast<int>(k), gradient, way.boost), classes);
}

}  // namespace

Scored fit_scores(const Problem& problem, const Way& way, const std::vector<std::size_t>& features) {
  switch (way.loss) {
    case Loss::log_time:
      return by_log_time(problem, way, features);
    case Loss::best_class:
      return by_best_class(problem, way, features);
    case Loss::expected_regret:
      break;
  }
  return by_regret(problem, way, features);
}

FittedDecision fit_decision(const Problem& problem, const Way& way, const std::vector<std::size_t>& features) {
  const Scored scored = fit_scores(problem, way, features);
  return {join(scored.scorers, problem.examples, {.safest = problem.safest}), scored.gains};
}

}  // namespace rowan::training
