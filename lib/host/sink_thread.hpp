#pragma once
// The thread on which a sink takes blocks of C, so that the next block is computed meanwhile.
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <rowan/csr.hpp>
#include <rowan/error.hpp>
#include <rowan/row_sink.hpp>

namespace rowan {

/// Gives blocks to a sink in order, one at a time. A block is moved, and freed once the sink took it. After the sink
/// threw it is not called again.
template <class T>
class SinkThread {
 public:
  /// `caller`: of who may ask to stop. Throws Error{out_of_memory} where the system has no thread.
  SinkThread(const RowSink<T>& sink, const std::stop_token& caller) : sink_(sink), caller_(caller, Passed{&stop_}) {
    try {
      thread_ = std::thread([this] { work(); });
    } catch (const std::system_error& e) {
      throw Error(ErrorCode::out_of_memory, std::string("no thread for the sink: ") + e.what());
    }
  }
  SinkThread(const SinkThread&) = delete;
  SinkThread& operator=(const SinkThread&) = delete;
  ~SinkThread() { static_cast<void>(end()); }

  /// Asked to stop by the caller, or because the sink threw: what computes the next block listens to it.
  [[nodiscard]] std::stop_token stop() const noexcept { return stop_.get_token(); }

  /// Waits until the sink has taken the block before, and leaves it this one. Throws what it threw, or
  /// Error{cancelled}.
  void give(std::int64_t first, Csr<T> block) {
    wait();
    if (stop_.stop_requested()) throw Error(ErrorCode::cancelled, "the multiplication was cancelled");
    {
      const std::lock_guard lock(lock_);
      first_ = first, block_.emplace(std::move(block));
    }
    changed_.notify_all();
  }

  /// Waits until the sink has no block. Throws what it threw.
  void wait() {
    std::unique_lock lock(lock_);
    changed_.wait(lock, [&] { return !block_; });
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Waits for the sink for the last time; what it threw, or null.
  [[nodiscard]] std::exception_ptr end() noexcept {
    if (thread_.joinable()) {
      {
        const std::lock_guard lock(lock_);
        ends_ = true;
      }
      changed_.notify_all();
      thread_.join();
    }
    return failure_;
  }

 private:
  /// The caller's request, passed on.
  struct Passed {
    std::stop_source* to;
    void operator()() const noexcept { to->request_stop(); }
  };

  void work() noexcept {
    std::unique_lock lock(lock_);
    while (true) {
      changed_.wait(lock, [&] { return block_ || ends_; });
      if (!block_) return;
      lock.unlock();
      try {
        sink_(first_, block_->view());
      } catch (...) {
        failure_ = std::current_exception();
      }
      if (failure_) stop_.request_stop();
      lock.lock();
      block_.reset();
      changed_.notify_all();
    }
  }

  const RowSink<T>& sink_;
  std::stop_source stop_;
  std::stop_callback<Passed> caller_;
  std::mutex lock_;  // of what follows; the block is the sink's while there is one
  std::condition_variable changed_;
  std::optional<Csr<T>> block_;
  std::int64_t first_ = 0;
  std::exception_ptr failure_ = nullptr;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace rowan
