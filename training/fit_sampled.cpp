#include "training/fit_sampled.hpp"

#include <algorithm>

#include "lib/host/block_race.hpp"
#include "lib/host/sampled.hpp"

namespace rowan::training {
namespace {

bool was_sampled(const ProductSample& s) {
  return s.sampled.times[kMeasure].measured();
}

}  // namespace

Problem sampled_problem(const TrainingSet& set, const Products& products) {
  Problem problem{.examples = {}, .outcomes = {}, .safest = kMeasure};
  std::array<bool, kMeasure + 1> seen{};
  seen[kMeasure] = true;
  for (const std::size_t i : products) {
    const SampledTimes& sampled = set.samples[i].sampled;
    if (!was_sampled(set.samples[i])) continue;
    Example e{.features = sampled.features, .weight = 1, .product = i};
    for (std::size_t outcome = 0; outcome < seen.size(); outcome++) {
      const Timing& t = sampled.times[outcome];
      e.seconds[outcome] = t.seconds, e.noise = std::max(e.noise, t.noise);
      seen[outcome] = seen[outcome] || t.measured();
    }
    problem.examples.push_back(e);
  }
  for (std::size_t outcome = 0; outcome < seen.size(); outcome++)
    if (seen[outcome]) problem.outcomes.push_back(static_cast<std::uint8_t>(outcome));
  return problem;
}

std::vector<std::size_t> sampled_features(const std::vector<std::size_t>& offered) {
  std::vector<std::size_t> list = offered;
  // a share of rows of A with one entry, and what is exact of all rows only, a sample does not tell
  std::erase(list, index(Feature::row_nnz_max)), std::erase(list, index(Feature::b_row_max));
  std::erase(list, index(Feature::a_row_nnz_max));
  return list;
}

double sampled_seconds(const TrainingSet& set, std::size_t product, const Policy& policy) {
  const SampledTimes& sampled = set.samples[product].sampled;
  const double measured = sampled.times[kMeasure].seconds;
  double least = 0;
  std::size_t contestants = 0;
  for (const std::uint8_t outcome : evaluate(policy.tree(Decision::sampled), sampled.features)) {
    if (outcome == kMeasure || contestants == BlockRace::kMost) break;
    const Timing& t = sampled.times[outcome];
    if (!t.measured()) continue;
    if (contestants++ > 0 && set.samples[product].nprod < kRacedFrom) break;
    least = least == 0 ? t.seconds : std::min(least, t.seconds);
  }
  return contestants == 0 ? measured : least;
}

double sampled_seconds(const TrainingSet& set, std::size_t product, std::uint8_t outcome) {
  const SampledTimes& sampled = set.samples[product].sampled;
  return sampled.times[sampled.times[outcome].measured() ? outcome : kMeasure].seconds;
}

double best_sampled_seconds(const TrainingSet& set, std::size_t product) {
  double least = 0;
  for (const Timing& t : set.samples[product].sampled.times)
    if (t.measured() && (least == 0 || t.seconds < least)) least = t.seconds;
  return least;
}

double sampled_regret(const TrainingSet& set, const std::function<double(std::size_t)>& seconds) {
  std::vector<double> over_best;
  for (std::size_t i = 0; i < set.samples.size(); i++)
    if (was_sampled(set.samples[i])) over_best.push_back(seconds(i) / best_sampled_seconds(set, i));
  return regret_of(over_best).geomean;
}

bool has_sampled(const TrainingSet& set) {
  return std::ranges::any_of(set.samples, was_sampled);
}

}  // namespace rowan::training
