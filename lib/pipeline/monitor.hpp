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
    done_ += rows;
    check();
    // whoever is telling looks again afterwards: the last rows are told even where they were done meanwhile
    while (options_.progress) {
      const std::unique_lock lock(telling_, std::try_to_lock);
      if (!lock || done_ <= told_) return;
      told_ = done_;
      options_.progress(static_cast<double>(told_) / static_cast<double>(rows_));
    }
  }

 private:
  const Options& options_;
  std::int64_t rows_;
  std::atomic<std::int64_t> done_ = 0;
  std::int64_t told_ = 0;
  std::mutex telling_;
};

}  // namespace rowan
