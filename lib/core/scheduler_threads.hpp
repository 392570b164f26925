#pragma once
// The scheduler for ThreadSanitizer (ROWAN_SCHEDULER=threads): plain threads, started for every loop. The sanitizer
// does not see into a packaged oneTBB and reports races that are none.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

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
  std::mutex failing;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::int64_t i; (i = next++) < n;) f(i);
    } catch (...) {
      next = n;
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; t++) others.emplace_back([&, w = width()] { Arena(w).execute(work); });
  work();
  for (std::thread& t : others) t.join();
  if (failure) std::rethrow_exception(failure);
}

template <class F>
void for_each_apart(int n, const F& f) {
  for_each(n, [&](std::int64_t i) { f(static_cast<int>(i)); });
}

}  // namespace rowan::scheduler
