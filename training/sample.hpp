#pragma once
// What was measured of one product: for each phase the bins with every feasible candidate's time, and the whole phase.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "accumulators/candidates.hpp"
#include "features/feature.hpp"
#include "lib/host/in_context.hpp"
#include "models/policy.hpp"

namespace rowan::training {

inline constexpr std::size_t kPhases = 2;
inline constexpr std::size_t kNumeric = 1;  // the one that every multiplication has: ways are judged by it
inline constexpr std::array<std::string_view, kPhases> kPhaseNames{
    kDecisionNames[static_cast<std::size_t>(Decision::symbolic)],
    kDecisionNames[static_cast<std::size_t>(Decision::numeric)]};

/// The least of several runs; `noise` is how far their median lies above it, as a share. runs == 0: not measured.
struct Timing {
  double seconds = 0;
  double noise = 0;
  int runs = 0;

  [[nodiscard]] constexpr bool measured() const noexcept { return runs != 0; }
};

[[nodiscard]] constexpr bool was_measured(const Timing& t) noexcept {
  return t.measured();
}

/// By candidate; one that is not feasible was not measured.
using Timings = std::array<Timing, kCandidates.size()>;

/// By outcome of the group decision: so many lanes walk one row of B. [0], by the average row, is the candidate's time.
using GroupTimings = std::array<Timing, kGroupNames.size()>;

struct BinSample {
  std::string label = {};
  std::int64_t rows = 0, nprod = 0;
  FeatureVector features{};
  Timings times = {};                                             // of the bin's rows alone
  std::array<GroupTimings, kCandidates.size()> group_times = {};  // on devices, where lanes walk
};

struct PhaseSample {
  std::vector<BinSample> bins = {};  // those with products
  Timings forced = {};  // of the whole phase: one candidate for all rows that it can take, its fallbacks for others
  Timing mixed = {};    // of the whole phase: each bin by its fastest
};

/// Whole products without measuring rows, by outcome of that decision: by one candidate, or [kMeasure] with every row
/// measured. Of hosts, where rows are few and short enough for it to be asked.
struct SampledTimes {
  FeatureVector features{};  // of the sample, with what counting products tells
  std::array<Timing, kMeasure + 1> times{};
};

struct ProductSample {
  std::string name = {}, family = {};
  std::string backend = {};             // the device's; empty: the host
  int wave = 0;                         // of a device
  std::string machine = {}, date = {};  // the device's name where there is one
  std::string hash = {};                // of both patterns
  std::int64_t rows = 0, nprod = 0;
  FeatureVector features{};                          // of all rows as one bin
  std::array<bool, kCandidates.size()> takes_all{};  // candidates that are feasible for all rows as one bin
  std::array<double, 2> deciding{};                  // seconds to decide for all rows as one bin, and for bins
  std::array<PhaseSample, kPhases> phases = {};
  SampledTimes sampled = {};
  int dropped = 0;  // candidates that were given up after their first run: they could not win
};

}  // namespace rowan::training
