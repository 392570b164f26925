#include "lib/core/parked_threads.hpp"

#include <chrono>

#include "lib/core/first_failure.hpp"

namespace rowan {
namespace {

/// A thread looks for so long for the next work before it sleeps: copies come one after another.
constexpr auto kLooks = std::chrono::microseconds(100);

}  // namespace

ParkedThreads::~ParkedThreads() {
  {
    const std::lock_guard lock(lock_);
    ends_ = true;
  }
  posted_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void ParkedThreads::run(int n, const std::function<void(int)>& work) {
  FirstFailure failure;
  const std::function<void(int)> guarded = [&](int k) { failure.run([&] { work(k); }); };
  if (n > 1) {
    Job job{&guarded, 1, n};
    std::unique_lock lock(lock_);
    wanted_ += n - 1;
    try {
      // all jobs run at the same time, whatever they wait for in each other
      while (static_cast<int>(threads_.size()) < wanted_) threads_.emplace_back([this] { wait_for_work(); });
    } catch (...) {
      wanted_ -= n - 1;
      throw;
    }
    jobs_.push_back(&job);
    posts_++;
    lock.unlock();
    posted_.notify_all();
    guarded(0);
    lock.lock();
    left_.wait(lock, [&] { return job.next == job.end && job.inside == 0; });
    wanted_ -= n - 1;
  } else if (n == 1) {
    guarded(0);
  }
  failure.rethrow();
}

void ParkedThreads::wait_for_work() {
  std::unique_lock lock(lock_);
  while (true) {
    if (jobs_.empty() && !ends_) {
      const std::uint32_t seen = posts_;
      lock.unlock();
      for (const auto until = std::chrono::steady_clock::now() + kLooks;
           posts_ == seen && std::chrono::steady_clock::now() < until;)
        std::this_thread::yield();
      lock.lock();
    }
    posted_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job& job = *jobs_.front();
    const int k = job.next++;
    job.inside++;
    if (job.next == job.end) jobs_.pop_front();
    lock.unlock();
    (*job.work)(k);
    lock.lock();
    // the job is gone as soon as its caller sees this
    if (--job.inside == 0 && job.next == job.end) left_.notify_all();
  }
}

}  // namespace rowan
