#include "training/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "models/embedded.hpp"
#include "training/fit_sampled.hpp"
#include "training/judge.hpp"
#include <rowan/options.hpp>

namespace rowan::training {
namespace {

/// No row of any matrix is beyond it.
constexpr Extent kAnyRows{
    .nprod_max = kNoLimit, .bound_max = kNoLimit, .span_max = kNoLimit, .a_nnz_max = kNoLimit, .sorted_b = false};

LoadedPolicy::OwnedTree always(std::uint8_t outcome) {
  return {.nodes = {Node{.less = 0, .other = 1}}, .ranked = {outcome}, .roots = {}};
}

/// What hand rules say.
LoadedPolicy::OwnedTree as_by_hand(const char* rules, Decision decision) {
  const Tree& tree = embedded_policy(rules)->tree(decision);
  return {.nodes = {tree.nodes.begin(), tree.nodes.end()}, .ranked = {tree.ranked.begin(), tree.ranked.end()}};
}

/// Products as examples: outcome 0 is not to bin, 1 to bin, each with the candidates that were fitted.
Problem binning_problem(const TrainingSet& set, const Products& products, const Tree& numeric) {
  Problem problem{.examples = {}, .outcomes = {0, 1}, .safest = 1};
  for (const std::size_t i : products) {
    const PhaseTimes& times = set.times[kNumeric][i];
    Example all{.features = set.samples[i].features, .seconds = times.all_rows};
    Example e{.features = all.features, .weight = 1, .product = i};
    e.seconds[0] = all.seconds[chosen(evaluate(numeric, all.features), all)] + set.samples[i].deciding[0];
    e.seconds[1] = set.samples[i].deciding[1];
    for (const Example& bin : times.bins) e.seconds[1] += bin.seconds[chosen(evaluate(numeric, bin.features), bin)];
    problem.examples.push_back(e);
  }
  return problem;
}

/// Predicted times: every bin counts alike, however small its share.
LoadedPolicy::OwnedTree fit_costs(Problem problem, const std::vector<std::size_t>& features, int rounds) {
  for (Example& e : problem.examples) e.weight = 1;
  const BoostRules boost{.rounds = rounds, .rate = rounds == 1 ? 1 : 0.4, .least_weight = 2, .lambda = 1};
  const Scored scored = fit_scores(problem, {"costs", "", Loss::log_time, boost}, features);
  // a prediction is not a choice: every leaf says what it was fitted to
  return join(scored.scorers, {}, {.safest = problem.safest, .least_products = 0}).tree;
}

/// A tree behind the others: what has so few products is not binned, for deciding takes as long as multiplying.
/// (Measured with bench/choosing; fits see little of that size.)
void never_bin_few_products(JoinedScores& scores) {
  constexpr float kFew = 2048, kBeyondOthers = -16;
  const auto first = static_cast<std::uint16_t>(scores.tree.nodes.size());
  if (scores.tree.roots.empty()) return;
  scores.tree.roots.push_back({.outcome = 0, .node = first});
  scores.tree.nodes.push_back({.feature = index(Feature::nprod),
                               .threshold = kFew,
                               .less = static_cast<std::uint16_t>(first + 1),
                               .other = static_cast<std::uint16_t>(first + 2)});
  scores.tree.nodes.push_back({.threshold = kBeyondOthers});
  scores.tree.nodes.push_back({});
  scores.examples.resize(scores.tree.nodes.size()), scores.unsure.resize(scores.tree.nodes.size());
}

}  // namespace

std::vector<std::size_t> offered_features() {
  std::vector<std::size_t> list;
  for (std::size_t f = 0; f < kFeatures.size(); f++) list.push_back(f);
  return list;
}

std::vector<std::size_t> base_features() {
  return {index(Feature::row_nnz_max), index(Feature::row_nnz_avg), index(Feature::c_sparsity),
          index(Feature::b_row_max)};
}

namespace {

double forced_or_fallback(const Seconds& forced, CandidateId id) {
  const auto does = along_fallbacks(id, [&](CandidateId other) { return forced[other] != 0; });
  return does ? forced[*does] : 0;
}

}  // namespace

CandidateId safest_candidate(const TrainingSet& set, const Products& products, std::size_t phase) {
  CandidateId safest = kLastResort;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t id = 0; id < kCandidates.size(); id++) {
    if (!kCandidates[id].feasible(kAnyRows)) continue;
    double sum = 0;
    bool everywhere = true;
    for (const std::size_t i : products) {
      if (set.times[phase][i].bins.empty()) continue;  // a device has nothing to count
      // where all rows are too wide for it, its fallback does them
      const double forced = forced_or_fallback(set.times[phase][i].forced, static_cast<CandidateId>(id));
      everywhere = everywhere && forced > 0;
      if (everywhere) sum += std::log(forced / best_seconds(set, i, phase));
    }
    if (everywhere && sum < least) least = sum, safest = static_cast<CandidateId>(id);
  }
  return safest;
}

