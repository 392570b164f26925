#pragma once
// Whole phases, which hosts and devices measure alike: each candidate forced, and each bin's fastest.
#include "training/race.hpp"

namespace rowan::training {

using Runner = std::function<void()>;

/// The fastest that was measured.
[[nodiscard]] CandidateId fastest(const Timings& times) noexcept;

struct WholeRunners {
  std::function<Runner(CandidateId)> forced;  // all rows that it can take, its fallbacks for others
  std::function<Runner()> mixed;
};

/// Fills in phase.forced and phase.mixed; its bins were measured. Where a candidate's bins add up to `absurd` times the
/// best, their sum stands for its whole phase.
void race_whole(PhaseSample& phase, const WholeRunners& runners, double absurd, const RaceRules& rules,
                const std::function<double()>& clock = wall_clock);

}  // namespace rowan::training
