#pragma once
// Robust timing of alternatives.
#include <functional>
#include <limits>
#include <vector>

#include "training/sample.hpp"

namespace rowan::training {

struct RaceRules {
  int repeats = 5;
  double hopeless = 3;  // times slower than the fastest, twice: not run again
  double long_run = 1;  // seconds: a run as long as this is not repeated
  double least = 2e-4;  // seconds: shorter runs are repeated in a row, and averaged
  double seconds = std::numeric_limits<double>::infinity();  // no new round after this time
};

/// Seconds from any moment on.
[[nodiscard]] double wall_clock();

/// A first round warms up, and drops what cannot be the fastest; then rounds in which each runs once, so that a slow
/// moment of the machine affects all. Each has run at least once.
[[nodiscard]] std::vector<Timing> race(const std::vector<std::function<void()>>& runners, const RaceRules& rules,
                                       const std::function<double()>& clock = wall_clock);

}  // namespace rowan::training
