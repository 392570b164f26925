#include "training/measure_device.hpp"

#include "lib/host/multiply.hpp"
#include "training/whole.hpp"

namespace rowan::training {
namespace {

/// What everything of a product is run and timed with.
struct DeviceBench {
  const DeviceTrial& trial;
  const MeasureRules& rules;

  [[nodiscard]] RaceRules race_rules(double share) const {
    constexpr double kLeast = 4e-4;  // waiting for a device takes 1e-5: it is to be little of what is timed
    RaceRules r = rules.race;
    r.seconds = share * rules.seconds, r.least = std::max(r.least, kLeast);
    return r;
  }
  /// Moments at which the device has nothing to do.
  [[nodiscard]] std::function<double()> clock() const {
    return [this] {
      trial.wait();
      return wall_clock();
    };
  }
};

/// A runner of one bin's race, and where its time goes: outcome 0 of the group decision is the candidate's own.
struct Entry {
  CandidateId id = 0;
  std::uint8_t group = 0;
};

/// All that can take the bin; those whose lanes walk rows of B with every number of lanes, too, where the bin counts.
std::vector<Entry> entries_of(const DeviceTrialBin& bin, double share) {
  constexpr double kCounts = 0.02;  // of the products: less is lost in the phase, whatever is chosen
  std::vector<Entry> all;
  for (std::size_t id = 0; id < kCandidates.size(); id++) {
    if (!bin.feasible[id]) continue;
    all.push_back({static_cast<CandidateId>(id), 0});
    if (bin.lanes[id] < 2 || share < kCounts) continue;
    for (std::size_t g = 1; g < kGroupNames.size(); g++)
      if (const auto group = static_cast<std::uint8_t>(g); group_of(group) <= bin.lanes[id])
        all.push_back({static_cast<CandidateId>(id), group});
  }
  return all;
}

void measure_bins(const DeviceBench& bench, ProductSample& sample, std::size_t p) {
  const std::vector<DeviceTrialBin>& bins = bench.trial.bins[p];
  for (std::size_t b = 0; b < bins.size(); b++) {
    const double share = static_cast<double>(bins[b].nprod) / static_cast<double>(sample.nprod);
    const std::vector<Entry> entries = entries_of(bins[b], share);
    std::vector<Runner> runners;
    for (const Entry& e : entries) {
      std::vector<std::optional<DevicePick>> picks(bins.size());
      picks[b] = DevicePick{e.id, group_of(e.group)};
      runners.push_back(bench.trial.prepare(static_cast<Phase>(p), picks));
    }
    const std::vector<Timing> times = race(runners, bench.race_rules(kBinShare[p] * share), bench.clock());
    BinSample bin{.label = bins[b].label, .rows = bins[b].rows, .nprod = bins[b].nprod, .features = bins[b].features};
    for (std::size_t i = 0; i < entries.size(); i++) {
      const auto [id, group] = entries[i];
      (group == 0 ? bin.times[id] : bin.group_times[id][group]) = times[i];
      sample.dropped += times[i].runs == 1 ? 1 : 0;
    }
    sample.phases[p].bins.push_back(std::move(bin));
  }
}

/// The candidate's fastest number of lanes; 0 where none is better than by the average row.
int best_lanes(const BinSample& bin, CandidateId id) {
  std::size_t best = 0;
  double least = bin.times[id].seconds;
  for (std::size_t g = 1; g < kGroupNames.size(); g++)
    if (const Timing& t = bin.group_times[id][g]; t.measured() && t.seconds < least) least = t.seconds, best = g;
  return group_of(static_cast<std::uint8_t>(best));
}

void measure_whole(const DeviceBench& bench, ProductSample& sample, std::size_t p) {
  PhaseSample& phase = sample.phases[p];
  if (phase.bins.empty()) return;  // nothing to count
  const auto forced = [&](CandidateId id) {
    const std::vector<std::optional<DevicePick>> picks(phase.bins.size(), DevicePick{id, 0});
    return bench.trial.prepare(static_cast<Phase>(p), picks);
  };
  const auto mixed = [&] {
    std::vector<std::optional<DevicePick>> picks;
    for (const BinSample& bin : phase.bins) {
      const CandidateId id = fastest(bin.times);
      picks.emplace_back(DevicePick{id, best_lanes(bin, id)});
    }
    return bench.trial.prepare(static_cast<Phase>(p), picks);
  };
  race_whole(phase, {forced, mixed}, bench.rules.absurd, bench.race_rules(kWholeShare[p]), bench.clock());
}

}  // namespace

LoadedPolicy every_candidate() {
  LoadedPolicy policy;
  policy.name = "every-candidate", policy.kind = "rules";
  const auto set = [&](Decision d, const std::vector<std::uint8_t>& ranked) {
    policy.trees[static_cast<std::size_t>(d)] = {
        .nodes = {Node{.less = 0, .other = static_cast<std::uint16_t>(ranked.size())}}, .ranked = ranked, .roots = {}};
  };
  std::vector<std::uint8_t> all;
  for (std::size_t id = 0; id < kCandidates.size(); id++) all.push_back(static_cast<std::uint8_t>(id));
  set(Decision::use_binning, {1});
  set(Decision::method, {static_cast<std::uint8_t>(Method::two_phase)});
  set(Decision::symbolic, all);
  set(Decision::numeric, all);
  set(Decision::group, {0});
  set(Decision::sampled, {kMeasure});
  return policy;
}

void measure_on_device(const DeviceEngine& device, const CsrView<double>& a, const CsrView<double>& b,
                       const MeasureRules& rules, ProductSample& sample) {
  const Inputs<double> in(a, b, true, Team());
  const DeviceTrial trial = device.on.of<double>().trial(in.a(), in.b(), &in.a() == &in.b());
  sample.rows = trial.rows, sample.nprod = trial.nprod, sample.features = trial.features;
  if (sample.nprod == 0) return;
  const DeviceBench bench{trial, rules};
  for (std::size_t p = 0; p < kPhases; p++) {
    measure_bins(bench, sample, p);
    measure_whole(bench, sample, p);
  }
}

}  // namespace rowan::training
