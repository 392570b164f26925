#pragma once
// A few threads that do one job together and wait for each other, on devices that each keeps busy. Where one fails the
// others are told, instead of waiting for what will never come.
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "lib/core/parked_threads.hpp"

namespace rowan {

class Rendezvous {
 public:
  /// Thrown by waits once one of the threads has failed; run_together() catches it.
  struct Stopped {};

  /// Returns when `threads` have come here. Those who meet once meet each time, as many.
  void meet(int threads) {
    std::unique_lock lock(lock_);
    const std::uint64_t round = round_;
    if (++here_ == threads) {
      here_ = 0, round_++;
      changed_.notify_all();
    }
    wait(lock, [&] { return round_ != round; });
  }
  /// Changes what wait_until() looks at.
  template <class F>
  auto update(const F& change) {
    const std::lock_guard lock(lock_);
    struct NotifyAtEnd {
      std::condition_variable& changed;
      ~NotifyAtEnd() { changed.notify_all(); }
    } const at_end{changed_};
    return change();
  }
  /// Returns when `holds`, which is called under the lock.
  template <class F>
  void wait_until(const F& holds) {
    std::unique_lock lock(lock_);
    wait(lock, holds);
  }
  void fail() {
    update([&] { failed_ = true; });
  }

 private:
  template <class F>
  void wait(std::unique_lock<std::mutex>& lock, const F& holds) {
    changed_.wait(lock, [&] { return failed_ || holds(); });
    if (failed_) throw Stopped();
  }

  std::mutex lock_;  // of what follows
  std::condition_variable changed_;
  int here_ = 0;
  std::uint64_t round_ = 0;
  bool failed_ = false;
};

/// Calls f(k, rendezvous) for k in [0, n) at the same time, each on a thread of its own, 0 on the caller's. Returns
/// when all have ended; throws what the first of them threw.
template <class F>
void run_together(ParkedThreads& threads, int n, const F& f) {
  Rendezvous rendezvous;
  threads.run(n, [&](int k) {
    try {
      f(k, rendezvous);
    } catch (const Rendezvous::Stopped&) {
      (void)0;  // another one's failure
    } catch (...) {
      rendezvous.fail();
      throw;
    }
  });
}

}  // namespace rowan
