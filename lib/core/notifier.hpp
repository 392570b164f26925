#pragma once
// The one place that calls a user's callback while work is under way.
#include <atomic>
#include <cstdint>
#include <functional>

#include "lib/core/parallel.hpp"

namespace rowan {

/// Tells a callback the share of work done: rising, from one thread at a time, never from within itself.
///
/// A callback may use oneTBB, or this library, whose waits take up other tasks. Two things keep that from harm. The
/// callback runs isolated, so a wait inside it takes up none of the work around it. And whoever tells holds nothing
/// that other workers wait for (no lock, no piece taken and not passed on), so work that goes on while the callback
/// runs, on this thread (a callback may leave the isolation by entering an arena) or another, never waits for its end.
/// After a callback that threw nothing more is told.
class Notifier {
 public:
  explicit Notifier(const std::function<void(double)>& callback) : callback_(callback) {}

  /// Tells share() where it is more than was told. Returns at once where the callback is running: whoever runs it asks
  /// again afterwards, so the last share is always told.
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
  std::atomic<std::int64_t> calls_ = 0;  // not 0: the callback is running, and so often it was asked to
  double reported_ = 0;                  // belongs to whoever is telling
};

}  // namespace rowan
