#pragma once
// A race: candidates multiply blocks of rows of one multiplication, each block timed. The fastest goes on, and now and
// then another is tried again, the rarer the slower it was. All leave the same bits, so the choice does not show in C.
// For rows of which nothing was measured: which of two kernels is faster there depends on how well a core predicts
// their branches, and no feature shows that.
#include <array>
#include <chrono>
#include <span>

#include "accumulators/candidates.hpp"

namespace rowan {

/// One worker's; one multiplication long.
class BlockRace {
 public:
  static constexpr std::size_t kMost = 4;  // contestants

  /// The contestant that takes the next block. O(contestants).
  [[nodiscard]] std::size_t next(std::size_t contestants) noexcept {
    turn_++;
    std::size_t pick = best_;
    for (std::size_t k = 0; k < contestants; k++)
      if (tries_[k] < kTries ? tries_[k] < tries_[pick] || tries_[pick] >= kTries : turn_ >= again_[k] && k != best_)
        pick = k;
    return pick;
  }
  /// What a block of `work` took contestant k.
  void took(std::size_t k, double seconds, std::int64_t work) noexcept {
    const double cost = seconds / static_cast<double>(work);
    // the first block finds a cold cache; a later one may be interrupted
    cost_[k] = tries_[k] <= 1 ? cost : kOld * cost_[k] + (1 - kOld) * std::min(cost, 2 * cost_[k]);
    tries_[k]++;
    for (std::size_t other = 0; other < kMost; other++)
      if (tries_[other] > 0 && cost_[other] < cost_[best_]) best_ = other;
    const double slower = cost_[k] / cost_[best_];
    again_[k] = turn_ + static_cast<std::int64_t>(kAgain * slower * slower * slower);
  }

 private:
  static constexpr int kTries = 2;      // blocks before a contestant is judged
  static constexpr double kOld = 0.75;  // weight of what is known of a contestant
  static constexpr double kAgain = 30;  // blocks until one that is as fast is tried again

  std::array<double, kMost> cost_{};
  std::array<int, kMost> tries_{};
  std::array<std::int64_t, kMost> again_{};
  std::size_t best_ = 0;
  std::int64_t turn_ = 0;
};

}  // namespace rowan
