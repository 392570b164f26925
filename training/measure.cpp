// Bins are timed one after another, each by every candidate that can take it. The truth is the whole phase, where bins
// alternate row by row: it is timed with each candidate forced, and with every bin's fastest.
#include "training/measure.hpp"

#include <memory>

#include "lib/host/phases.hpp"
#include "lib/host/trial.hpp"
#include "models/embedded.hpp"
#include "training/fingerprint.hpp"
#include "training/measure_sampled.hpp"
#include "training/whole.hpp"
#include <rowan/error.hpp>

namespace rowan::training {
namespace {

/// What a phase runs in, and how often it is run.
struct Bench {
  const Inputs<double>& in;
  Decided& decided;
  const Options& options;
  const MeasureRules& rules;
  Array<Offset> row_ptr;
  CStorage<double> storage;

  [[nodiscard]] RaceRules race_rules(double share) const {
    RaceRules r = rules.race;
    r.seconds = share * rules.seconds;
    return r;
  }
  /// The whole phase with the choices that the record holds now.
  [[nodiscard]] std::function<void()> whole(Phase phase) {
    const auto work = std::make_shared<PhasePlan<double>>(in.a(), in.b(), decided, phase, Team(1), kNoLimit / 2);
    return [this, phase, work] {
      Monitor monitor(options);
      monitor.begin(in.a().rows);
      if (phase == Phase::symbolic)
        count_rows(*work, row_ptr.data(), monitor);
      else
        static_cast<void>(fill_rows(*work, {row_ptr.data(), storage.col.data(), storage.val.data()}, monitor));
    };
  }
};

std::vector<CandidateId> feasible(const Extent& extent) {
  std::vector<CandidateId> list;
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    if (kCandidates[id].feasible(extent)) list.push_back(static_cast<CandidateId>(id));
  return list;
}

void measure_bins(Bench& bench, ProductSample& sample) {
  const auto& decisions = bench.decided.record.decisions;
  for (std::size_t b = 0; b < decisions.size(); b++) {
    const BinDecision& d = decisions[b];
    if (d.bin.key.empty()) continue;
    const double share = static_cast<double>(d.bin.tally.nprod) / static_cast<double>(sample.nprod);
    const std::vector<CandidateId> ids = feasible(d.extent);
    BinTrial<double> trial(bench.in, bench.decided, b);
    for (std::size_t p = 0; p < kPhases; p++) {
      BinSample bin{.label = d.bin.key.label(),
                    .rows = d.bin.tally.rows,
                    .nprod = d.bin.tally.nprod,
                    .features = d.features,
                    .times = {}};
      std::vector<std::function<void()>> runners;
      for (const CandidateId id : ids) {
        trial.prepare(id);
        runners.emplace_back([&trial, id, phase = static_cast<Phase>(p)] { trial.run(phase, id); });
      }
      const std::vector<Timing> times = race(runners, bench.race_rules(kBinShare[p] * share));
      for (std::size_t i = 0; i < ids.size(); i++) {
        bin.times[ids[i]] = times[i];
        sample.dropped += times[i].runs == 1 ? 1 : 0;
      }
      sample.phases[p].bins.push_back(std::move(bin));
    }
  }
}

void measure_whole(Bench& bench, ProductSample& sample) {
  Record& record = bench.decided.record;
  for (std::size_t p = 0; p < kPhases; p++) {
    PhaseSample& phase = sample.phases[p];
    const auto forced = [&](CandidateId id) {
      decide_bins(bench.decided.measured, kCandidates[id].name, record);
      return bench.whole(static_cast<Phase>(p));
    };
    const auto mixed = [&] {
      std::size_t next = 0;
      for (BinDecision& d : record.decisions)
        if (!d.bin.key.empty()) d.symbolic.chosen = d.numeric.chosen = fastest(phase.bins[next++].times);
      return bench.whole(static_cast<Phase>(p));
    };
    race_whole(phase, {forced, mixed}, bench.rules.absurd, bench.race_rules(kWholeShare[p]));
  }
}

/// Seconds that deciding takes with all rows as one bin, and with bins.
void measure_deciding(const Bench& bench, ProductSample& sample) {
  const Measured& measured = bench.decided.measured;
  Record binned{.policy = bench.decided.record.policy, .bins = {}, .decisions = {}};
  Record one{.policy = bench.decided.record.policy, .bins = {}, .decisions = {}};
  binned.bins.bins = bench.decided.record.bins.bins;
  one.bins = one_bin(measured.all);
  RaceRules rules = bench.race_rules(1);
  rules.hopeless = std::numeric_limits<double>::infinity();
  const std::vector<Timing> times =
      race({[&] { decide_bins(measured, "", one); }, [&] { decide_bins(measured, "", binned); }}, rules);
  sample.deciding = {times[0].seconds, times[1].seconds};
}

}  // namespace

std::string hash_of(const CsrView<double>& a, const CsrView<double>& b) {
  const Team team;
  const Inputs<double> in(a, b, true, team);
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = fingerprint(in.a(), in.a().nnz(), team) * kOdd + fingerprint(in.b(), in.b().nnz(), team);
  std::string text;
  for (int i = 0; i < 16; i++, hash >>= 4) text.insert(text.begin(), "0123456789abcdef"[hash & 15]);
  return text;
}

void measure_product(const CsrView<double>& a, const CsrView<double>& b, const MeasureRules& rules,
                     ProductSample& sample) {
  const Team team;
  const Options options{.threads = 1};
  const Inputs<double> in(a, b, true, team);
  Decided decided;
  decided.measured = measure(in.a(), in.b(), team);
  Measured& measured = decided.measured;
  measured.compression_ratio = sample_compression(in.a(), in.b(), measured);
  decided.record = decide_matrix(measured, embedded_policies().front());
  decided.record.binned = true;
  sample.rows = in.a().rows, sample.nprod = measured.all.nprod, sample.features = decided.record.features;

  if (sample.nprod == 0) return;
  Record one{.policy = decided.record.policy, .bins = one_bin(measured.all), .decisions = {}};
  decide_bins(measured, "", one);
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    sample.takes_all[id] = kCandidates[id].feasible(one.decisions.front().extent);
  bin(measured, decided.record);
  decide_bins(measured, "", decided.record);

  std::optional<CStorage<double>> storage = CStorage<double>::reserve(measured.all.bound);
  if (!storage)
    throw Error(ErrorCode::out_of_memory,
                "C's upper bound of " + std::to_string(measured.all.bound) + " entries could not be reserved");
  Bench bench{.in = in,
              .decided = decided,
              .options = options,
              .rules = rules,
              .row_ptr = Array<Offset>(in.a().rows + 1),
              .storage = std::move(*storage)};
  bench.row_ptr[0] = 0;
  measure_deciding(bench, sample);
  measure_bins(bench, sample);
  measure_whole(bench, sample);
  measure_sampled(a, b, bench.race_rules(kSampledShare), sample);
}

}  // namespace rowan::training
