#pragma once
// Stage timers.
#include <chrono>

namespace rowan {

/// Adds the wall time of a scope to a stage.
class Timer {
 public:
  explicit Timer(double& stage) : stage_(stage), start_(Clock::now()) {}
  ~Timer() { stage_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Timer(const Timer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& stage_;
  Clock::time_point start_;
};

}  // namespace rowan
