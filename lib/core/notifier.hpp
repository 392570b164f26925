#pragma once
// Only this calls a user's callback while work is running.
#include <atomic>
#include <cstdint>
#include <functional>

#include "lib/core/parallel.hpp"

namespace rowan {

/// Calls a callback with the share of work done: rising, from one thread at a time, never from within itself.
///
/// A callback may use oneTBB, or this library, and their waits may execute other tasks. Two things make that safe. The
/// callback runs isolated, so a wait inside it executes none of the work around it. And the notifying worker holds
/// nothing that other workers wait for (no lock, no piece taken and not passed on), so work that goes on during the
/// callback, on this thread (a callback may leave the isolation by entering an arena) or another, never waits for its
/// end. After a callback threw, it is not called again.
class Notifier {
 public:
  explicit Notifier(const std::function<void(double)>& callback) : callback_(callback) {}

  /// Passes share() on, if it is more than before. Returns immediately if the callback is running: the thread that runs
  /// it looks again afterwards, so the last share is always passed on.
  template <class Share>
  void notify(const Share& share) {
    if (!callback_ || calls_.fetch_add(1) != 0) return;
    for (std::int64_t seen = 1;;) {
      if (const double now = share(); now > reported_) scheduler::isolated([&] { callback_(reported_ = now); });
      if (calls_.compare_exchange_strong(seen, 0)) return;
    }
  }

 private:
  const std::function<void(double)>& callback_;
  std::atomic<std::int64_t> calls_ = 0;  // calls since the callback began to run; 0: it is not running
  double reported_ = 0;                  // belongs to the thread that runs the callback
};

}  // namespace rowan
