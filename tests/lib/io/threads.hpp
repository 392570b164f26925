#pragma once

#include <cstddef>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace rowan::test {

/// The result of f(), which has that many threads to work with even where there are fewer cores.
template <class F>
auto with_threads(int threads, const F& f) {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  return arena.execute(f);
}

}  // namespace rowan::test
