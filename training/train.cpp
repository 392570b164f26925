#include "training/train.hpp"

#include <set>

#include <fmt/ranges.h>

#include "training/model_text.hpp"
#include "training/report.hpp"
#include <rowan/error.hpp>

namespace rowan::training {
namespace {

using Json = nlohmann::ordered_json;

std::string words(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

Json provenance(const TrainingSet& set, const TrainRules& rules, const FitRules& fit, const Json& report) {
  Json list = Json::array();
  std::set<std::string> seen;  // on several machines
  for (const ProductSample& s : set.samples)
    if (seen.insert(s.hash).second) list.push_back({{"name", s.name}, {"family", s.family}, {"hash", s.hash}});
  Json figures = Json::object();
  for (const char* key : {"splits", "phases", "cost"}) {
    if (!report.contains(key)) continue;
    if (std::string(key) != "phases") {
      figures[key] = report[key];
      continue;
    }
    for (const auto& [phase, value] : report[key].items())
      if (!value["policies"].empty() && value["policies"][0]["kind"] == "model") figures[phase] = value["policies"][0];
  }
  return {{"date", rules.date},
          {"machines", set.machines()},
          {"rowan", rules.version},
          {"xgboost", xgboost_version()},
          {"ways", {fit.ways[0].name, fit.ways[1].name}},
          {"seed", 0},
          {"figures", figures},
          {"products", list}};
}

/// Choices of one kind of machine say nothing about another's.
void check_alike(const std::vector<ProductSample>& samples) {
  const ProductSample& first = samples.front();
  for (const ProductSample& s : samples)
    if (s.backend != first.backend || s.wave != first.wave)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("measurements of \"{}\" and of \"{}\" are of two kinds of machines: fit them apart",
                              first.machine, s.machine));
}

std::string made_for(const ProductSample& sample) {
  return sample.backend.empty() ? "a host's cores" : fmt::format("devices with waves of {}", sample.wave);
}

}  // namespace

Trained train_model(std::vector<ProductSample> samples, const TrainRules& rules, const Tell& tell) {
  if (!have_xgboost())
    throw Error(ErrorCode::unsupported, "this build fits no models: XGBoost was not found when it was made");
  std::erase_if(samples, [](const ProductSample& s) { return s.nprod == 0 || s.phases[kNumeric].bins.empty(); });
  if (samples.empty()) throw Error(ErrorCode::invalid_argument, "there are no measurements to fit to");
  check_alike(samples);
  const TrainingSet set(std::move(samples));
  const Products all = all_of(set);
  const std::size_t families_seen = folds_by_family(set, all, all.size()).size();
  const bool judgeable = families_seen > 1;

  Validation validation;
  if (judgeable) validation = validate_ways(set, rules.folds, tell);
  const FitRules fit{.ways = {kWays[validation.kept[0]], kWays[validation.kept[kNumeric]]},
                     .features = validation.features,
                     .cost_rounds = validation.cost_rounds,
                     .fit_group = validation.fit_group,
                     .fit_sampled = !judgeable || validation.fit_sampled};
  FittedPolicy fitted = fit_policy(set, all, fit);

  std::vector<LearningPoint> curve;
  if (judgeable) curve = learning_curve(set, rules.folds, fit);
  Trained trained;
  trained.report = {{"name", rules.name}, {"date", rules.date}};
  trained.report.update(report_of({.set = set,
                                   .families = families_seen,
                                   .validation = validation,
                                   .rules = fit,
                                   .fitted = fitted,
                                   .curve = curve,
                                   .in_force = rules.in_force}));
  fitted.policy.name = rules.name;
  fitted.policy.about =
      fmt::format("Trees for {}, fitted to measurements of {} ({}).", made_for(set.samples.front()),
                  words(set.samples.size(), "product", "products"), words(families_seen, "family", "families"));
  fitted.policy.source = fmt::format("rowan train, {}, {}", rules.date, fmt::join(set.machines(), " and "));
  if (judgeable) {
    const Regret r = regret_of(ratios(set, validation.model, kNumeric));
    fitted.policy.source += fmt::format(
        "; on families held out {:.3f} times the best (geomean; p95 {:.3f}, worst {:.3f})", r.geomean, r.p95, r.worst);
  }
  trained.model =
      model_text(fitted, set.on_device() ? "devices" : "hosts", provenance(set, rules, fit, trained.report));
  return trained;
}

}  // namespace rowan::training
