#pragma once
// Measurements that were never measured: times by a rule, so that what a fit should find is known.
#include <string>
#include <vector>

#include "tests/support/random.hpp"
#include "training/sample.hpp"

namespace rowan::test {

/// The candidate that the rule below makes fastest.
[[nodiscard]] inline CandidateId made_up_best(const FeatureVector& f) {
  return *candidate_named(f[index(Feature::nprod_max)] < 100 ? "sort" : "dense-window");
}

inline void make_up_times(training::BinSample& bin) {
  const double fast = 1e-6 * static_cast<double>(bin.nprod);
  for (const char* name : {"sort", "dense-window", "hash"}) {
    const CandidateId id = *candidate_named(name);
    if (id == *candidate_named("sort") && bin.features[index(Feature::nprod_max)] > 512) continue;
    bin.times[id] = {.seconds = id == made_up_best(bin.features) ? fast : 1.5 * fast, .noise = 0.01, .runs = 5};
  }
}

/// `n` products of ten families, three bins each.
[[nodiscard]] inline std::vector<training::ProductSample> made_up_samples(std::size_t n, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<training::ProductSample> samples;
  for (std::size_t i = 0; i < n; i++) {
    training::ProductSample s{.name = "p" + std::to_string(i),
                              .family = "f" + std::to_string(i % 10),
                              .machine = "a machine",
                              .date = "2026-01-01",
                              .hash = std::to_string(i)};
    s.rows = 300;
    s.deciding = {1e-7, 2e-7};
    for (int b = 0; b < 3; b++) {
      training::BinSample bin{.label = "bin", .rows = 100, .nprod = 1000};
      for (float& v : bin.features) v = static_cast<float>(random.below(1000));
      bin.features[index(Feature::nprod_max)] = static_cast<float>(1 + random.below(b == 0 ? 100 : 1000));
      make_up_times(bin);
      s.nprod += bin.nprod;
      for (training::PhaseSample& phase : s.phases) phase.bins.push_back(bin);
      s.features = bin.features;
    }
    s.features[index(Feature::nprod_max)] = 1000;
    s.features[index(Feature::nprod)] = 1e5F;  // fewer are not binned whatever they take
    for (training::PhaseSample& phase : s.phases) {
      for (const char* name : {"sort", "dense-window", "hash"}) {
        const CandidateId id = *candidate_named(name);
        double sum = 0;
        for (const training::BinSample& bin : phase.bins) sum += bin.times[measured_or_fallback(id, bin.times)].seconds;
        phase.forced[id] = {.seconds = sum, .noise = 0.01, .runs = 5};
        s.takes_all[id] = id != *candidate_named("sort");
      }
      phase.mixed = {.seconds = 3e-3, .noise = 0.01, .runs = 5};
    }
    samples.push_back(s);
  }
  return samples;
}

/// What sampling tells of it: dense-spa is twice as fast as measuring rows on products of compression 3 and more.
inline void make_up_sampled(training::ProductSample& s, float compression) {
  s.sampled.features = s.features;
  s.sampled.features[index(Feature::compression_ratio)] = compression;
  const auto timing = [](double seconds) { return training::Timing{.seconds = seconds, .noise = 0.01, .runs = 5}; };
  s.sampled.times[*candidate_named("dense-spa")] = timing(compression >= 3 ? 1e-3 : 4e-3);
  s.sampled.times[kMeasure] = timing(2e-3);
}

/// The same of a device with waves of 64: dense-rank in dense-window's place, which is twice as fast with eight lanes
/// to a row of B where those are long, and half as fast where they are short.
[[nodiscard]] inline std::vector<training::ProductSample> made_up_on_device(std::size_t n) {
  constexpr std::uint8_t kEight = 4;  // of kGroupNames
  const CandidateId window = *candidate_named("dense-window"), rank = *candidate_named("dense-rank");
  std::vector<training::ProductSample> samples = made_up_samples(n);
  for (training::ProductSample& s : samples) {
    s.backend = "emulated", s.wave = 64, s.machine = "a device", s.deciding = {}, s.takes_all = {};
    for (training::PhaseSample& phase : s.phases) {
      std::swap(phase.forced[window], phase.forced[rank]);
      for (training::BinSample& bin : phase.bins) {
        std::swap(bin.times[window], bin.times[rank]);
        training::Timing& eight = bin.group_times[rank][kEight] = bin.times[rank];
        eight.seconds *= bin.features[index(Feature::b_row_avg)] >= 500 ? 0.5 : 2;
      }
    }
  }
  return samples;
}

}  // namespace rowan::test