Problem phase_problem(const TrainingSet& set, const Products& products, std::size_t phase) {
  Problem problem{.safest = safest_candidate(set, products, phase)};
  std::array<bool, kCandidates.size()> seen{};
  const auto add = [&](const Example& e) {
    problem.examples.push_back(e);
    for (std::size_t id = 0; id < seen.size(); id++) seen[id] = seen[id] || e.feasible(id);
  };
  for (const std::size_t i : products) {
    const PhaseTimes& times = set.times[phase][i];
    for (const Example& e : times.bins) add(e);
  }
  for (std::size_t id = 0; id < seen.size(); id++)
    if (seen[id]) problem.outcomes.push_back(static_cast<std::uint8_t>(id));
  return problem;
}

Problem worth_choosing(Problem problem) {
  constexpr double kEarns = 0.001;  // of the time of a product on average: less is chance
  double all = 0;
  for (const Example& e : problem.examples) all += e.weight;
  const auto gain = [&](std::uint8_t outcome) {
    double sum = 0;
    for (const Example& e : problem.examples) {
      double without = std::numeric_limits<double>::infinity();
      for (const std::uint8_t other : problem.outcomes)
        if (other != outcome && e.feasible(other)) without = std::min(without, e.seconds[other]);
      if (std::isfinite(without)) sum += e.weight * std::max(0.0, without / e.best() - 1);
    }
    return sum / all;
  };
  std::vector<std::uint8_t> kept;
  for (const std::uint8_t outcome : problem.outcomes)
    if (outcome == problem.safest || gain(outcome) >= kEarns) kept.push_back(outcome);
  problem.outcomes = std::move(kept);
  return problem;
}

namespace {

constexpr CandidateId kCheapest = candidate_that(&Candidate::cheapest);

/// Behind a fit: rows of A with one entry are copied where they can be. Nothing does less, and their share of a phase
/// is too small for a fit to say so. (A device, whose symbolic phase needs no kernel for them, does not even measure
/// it.)
void copy_single_entries(JoinedScores& scores, CandidateId safest) {
  constexpr float kBeyondOthers = -16;
  constexpr float kTooMany = static_cast<float>(kCandidates[kCheapest].max_a_nnz + 1);
  if (scores.tree.roots.empty()) scores = {.tree = {.nodes = {}, .ranked = {safest}, .roots = {}}};
  const auto first = static_cast<std::uint16_t>(scores.tree.nodes.size());
  if (std::find(scores.tree.ranked.begin(), scores.tree.ranked.end(), kCheapest) == scores.tree.ranked.end())
    scores.tree.ranked.push_back(kCheapest);
  scores.tree.roots.push_back({.outcome = kCheapest, .node = first});
  scores.tree.nodes.push_back({.feature = index(Feature::a_row_nnz_max),
                               .threshold = kTooMany,
                               .less = static_cast<std::uint16_t>(first + 1),
                               .other = static_cast<std::uint16_t>(first + 2)});
  scores.tree.nodes.push_back({.threshold = kBeyondOthers});
  scores.tree.nodes.push_back({.threshold = -kBeyondOthers});
  scores.examples.resize(scores.tree.nodes.size()), scores.unsure.resize(scores.tree.nodes.size());
}

/// Lanes that walk a row of B, once it is known whose they are: bins of both phases, for one decision serves both.
Problem group_problem(const TrainingSet& set, const Products& products, const Policy& policy) {
  Problem problem{.examples = {}, .outcomes = {}, .safest = 0};
  std::array<bool, kGroupNames.size()> seen{true};
  for (std::size_t p = 0; p < kPhases; p++) {
    const Tree& tree = policy.tree(p == 0 ? Decision::symbolic : Decision::numeric);
    for (const std::size_t i : products)
      for (const Example& bin : set.times[p][i].bins) {
        const CandidateId id = chosen(evaluate(tree, bin.features), bin);
        Example e{.features = bin.features, .noise = bin.noise, .weight = bin.weight, .product = i};
        e.seconds[0] = bin.seconds[id];
        for (std::size_t g = 1; g < kGroupNames.size(); g++)
          e.seconds[g] = bin.by_group[id][g], seen[g] = seen[g] || e.seconds[g] > 0;
        problem.examples.push_back(e);
      }
  }
  std::stable_sort(problem.examples.begin(), problem.examples.end(),
                   [](const Example& a, const Example& b) { return a.product < b.product; });
  for (std::size_t g = 0; g < seen.size(); g++)
    if (seen[g]) problem.outcomes.push_back(static_cast<std::uint8_t>(g));
  return problem;
}

}  // namespace

