#include "training/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "lib/host/in_context.hpp"

namespace rowan::training {
namespace {

using Factors = CandidateSeconds;

/// Sum of the bins' times with one candidate forced, each bin's by whoever does it then.
double forced_sum(const PhaseSample& phase, CandidateId id, const Factors& factors) {
  double sum = 0;
  for (const BinSample& bin : phase.bins) {
    const CandidateId does = measured_or_fallback(id, bin.times);
    sum += bin.times[does].seconds * factors[does];
  }
  return sum;
}

Factors corrections(const PhaseSample& phase) {
  const auto seconds = [](const Timings& times) {
    CandidateSeconds all{};
    for (std::size_t id = 0; id < all.size(); id++) all[id] = times[id].measured() ? times[id].seconds : 0;
    return all;
  };
  std::vector<CandidateSeconds> bins;
  for (const BinSample& bin : phase.bins) bins.push_back(seconds(bin.times));
  return context_factors(bins, seconds(phase.forced));
}

int pairs_alike(const PhaseSample& phase, const Factors& factors, int* pairs) {
  int alike = 0, all = 0;
  for (std::size_t x = 0; x < kCandidates.size(); x++)
    for (std::size_t y = 0; y < x; y++) {
      const Timing &a = phase.forced[x], &b = phase.forced[y];
      if (!a.measured() || !b.measured()) continue;
      const double apart = std::abs(std::log(a.seconds / b.seconds));
      if (apart <= a.noise + b.noise) continue;
      all++;
      const double sum_a = forced_sum(phase, static_cast<CandidateId>(x), factors),
                   sum_b = forced_sum(phase, static_cast<CandidateId>(y), factors);
      alike += (sum_a < sum_b) == (a.seconds < b.seconds) ? 1 : 0;
    }
  if (pairs != nullptr) *pairs = all;
  return alike;
}

}  // namespace

double Example::best() const noexcept {
  double least = std::numeric_limits<double>::infinity();
  for (const double s : seconds)
    if (s > 0) least = std::min(least, s);
  return least;
}

double Example::best_known() const noexcept {
  double least = best();
  for (const auto& times : by_group)
    for (const double s : times)
      if (s > 0) least = std::min(least, s);
  return least;
}

double Example::seconds_of(std::size_t id, std::uint8_t group) const noexcept {
  for (std::size_t g = group; g > 0; g--)
    if (by_group[id][g] > 0) return by_group[id][g];
  return seconds[id];
}

double PhaseTimes::best_of_bins() const noexcept {
  double sum = 0;
  for (const Example& e : bins) sum += e.best();
  return sum;
}

double PhaseTimes::best_known_of_bins() const noexcept {
  double sum = 0;
  for (const Example& e : bins) sum += e.best_known();
  return sum;
}

PhaseTimes phase_times(const ProductSample& sample, std::size_t phase, std::size_t product) {
  constexpr double kLeastNoise = 0.01;  // a clock and a machine are never better
  const PhaseSample& p = sample.phases[phase];
  const Factors factors = corrections(p);
  PhaseTimes times;
  times.mixed = p.mixed.seconds;
  for (const BinSample& bin : p.bins) {
    Example e{.features = bin.features, .product = product};
    std::size_t best = kCandidates.size();
    for (std::size_t id = 0; id < kCandidates.size(); id++) {
      e.seconds[id] = bin.times[id].seconds * factors[id];
      for (std::size_t g = 1; g < kGroupNames.size(); g++)
        e.by_group[id][g] = bin.group_times[id][g].seconds * factors[id];
      if (e.feasible(id) && (best == kCandidates.size() || e.seconds[id] < e.seconds[best])) best = id;
    }
    e.noise = std::max(kLeastNoise, bin.times[best].noise);
    times.bins.push_back(e);
  }
  const double all = times.best_of_bins();
  for (Example& e : times.bins) e.weight = e.best() / all;
  for (std::size_t id = 0; id < kCandidates.size(); id++) {
    times.forced[id] = p.forced[id].seconds;
    if (sample.takes_all[id]) times.all_rows[id] = p.forced[id].seconds;
  }
  return times;
}

Concordance concordance(const ProductSample& sample, std::size_t phase) {
  const PhaseSample& p = sample.phases[phase];
  Factors none;
  none.fill(1);
  Concordance c;
  c.before = pairs_alike(p, none, &c.pairs);
  c.after = pairs_alike(p, corrections(p), nullptr);
  if (p.mixed.measured()) c.sum_over_mixed = phase_times(sample, phase, 0).best_of_bins() / p.mixed.seconds;
  return c;
}

TrainingSet::TrainingSet(std::vector<ProductSample> measured) : samples(std::move(measured)) {
  for (std::size_t p = 0; p < kPhases; p++)
    for (std::size_t i = 0; i < samples.size(); i++) times[p].push_back(phase_times(samples[i], p, i));
}

std::set<std::string> TrainingSet::machines() const {
  std::set<std::string> names;
  for (const ProductSample& s : samples) names.insert(s.machine);
  return names;
}

Products all_of(const TrainingSet& set) {
  Products all(set.samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<Products> folds_by_family(const TrainingSet& set, const Products& products, std::size_t groups) {
  std::map<std::string, Products> families;
  for (const std::size_t i : products) families[set.samples[i].family].push_back(i);
  std::vector<Products> by_size;
  by_size.reserve(families.size());
  for (auto& [name, members] : families) by_size.push_back(std::move(members));
  std::stable_sort(by_size.begin(), by_size.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<Products> folds(std::min(groups, by_size.size()));
  for (const Products& members : by_size) {  // the largest first, each to the smallest group
    auto& to =
        *std::min_element(folds.begin(), folds.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    to.insert(to.end(), members.begin(), members.end());
  }
  return folds;
}

Products without(const Products& all, const Products& some) {
  const std::set<std::size_t> out(some.begin(), some.end());
  Products left;
  for (const std::size_t i : all)
    if (!out.contains(i)) left.push_back(i);
  return left;
}

CandidateId chosen(std::span<const std::uint8_t> ranked, const Example& example) {
  for (const CandidateId id : ranked)
    if (example.feasible(id)) return id;
  // what has no limits is not measured where devices do not have it
  CandidateId id =
      along_fallbacks(ranked.front(), [&](CandidateId other) { return example.feasible(other); }).value_or(kLastResort);
  for (std::size_t any = 0; !example.feasible(id) && any < kCandidates.size(); any++)
    if (example.feasible(any)) id = static_cast<CandidateId>(any);
  return id;
}

}  // namespace rowan::training
