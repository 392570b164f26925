#pragma once
// Progress and cancellation, between pieces of work.
#include <atomic>
#include <mutex>

#include <rowan/error.hpp>
#include <rowan/options.hpp>

namespace rowan {

class Monitor {
 public:
  Monitor(const Options& options, std::int64_t rows) : options_(options), rows_(rows) {}

  /// Throws Error{cancelled} if the caller asked to stop.
  void check() const {
    if (options_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the multiplication was cancelled");
  }
  /// Another `rows` rows are done; tells the caller unless another thread is just telling.
  void done(std::int64_t rows) {
    const std::int64_t now = done_ += rows;
    check();
    if (!options_.progress) return;
    const std::unique_lock lock(telling_, std::try_to_lock);
    if (!lock || now <= told_) return;
    told_ = now;
    options_.progress(static_cast<double>(now) / static_cast<double>(rows_));
  }

 private:
  const Options& options_;
  std::int64_t rows_;
  std::atomic<std::int64_t> done_ = 0;
  std::int64_t told_ = 0;
  std::mutex telling_;
};

}  // namespace rowan
