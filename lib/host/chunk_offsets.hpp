#pragma once
// Where each chunk's entries begin in C: known as soon as all chunks before it are counted (look-back).
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "lib/core/offset.hpp"

namespace rowan {

class ChunkOffsets {
 public:
  explicit ChunkOffsets(std::size_t chunks, Offset first = 0) : count_(chunks), begin_(chunks + 1, first) {
    for (auto& c : count_) c.store(kUnknown, std::memory_order_relaxed);
  }

  /// Chunk c has `count` entries.
  void publish(std::size_t c, Offset count) { count_[c].store(count, std::memory_order_release); }

  /// Whether begin(c) is known by now. Whoever asks walks on over what has been published since; one at a time.
  bool known(std::size_t c) {
    if (frontier_.load(std::memory_order_acquire) >= c) return true;
    if (walking_.test_and_set(std::memory_order_acquire)) return false;
    std::size_t f = frontier_.load(std::memory_order_relaxed);
    for (; f < count_.size(); f++) {
      const Offset n = count_[f].load(std::memory_order_acquire);
      if (n == kUnknown) break;
      begin_[f + 1] = static_cast<Offset>(begin_[f] + n);
    }
    frontier_.store(f, std::memory_order_release);
    walking_.clear(std::memory_order_release);
    return f >= c;
  }

  /// Waits for known(c); false if the work was abandoned. A short spin, then the processor is given up: spinning alone
  /// starves the very thread that is waited for (ten times slower on busy cores).
  bool wait(std::size_t c) {
    for (int spins = 0; !known(c); spins++) {
      if (abandoned_.load(std::memory_order_relaxed)) return false;
      if (spins >= 100) std::this_thread::yield();
    }
    return true;
  }

  [[nodiscard]] Offset begin(std::size_t c) const { return begin_[c]; }

  /// Somebody failed: nobody shall wait for its chunk.
  void abandon() { abandoned_.store(true, std::memory_order_relaxed); }

 private:
  static constexpr Offset kUnknown = -1;
  std::vector<std::atomic<Offset>> count_;
  std::vector<Offset> begin_;              // written by the walker, read behind `frontier_`
  std::atomic<std::size_t> frontier_ = 0;  // begin_[0 .. frontier_] is known
  std::atomic_flag walking_ = ATOMIC_FLAG_INIT;
  std::atomic<bool> abandoned_ = false;
};

}  // namespace rowan
