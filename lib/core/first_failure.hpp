#pragma once
// Exceptions of pieces of work that run in parallel.
#include <atomic>
#include <exception>

namespace rowan {

/// Keeps the first exception of several pieces; pieces that begin after it are left out. The scheduler never sees it:
/// oneTBB would cancel the group of tasks, and with it silently the loops that other pieces have under way, those of a
/// user's callback included.
class FirstFailure {
 public:
  template <class F>
  void run(const F& piece) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      piece();
    } catch (...) {
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
  }
  /// After all pieces have ended.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;  // written by the first that failed, read after all have ended
};

}  // namespace rowan
