#include "training/verdict.hpp"

#include <map>

#include <fmt/format.h>

namespace rowan::training {
namespace {

using Json = nlohmann::ordered_json;

std::string plural(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// Products that the policy in force was not fitted to, judged by both.
struct Comparison {
  std::vector<double> model = {}, in_force = {};  // over the best known
  std::size_t families = 0, better = 0, worse = 0;
};

Comparison compare(const TrainingSet& set, const HeldOut& held_out, const InForce& in_force) {
  constexpr double kMatters = 0.01;
  Comparison all;
  std::map<std::string, std::vector<double>> by_family;  // time with the model over that in force
  for (std::size_t i = 0; i < set.samples.size(); i++) {
    const ProductSample& s = set.samples[i];
    if (held_out.seconds[kNumeric][i] <= 0 || in_force.fitted_to.contains(s.hash)) continue;
    const double best = best_seconds(set, i, kNumeric);
    all.model.push_back(held_out.seconds[kNumeric][i] / best);
    all.in_force.push_back(policy_seconds(set, i, kNumeric, *in_force.policy) / best);
    by_family[s.family].push_back(all.model.back() / all.in_force.back());
  }
  for (const auto& [family, ratios] : by_family) {
    const double ratio = regret_of(ratios).geomean;
    all.families++;
    all.better += std::size_t{ratio < 1 - kMatters}, all.worse += std::size_t{ratio > 1 + kMatters};
  }
  return all;
}

std::string figures(const Comparison& c) {
  return fmt::format(
      "{:.3f} against {:.3f} times the best known time, on {} of {} that neither was fitted to; better on {} of them, "
      "worse on {}",
      regret_of(c.model).geomean, regret_of(c.in_force).geomean, plural(c.model.size(), "product", "products"),
      plural(c.families, "family", "families"), c.better, c.worse);
}

}  // namespace

Json verdict(const TrainingSet& set, const HeldOut* held_out, const InForce& in_force) {
  constexpr double kPays = 1.01;  // less is within what two runs differ by
  const std::string name = fmt::format("{} ({})", in_force.policy->name, in_force.from);
  Json out{{"in_force", in_force.policy->name}, {"from", in_force.from}, {"recommended", nullptr}};
  std::size_t seen = 0;
  for (const ProductSample& s : set.samples) seen += std::size_t{in_force.fitted_to.contains(s.hash)};
  out["seen"] = seen;
  if (held_out == nullptr) {
    out["words"] = "The model could not be judged: all products are of one family. Keep " + name +
                   " until there are products of two families.";
    return out;
  }
  const Comparison c = compare(set, *held_out, in_force);
  out["compared"] = c.model.size(), out["families"] = c.families;
  if (c.model.empty()) {
    out["words"] = "The policy in force, " + name +
                   ", was fitted to all of these products: they do not show which is better on others. Keep it.";
    out["recommended"] = "in force";
    return out;
  }
  const double model = regret_of(c.model).geomean, before = regret_of(c.in_force).geomean;
  const bool beats = before / model > kPays && c.better >= c.worse;
  out["model_geomean"] = model, out["in_force_geomean"] = before, out["better"] = c.better, out["worse"] = c.worse;
  out["recommended"] = beats ? "model" : "in force";
  out["words"] =
      beats ? "Use the model (--model, or ROWAN_MODEL): it beats the policy in force, " + name + ": " + figures(c) + "."
            : "Keep the policy in force, " + name + ": the model does not beat it: " + figures(c) + ".";
  if (seen != 0)
    out["words"] = out["words"].get<std::string>() +
                   fmt::format(" {} of the {} products were left out here: the one in force was fitted to them.", seen,
                               set.samples.size());
  return out;
}

}  // namespace rowan::training
