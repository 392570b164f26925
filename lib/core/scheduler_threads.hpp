#pragma once
// The scheduler for ThreadSanitizer (ROWAN_SCHEDULER=threads): plain threads, started for every loop. The sanitizer
// does not see into a packaged oneTBB and reports races that are none.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "lib/core/first_failure.hpp"

namespace rowan::scheduler {

inline thread_local int t_width = 0;  // 0: outside of any arena

[[nodiscard]] inline int width() {
  return t_width != 0 ? t_width : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

class Arena {
 public:
  explicit Arena(int threads) : width_(threads) {}
  template <class F>
  auto execute(const F& f) const {
    const Inside inside(width_);
    return f();
  }

 private:
  struct Inside {
    explicit Inside(int threads) : before(std::exchange(t_width, threads)) {}
    Inside(const Inside&) = delete;
    ~Inside() { t_width = before; }
    int before;
  };
  int width_;
};

template <class F>
void for_each(std::int64_t n, const F& f) {
  const int threads = static_cast<int>(std::min<std::int64_t>(n, width()));
  std::atomic<std::int64_t> next = 0;
  FirstFailure failure;
  const auto work = [&] {
    for (std::int64_t i; (i = next++) < n;) failure.run([&] { f(i); });
  };
  {
    std::vector<std::jthread> others;
    others.reserve(static_cast<std::size_t>(std::max(0, threads - 1)));
    failure.run([&] {
      for (int t = 1; t < threads; t++) others.emplace_back([&, w = width()] { Arena(w).execute(work); });
    });
    work();
  }
  failure.rethrow();
}

template <class F>
void for_each_apart(int n, const F& f) {
  for_each(n, [&](std::int64_t i) { f(static_cast<int>(i)); });
}

/// Calls f(): plain threads execute nothing else while they wait.
template <class F>
void isolated(const F& f) {
  f();
}

}  // namespace rowan::scheduler
