#pragma once
// The scheduler: oneTBB, which shares the machine's threads with the caller's own parallel work.
#include <cstdint>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace rowan::scheduler {

/// Threads that work started here may use.
[[nodiscard]] inline int width() {
  return tbb::this_task_arena::max_concurrency();
}

/// A place of its own width to work in: arena.execute(f).
using Arena = tbb::task_arena;

/// Calls f(i) for all i in [0, n); neighbours may go to one thread together.
template <class F>
void for_each(std::int64_t n, const F& f) {
  tbb::parallel_for(std::int64_t{0}, n, f);
}

/// The same, each i a task of its own.
template <class F>
void for_each_apart(int n, const F& f) {
  tbb::parallel_for(0, n, f, tbb::simple_partitioner{});
}

}  // namespace rowan::scheduler
