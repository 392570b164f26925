#pragma once
// The scheduler: oneTBB, which shares the machine's threads with the caller's own parallel work.
#include <algorithm>
#include <cstdint>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "lib/core/first_failure.hpp"

namespace rowan::scheduler {

/// Threads that work started here may use.
[[nodiscard]] inline int width() {
  return tbb::this_task_arena::max_concurrency();
}

/// Threads of oneTBB in all: the machine's, or what a tbb::global_control says.
[[nodiscard]] inline int most() {
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

/// An arena with a width of its own. Never wider than the machine: oneTBB would warn on standard error.
class Arena {
 public:
  explicit Arena(int threads) : arena_(std::min(threads, most())) {}
  template <class F>
  auto execute(const F& f) {
    return arena_.execute(f);
  }

 private:
  tbb::task_arena arena_;
};

namespace detail {

/// Every piece runs, even if the group of tasks that the caller is part of is cancelled.
template <class I, class F, class Partitioner>
void for_each(I n, const F& f, const Partitioner& partitioner) {
  FirstFailure failure;
  tbb::task_group_context apart(tbb::task_group_context::isolated);
  tbb::parallel_for(
      I{0}, n, [&](I i) { failure.run([&] { f(i); }); }, partitioner, apart);
  failure.rethrow();
}

}  // namespace detail

/// Calls f(i) for all i in [0, n); neighbours may go to one thread together.
template <class F>
void for_each(std::int64_t n, const F& f) {
  detail::for_each(n, f, tbb::auto_partitioner{});
}

/// The same, each i a task of its own.
template <class F>
void for_each_apart(int n, const F& f) {
  detail::for_each(n, f, tbb::simple_partitioner{});
}

/// Calls f(), which may wait for parallel work of its own: meanwhile this thread executes nothing that was begun
/// outside of f.
template <class F>
void isolated(const F& f) {
  tbb::this_task_arena::isolate(f);
}

}  // namespace rowan::scheduler
