#include "training/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/ranges.h>

#include "models/embedded.hpp"
#include "training/fit_sampled.hpp"
#include "training/model_text.hpp"
#include "training/provenance.hpp"

namespace rowan::training {
namespace {

using Json = nlohmann::ordered_json;

/// Those that a model is to beat.
const Policy& hand_rules(const TrainingSet& set) {
  constexpr int kWide = 64;
  const bool wide = set.samples.front().wave == kWide;
  return *embedded_policy(!set.on_device() ? "host-rules" : wide ? "wave64-rules" : "device-rules");
}

Json json_of(const TrainingSet& set, const Regret& r) {
  return {{"geomean", r.geomean},
          {"p95", r.p95},
          {"worst", r.worst},
          {"worst_product", r.products == 0 ? "" : set.samples[r.worst_product].name}};
}

/// Times over the best by any rule that needs no fit; products where it says nothing are left out.
template <class F>
Json judged(const TrainingSet& set, const std::string& name, const std::string& kind, std::size_t phase,
            const F& time) {
  std::vector<double> over_best;
  double sum = 0, sum_best = 0;
  for (std::size_t i = 0; i < set.samples.size(); i++) {
    const double seconds = time(i), best = best_seconds(set, i, phase);
    if (seconds <= 0) continue;
    over_best.push_back(seconds / best);
    sum += seconds, sum_best += best;
  }
  Json j{{"name", name}, {"kind", kind}, {"products", over_best.size()}};
  if (sum_best > 0) j["total"] = sum / sum_best;
  // the worst product is named only where all are there: only then an index in the list is a product
  j.update(json_of(set, regret_of(over_best)));
  if (over_best.size() != set.samples.size()) j.erase("worst_product");
  return j;
}

/// "fitted to 40 of these 60 products": why a policy looks better here than a model that is judged on products held
/// out.
std::string note_of(const TrainingSet& set, const std::set<std::string>& fitted_to) {
  const auto seen =
      std::ranges::count_if(set.samples, [&](const ProductSample& s) { return fitted_to.contains(s.hash); });
  return seen == 0 ? "" : fmt::format("was fitted to {} of these {} products: not held out", seen, set.samples.size());
}

/// A policy as it is, in or out of force.
Json judged(const TrainingSet& set, const Policy& p, const std::string& name, const std::set<std::string>& fitted_to,
            std::size_t phase) {
  Json j = judged(set, name, "policy", phase, [&](std::size_t i) { return policy_seconds(set, i, phase, p); });
  if (const std::string note = note_of(set, fitted_to); !note.empty()) j["note"] = note;
  return j;
}

Json policies(const TrainingSet& set, const HeldOut* held_out, const InForce& in_force, std::size_t phase) {
  Json list = Json::array();
  if (held_out != nullptr) {
    Json model =
        judged(set, "model, held out", "model", phase, [&](std::size_t i) { return held_out->seconds[phase][i]; });
    const auto& right = held_out->accuracy[phase];
    model["accuracy"] = std::accumulate(right.begin(), right.end(), 0.0) / static_cast<double>(right.size());
    list.push_back(model);
  }
  if (in_force.policy != nullptr)
    list.push_back(
        judged(set, *in_force.policy, std::string(in_force.policy->name) + ", in force", in_force.fitted_to, phase));
  for (const Policy& p : embedded_policies()) {
    const Provenance* const known = provenance_of(p.name);
    const std::string machines = known != nullptr ? known->machines : "";
    const bool others = !machines.empty() && machines != (set.on_device() ? "devices" : "hosts");
    if (others || (in_force.policy != nullptr && p.name == in_force.policy->name)) continue;
    list.push_back(
        judged(set, p, std::string(p.name), known != nullptr ? known->fitted_to : std::set<std::string>(), phase));
  }
  for (std::size_t id = 0; id < kCandidates.size(); id++) {
    const auto time = [&](std::size_t i) { return forced_seconds(set, i, phase, static_cast<CandidateId>(id)); };
    list.push_back(judged(set, "all " + std::string(kCandidates[id].name), "fixed", phase, time));
  }
  list.push_back(
      judged(set, "GraphBLAS's rule", "rule", phase, [&](std::size_t i) { return graphblas_seconds(set, i, phase); }));
  list.push_back(
      judged(set, "random choice", "rule", phase, [&](std::size_t i) { return random_seconds(set, i, phase); }));
  return list;
}

/// Shares that add up to 1, largest first.
Json importances(const FeatureVector& gains) {
  std::vector<std::pair<float, std::size_t>> order;
  float sum = 0;
  for (std::size_t f = 0; f < gains.size(); f++)
    if (gains[f] > 0) order.emplace_back(gains[f], f), sum += gains[f];
  std::sort(order.rbegin(), order.rend());
  Json out = Json::object();
  for (const auto& [gain, f] : order) out[std::string(kFeatures[f].name)] = gain / sum;
  return out;
}

Json families(const TrainingSet& set, const HeldOut& held_out, const InForce& in_force) {
  std::map<std::string, std::array<std::vector<double>, 3>> by_family;
  const Policy& rules = hand_rules(set);
  for (std::size_t i = 0; i < set.samples.size(); i++) {
    auto& [model, before, now] = by_family[set.samples[i].family];
    const double best = best_seconds(set, i, kNumeric);
    model.push_back(held_out.seconds[kNumeric][i] / best);
    before.push_back(policy_seconds(set, i, kNumeric, rules) / best);
    if (in_force.policy != nullptr) now.push_back(policy_seconds(set, i, kNumeric, *in_force.policy) / best);
  }
  Json list = Json::array();
  for (const auto& [name, times] : by_family) {
    const Regret model = regret_of(times[0]), before = regret_of(times[1]);
    list.push_back({{"family", name},
                    {"products", model.products},
                    {"geomean", model.geomean},
                    {"worst", model.worst},
                    {"rules_geomean", before.geomean},
                    {"rules_worst", before.worst}});
    if (in_force.policy != nullptr) list.back()["in_force_geomean"] = regret_of(times[2]).geomean;
  }
  return list;
}

Json products(const TrainingSet& set, const HeldOut* held_out, const InForce& in_force) {
  Json list = Json::array();
  for (std::size_t i = 0; i < set.samples.size(); i++) {
    const ProductSample& s = set.samples[i];
    const double best = best_seconds(set, i, kNumeric);
    Json j{{"product", s.name}, {"family", s.family}, {"nprod", s.nprod}, {"best_seconds", best}};
    if (held_out != nullptr) j["model"] = held_out->seconds[kNumeric][i] / best;
    j["rules"] = policy_seconds(set, i, kNumeric, hand_rules(set)) / best;
    if (in_force.policy != nullptr) j["in_force"] = policy_seconds(set, i, kNumeric, *in_force.policy) / best;
    list.push_back(j);
  }
  return list;
}

Json sums_against_wholes(const TrainingSet& set) {
  Json out;
  for (std::size_t p = 0; p < kPhases; p++) {
    Concordance all;
    double logs = 0;
    for (const ProductSample& s : set.samples) {
      const Concordance c = concordance(s, p);
      all.pairs += c.pairs, all.before += c.before, all.after += c.after;
      if (c.sum_over_mixed > 0) logs += std::log(c.sum_over_mixed);
    }
    out[std::string(kPhaseNames[p])] = {{"pairs", all.pairs},
                                        {"ranked_alike", all.before},
                                        {"ranked_alike_corrected", all.after},
                                        {"sum_over_whole", std::exp(logs / static_cast<double>(set.samples.size()))}};
  }
  return out;
}

/// Whole products with and without measuring rows: the fit held out, the hand rules, and one outcome for all.
Json sampled(const TrainingSet& set, const Validation& v) {
  using Of = std::function<double(std::size_t)>;
  const Policy& by_hand = hand_rules(set);
  const Of fit = [&](std::size_t i) { return v.model.whole[i]; };
  const Of rules = [&](std::size_t i) { return sampled_seconds(set, i, by_hand); };
  const auto all = [&](std::uint8_t outcome) -> Of {
    return [&set, outcome](std::size_t i) { return sampled_seconds(set, i, outcome); };
  };
  Json out{{"kept", v.fit_sampled ? "fitted" : "hand rules"}, {"fitted", sampled_regret(set, fit)}};
  out["hand rules"] = sampled_regret(set, rules);
  for (const std::uint8_t outcome : sampled_problem(set, all_of(set)).outcomes)
    out["always"][std::string(sampled_name(outcome))] = sampled_regret(set, all(outcome));
  std::map<std::string, std::array<std::vector<double>, 3>> by_family;
  for (std::size_t i = 0; i < set.samples.size(); i++) {
    const double best = best_sampled_seconds(set, i);
    if (best == 0) continue;
    auto& [fitted, hand, measured] = by_family[set.samples[i].family];
    fitted.push_back(fit(i) / best), hand.push_back(rules(i) / best), measured.push_back(all(kMeasure)(i) / best);
  }
  for (const auto& [name, ratios] : by_family)
    out["by_family"].push_back({{"family", name},
                                {"products", ratios[0].size()},
                                {"fitted", regret_of(ratios[0]).geomean},
                                {"hand rules", regret_of(ratios[1]).geomean},
                                {"measure", regret_of(ratios[2]).geomean}});
  return out;
}

/// The examples as points over the two features that the numeric choice rests on most.
Json choice_map(const TrainingSet& set, const FittedPolicy& fitted) {
  const Json strongest = importances(fitted.phases[kNumeric].gains);
  std::vector<Feature> axes;
  for (const auto& [name, share] : strongest.items())
    if (axes.size() < 2) axes.push_back(*feature_named(name));
  if (axes.size() < 2) return Json();
  Json points = Json::array();
  const Tree tree = fitted.phases[kNumeric].scores.tree.view();
  for (const auto& times : set.times[kNumeric])
    for (const Example& e : times.bins) {
      constexpr double kLeastWeight = 0.01;  // smaller bins only hide the others
      if (e.weight < kLeastWeight) continue;
      std::size_t best = 0;
      while (!e.feasible(best)) best++;
      for (std::size_t id = best; id < kCandidates.size(); id++)
        if (e.feasible(id) && e.seconds[id] < e.seconds[best]) best = id;
      points.push_back({json_number(e.features[index(axes[0])]), json_number(e.features[index(axes[1])]),
                        kCandidates[best].name, kCandidates[chosen(evaluate(tree, e.features), e)].name});
    }
  return {{"x", kFeatures[index(axes[0])].name}, {"y", kFeatures[index(axes[1])].name}, {"points", points}};
}

Json tree_facts(const JoinedScores& scores) {
  std::size_t leaves = 0, unsure = 0;
  for (std::size_t n = 0; n < scores.tree.nodes.size(); n++)
    if (scores.tree.nodes[n].leaf()) leaves++, unsure += std::size_t{scores.unsure[n]};
  return {{"trees", scores.tree.roots.size()}, {"leaves", leaves}, {"unsure", unsure}};
}

}  // namespace

Json report_of(const Judged& j) {
  const TrainingSet& set = j.set;
  const HeldOut* held_out = j.families > 1 ? &j.validation.model : nullptr;
  Json report{{"machine", fmt::format("{}", fmt::join(set.machines(), " and "))}};
  report["products"] = set.samples.size(), report["families"] = j.families;
  report["splits"] = held_out != nullptr ? held_out->splits : 0;
  if (j.in_force.policy != nullptr) report["verdict"] = verdict(set, held_out, j.in_force);
  for (std::size_t p = 0; p < kPhases; p++)
    report["phases"][std::string(kPhaseNames[p])] = {{"policies", policies(set, held_out, j.in_force, p)},
                                                     {"importances", importances(j.fitted.phases[p].gains)},
                                                     {"safest", kCandidates[j.fitted.safest[p]].name},
                                                     {"tree", tree_facts(j.fitted.phases[p].scores)}};
  report["ways"] = Json::array();
  for (std::size_t w = 0; w < j.validation.ways.size(); w++) {
    Json way{{"name", kWays[w].name}, {"about", kWays[w].about}};
    for (std::size_t p = 0; p < kPhases; p++) {
      Json& judged = way[std::string(kPhaseNames[p])] = json_of(set, regret_of(ratios(set, j.validation.ways[w], p)));
      judged["kept"] = w == j.validation.kept[p];
    }
    report["ways"].push_back(way);
  }
  report["sums"] = sums_against_wholes(set);
  if (held_out != nullptr && set.on_device())
    report["group"] = {
        {"kept", j.validation.fit_group}, {"fitted", j.validation.with_group}, {"by_average", j.validation.by_average}};
  if (held_out != nullptr && has_sampled(set)) report["sampled"] = sampled(set, j.validation);
  if (held_out != nullptr) {
    report["cost"] = {{"rounds", j.rules.cost_rounds}, {"by_rounds", Json::array()}};
    for (std::size_t r = 0; r < kCostRounds.size(); r++)
      report["cost"]["by_rounds"].push_back(
          {{"rounds", kCostRounds[r]}, {"held_out_factor", j.validation.cost_factors[r]}});
    report["features"] = {{"four", j.validation.four}, {"without", Json::object()}};
    for (std::size_t f = 0; f < kFeatures.size(); f++)
      if (j.validation.without[f] > 0) report["features"]["without"][kFeatures[f].name] = j.validation.without[f];
    for (const Validation::LeftOut& out : j.validation.left_out)
      report["features"]["left_out"].push_back(
          {{"feature", kFeatures[out.feature].name}, {"with", out.with}, {"without", out.without}});
    report["by_family"] = families(set, *held_out, j.in_force);
    report["learning_curve"] = Json::array();
    for (const LearningPoint& p : j.curve)
      report["learning_curve"].push_back({{"share", p.share}, {"products", p.products}, {"geomean", p.regret}});
    report["predictions"] = Json::array();
    for (const Prediction& p : held_out->predictions)
      report["predictions"].push_back(
          {json_number(static_cast<float>(p.predicted)), json_number(static_cast<float>(p.measured))});
  }
  report["by_product"] = products(set, held_out, j.in_force);
  report["map"] = choice_map(set, j.fitted);
  return report;
}

}  // namespace rowan::training
