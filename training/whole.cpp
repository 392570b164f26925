#include "training/whole.hpp"

#include <optional>

namespace rowan::training {
namespace {

/// The bins' times with one candidate forced, and with each bin's fastest.
double sum_of_bins(const PhaseSample& phase, std::optional<CandidateId> forced) {
  double sum = 0;
  for (const BinSample& bin : phase.bins)
    sum += bin.times[forced ? measured_or_fallback(*forced, bin.times) : fastest(bin.times)].seconds;
  return sum;
}

}  // namespace

CandidateId fastest(const Timings& times) noexcept {
  std::size_t best = kCandidates.size();
  for (std::size_t id = 0; id < times.size(); id++)
    if (times[id].measured() && (best == times.size() || times[id].seconds < times[best].seconds)) best = id;
  return static_cast<CandidateId>(best);
}

void race_whole(PhaseSample& phase, const WholeRunners& runners, double absurd, const RaceRules& rules,
                const std::function<double()>& clock) {
  std::vector<Runner> racing;
  std::vector<CandidateId> ids;
  for (std::size_t id = 0; id < kCandidates.size(); id++) {
    bool anywhere = false;  // elsewhere it is another one's fallbacks and nothing of its own
    for (const BinSample& bin : phase.bins) anywhere = anywhere || bin.times[id].measured();
    if (!anywhere) continue;
    const double sum = sum_of_bins(phase, static_cast<CandidateId>(id));
    if (sum > absurd * sum_of_bins(phase, std::nullopt)) {
      phase.forced[id] = {.seconds = sum, .noise = 0, .runs = 1};
      continue;
    }
    ids.push_back(static_cast<CandidateId>(id));
    racing.push_back(runners.forced(ids.back()));
  }
  racing.push_back(runners.mixed());
  const std::vector<Timing> times = race(racing, rules, clock);
  for (std::size_t i = 0; i < ids.size(); i++) phase.forced[ids[i]] = times[i];
  phase.mixed = times.back();
}

}  // namespace rowan::training
