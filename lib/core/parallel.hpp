#pragma once
// Parallel loops, and the only interface to the scheduler that runs them. A Team of one never touches it, so small
// multiplications wake no thread.
#include <algorithm>
#include <cstdint>
#include <memory>

#ifdef ROWAN_SCHEDULER_THREADS
#include "lib/core/scheduler_threads.hpp"
#else
#include "lib/core/scheduler_tbb.hpp"
#endif

namespace rowan {

class Team {
 public:
  /// `threads` workers at most; 0 takes what the caller's arena offers and runs inside it.
  explicit Team(int threads = 0) : size_(threads == 0 ? scheduler::width() : threads) {
    if (threads > 1) arena_ = std::make_shared<scheduler::Arena>(threads);
  }

  [[nodiscard]] int size() const noexcept { return size_; }

  /// Calls f(worker) once for each worker in [0, size()), on the threads that are free. A call may wait for work
  /// that another call has taken, never for one that has not begun.
  template <class F>
  void run(const F& f) const {
    if (size_ == 1) return f(0);
    in_arena([&] { scheduler::for_each_apart(size_, f); });
  }

  /// Calls f(begin, end) for [0, n) cut into pieces of `grain`; where the cuts are does not depend on the team.
  template <class F>
  void for_blocks(std::int64_t n, std::int64_t grain, const F& f) const {
    const std::int64_t blocks = (n + grain - 1) / grain;
    const auto block = [&](std::int64_t b) { f(b * grain, std::min(n, (b + 1) * grain)); };
    if (size_ == 1 || blocks <= 1)
      for (std::int64_t b = 0; b < blocks; b++) block(b);
    else
      in_arena([&] { scheduler::for_each(blocks, block); });
  }

 private:
  template <class F>
  void in_arena(const F& f) const {
    if (arena_)
      arena_->execute(f);
    else
      f();
  }

  int size_;
  std::shared_ptr<scheduler::Arena> arena_;  // shared: a Team is copied by value
};

}  // namespace rowan
