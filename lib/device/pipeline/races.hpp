#pragma once
// Which way of multiplying takes less time for products of one size, by times of such products: products are mostly
// repeated, and no rule about sizes knows whether a launch that neither measures nor chooses suits their rows.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>

namespace rowan::device {

enum class Way : std::uint8_t { one_launch, two_phases };

/// Times of products by their sizes: of the last kPlaces of them, about. Any number of threads may use it.
class Races {
 public:
  struct Turn {
    Way way;
    bool timed;  // its time is wanted
  };

  /// How the next product of these sizes is to be made. `likely`: seconds that two phases are likely to take; where one
  /// launch takes less, there is no race.
  [[nodiscard]] Turn next(std::uint64_t sizes, double likely) const {
    const std::scoped_lock lock(mutex_);
    const Race& race = places_[sizes % kPlaces];
    if (race.sizes != sizes) return {Way::one_launch, false};
    const auto& [launch, phases] = race.runners;
    if (launch.made < kWarmLaunch + kTimed) return {Way::one_launch, launch.made >= kWarmLaunch};
    if (launch.best <= likely) return {Way::one_launch, false};
    if (phases.made < kWarmPhases + kTimed) return {Way::two_phases, phases.made >= kWarmPhases};
    return {phases.best < kClearly * launch.best ? Way::two_phases : Way::one_launch, false};
  }
  /// A product was made so. `seconds`: 0 where it was not timed.
  void note(std::uint64_t sizes, Way way, double seconds) {
    const std::scoped_lock lock(mutex_);
    Race& race = places_[sizes % kPlaces];
    if (race.sizes != sizes) race = {.sizes = sizes, .runners = {}};
    Runner& runner = race.runners[static_cast<std::size_t>(way)];
    runner.made = std::min(runner.made + 1, kEnough);
    if (seconds > 0) runner.best = std::min(runner.best, seconds);
  }

 private:
  // the first takes memory and loads kernels; two phases assume sums from the third on (speculate.hpp)
  static constexpr int kWarmLaunch = 1, kWarmPhases = 2, kTimed = 2, kEnough = 8;
  static constexpr double kClearly = 0.95;
  static constexpr std::size_t kPlaces = 256;
  struct Runner {
    int made = 0;
    double best = std::numeric_limits<double>::infinity();
  };
  struct Race {
    std::uint64_t sizes = 0;
    std::array<Runner, 2> runners = {};
  };
  mutable std::mutex mutex_;
  std::array<Race, kPlaces> places_ = {};
};

}  // namespace rowan::device
