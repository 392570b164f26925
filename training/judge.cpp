#include "training/judge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rowan::training {
namespace {

const Tree& tree_of(const Policy& policy, std::size_t phase) {
  return policy.tree(phase == kNumeric ? Decision::numeric : Decision::symbolic);
}

double deciding(const TrainingSet& set, std::size_t product, std::size_t phase, bool binned) {
  return phase == kNumeric ? set.samples[product].deciding[binned ? 1 : 0] : 0;
}

/// All rows as one bin.
Example whole(const TrainingSet& set, std::size_t product, std::size_t phase) {
  return {.features = set.samples[product].features, .seconds = set.times[phase][product].all_rows};
}

/// Devices bin always: what a policy without bins takes there is not measured.
bool is_binned(const TrainingSet& set, std::size_t product, const Policy& policy) {
  return set.on_device() || evaluate(policy.tree(Decision::use_binning), set.samples[product].features)[0] != 0;
}

/// With the policy's choices for rows of a bin.
double seconds_of(const Example& e, const Policy& policy, std::size_t phase) {
  const std::uint8_t group = evaluate(policy.tree(Decision::group), e.features)[0];
  return e.seconds_of(chosen(evaluate(tree_of(policy, phase), e.features), e), group);
}

/// GraphBLAS compares a table of twice the next power of two with a twelfth of the columns.
bool graphblas_takes_hash(const FeatureVector& f) {
  const auto flops = static_cast<std::uint64_t>(std::max(1.0F, f[index(Feature::nprod_max)]));
  const auto columns = static_cast<double>(f[index(Feature::columns)]);
  const auto table = static_cast<double>(std::uint64_t{2} << std::bit_width(flops));
  return static_cast<double>(flops) < columns / 2 && table < columns / 12;
}

}  // namespace

double policy_seconds(const TrainingSet& set, std::size_t product, std::size_t phase, const Policy& policy) {
  if (!is_binned(set, product, policy))
    return seconds_of(whole(set, product, phase), policy, phase) + deciding(set, product, phase, false);
  double sum = deciding(set, product, phase, true);
  for (const Example& e : set.times[phase][product].bins) sum += seconds_of(e, policy, phase);
  return sum;
}

double forced_seconds(const TrainingSet& set, std::size_t product, std::size_t phase, CandidateId id) {
  const double forced = set.times[phase][product].forced[id];
  return forced > 0 ? forced + deciding(set, product, phase, true) : 0;
}

double graphblas_seconds(const TrainingSet& set, std::size_t product, std::size_t phase) {
  constexpr CandidateId hash = *candidate_named("hash"), dense = *candidate_named("dense");  // the families' first
  if (set.on_device()) return 0;  // which have no such vector
  double sum = deciding(set, product, phase, true);
  for (const Example& e : set.times[phase][product].bins)
    sum += e.seconds[chosen({graphblas_takes_hash(e.features) ? &hash : &dense, 1}, e)];
  return sum;
}

double random_seconds(const TrainingSet& set, std::size_t product, std::size_t phase) {
  double sum = deciding(set, product, phase, true);
  for (const Example& e : set.times[phase][product].bins) {
    double all = 0;
    int n = 0;
    for (const double s : e.seconds) all += s, n += s > 0 ? 1 : 0;
    sum += all / n;
  }
  return sum;
}

double best_seconds(const TrainingSet& set, std::size_t product, std::size_t phase) {
  const PhaseTimes& times = set.times[phase][product];
  double best = times.best_known_of_bins() + deciding(set, product, phase, true);
  for (const double all : times.all_rows)
    if (all > 0) best = std::min(best, all + deciding(set, product, phase, false));
  return best;
}

Regret regret_of(const std::vector<double>& ratios) {
  constexpr double kTail = 0.95;
  Regret r{.products = ratios.size()};
  if (ratios.empty()) return r;
  double logs = 0;
  for (const double x : ratios) logs += std::log(x);
  r.geomean = std::exp(logs / static_cast<double>(ratios.size()));
  const auto worst = std::max_element(ratios.begin(), ratios.end());
  r.worst = *worst, r.worst_product = static_cast<std::size_t>(worst - ratios.begin());
  std::vector<double> sorted = ratios;
  std::sort(sorted.begin(), sorted.end());
  r.p95 = sorted[static_cast<std::size_t>(std::ceil(kTail * static_cast<double>(sorted.size()))) - 1];
  return r;
}

double accuracy(const TrainingSet& set, std::size_t product, std::size_t phase, const Policy& policy) {
  constexpr double kMostNoise = 0.05;  // a noisy moment excuses no more
  double right = 0;
  for (const Example& e : set.times[phase][product].bins) {
    if (seconds_of(e, policy, phase) <= e.best_known() * (1 + std::min(e.noise, kMostNoise))) right += e.weight;
  }
  return right;
}

}  // namespace rowan::training
