#pragma once
// Progress and cancellation, between pieces of work.
#include <atomic>

#include "lib/core/notifier.hpp"
#include <rowan/error.hpp>
#include <rowan/options.hpp>

namespace rowan {

class Monitor {
 public:
  explicit Monitor(const Options& options) : options_(options), notifier_(options.progress) {}

  /// The work ahead, in rows; what was done before counts for nothing, but what was told is not taken back.
  void begin(std::int64_t rows) { rows_ = rows, done_ = 0; }

  /// Throws Error{cancelled} if the caller asked to stop.
  void check() const {
    if (options_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the multiplication was cancelled");
  }
  /// Another `rows` rows are done; tells the caller unless another thread is just telling. To be called between pieces:
  /// see Notifier.
  void done(std::int64_t rows) {
    done_ += rows;
    check();
    notifier_.notify([&] { return static_cast<double>(done_) / static_cast<double>(rows_); });
  }

 private:
  const Options& options_;
  std::int64_t rows_ = 0;
  std::atomic<std::int64_t> done_ = 0;
  Notifier notifier_;
};

}  // namespace rowan
