#pragma once
// Threads that wait for work for which all must run at the same time, where a loop's workers (parallel.hpp) need not:
// one for each device, and those that copy what travels. Waking one takes microseconds; making one, and what a
// device's runtime does for a new thread, up to a hundred.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace rowan {

class ParkedThreads {
 public:
  ParkedThreads() = default;
  ParkedThreads(const ParkedThreads&) = delete;
  ParkedThreads& operator=(const ParkedThreads&) = delete;
  ~ParkedThreads();

  /// Calls work(k) for k in [0, n) at the same time, each on a thread of its own, 0 on the caller's; returns when all
  /// have returned. Throws what the first of them threw, or std::system_error where the system has not as many
  /// threads: then work(k) was called by none. Any number of threads may call together, also from within work.
  void run(int n, const std::function<void(int)>& work);

 private:
  struct Job {
    const std::function<void(int)>* work;
    int next, end;  // numbers that no thread has yet
    int inside = 0;
  };
  void wait_for_work();

  std::mutex lock_;  // of what follows
  std::condition_variable posted_, left_;
  std::list<Job*> jobs_;
  int wanted_ = 0;  // threads by all jobs
  bool ends_ = false;
  std::vector<std::thread> threads_;
  std::atomic<std::uint32_t> posts_ = 0;
};

}  // namespace rowan
