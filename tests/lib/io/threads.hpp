#pragma once

#include <cstddef>

#include "lib/core/parallel.hpp"

#ifndef ROWAN_SCHEDULER_THREADS
#include <tbb/global_control.h>
#endif

namespace rowan::test {

/// The result of f(), which has that many threads to work with even where there are fewer cores.
template <class F>
auto with_threads(int threads, const F& f) {
#ifndef ROWAN_SCHEDULER_THREADS
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
#endif
  scheduler::Arena arena(threads);
  return arena.execute(f);
}

}  // namespace rowan::test