FittedPolicy fit_policy(const TrainingSet& set, const Products& products, const FitRules& rules) {
  FittedPolicy fitted;
  LoadedPolicy& policy = fitted.policy;
  policy.kind = "trees";
  const bool on_device = set.on_device();
  policy.trees[static_cast<std::size_t>(Decision::group)] = always(0);
  policy.trees[static_cast<std::size_t>(Decision::sampled)] = always(kMeasure);
  policy.trees[static_cast<std::size_t>(Decision::method)] =
      on_device ? as_by_hand("device-rules", Decision::method)  // one phase is not measured
                : always(static_cast<std::uint8_t>(Method::one_phase));
  for (std::size_t p = 0; p < kPhases; p++) {
    const Problem problem = phase_problem(set, products, p);
    fitted.safest[p] = problem.safest;
    fitted.phases[p] = fit_decision(worth_choosing(problem), rules.ways[p], rules.features);
    const bool measured =
        std::find(problem.outcomes.begin(), problem.outcomes.end(), kCheapest) != problem.outcomes.end();
    if (on_device ? p == 0 : measured) copy_single_entries(fitted.phases[p].scores, problem.safest);
    policy.trees[static_cast<std::size_t>(p == 0 ? Decision::symbolic : Decision::numeric)] =
        fitted.phases[p].scores.tree;
    policy.costs[p] = fit_costs(problem, rules.features, rules.cost_rounds);
  }
  if (on_device) {  // where rows are binned anyway: less is launched without, but nothing is saved that was measured
    policy.trees[static_cast<std::size_t>(Decision::use_binning)] = always(1);
    if (!rules.fit_group) return fitted;
    fitted.group = fit_decision(group_problem(set, products, policy.view()), kWays[0], rules.features);
    policy.trees[static_cast<std::size_t>(Decision::group)] = fitted.group.scores.tree;
    return fitted;
  }
  policy.alternating = kSortInWindows;  // hosts: bins are measured and fitted each by itself
  // to bin or not, once it is known what would be chosen either way
  fitted.use_binning =
      fit_decision(binning_problem(set, products, fitted.phases[1].scores.tree.view()), kWays[0], rules.features);
  never_bin_few_products(fitted.use_binning.scores);
  policy.trees[static_cast<std::size_t>(Decision::use_binning)] = fitted.use_binning.scores.tree;
  LoadedPolicy::OwnedTree& sampled = policy.trees[static_cast<std::size_t>(Decision::sampled)];
  if (!rules.fit_sampled) {
    sampled = as_by_hand("host-rules", Decision::sampled);
  } else if (const Problem problem = sampled_problem(set, products); !problem.examples.empty()) {
    fitted.sampled = fit_decision(problem, kWays[0], sampled_features(rules.features));
    if (!fitted.sampled.scores.tree.roots.empty()) sampled = fitted.sampled.scores.tree;
  }
  return fitted;
}

}  // namespace rowan::training
