#pragma once
// Words that a launch finds all zero, without a launch before it that clears them (4 of the 25 to 80 us that a small
// product takes, H100): there are two sets, and the launch that uses one clears the other, which the launch before it
// has used.
#include <cstdint>
#include <optional>

#include "lib/device/runtime/kept_in_order.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

class Pool;

/// As a kernel gets them.
struct LaunchWords {
  unsigned long long* zero = nullptr;  // all zero
  unsigned long long* used = nullptr;  // what the launch is to clear
  std::int64_t used_count = 0;

  /// By all threads of a grid, once.
  __device__ void clear_used() const {
    const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < used_count;
         k += threads)
      used[k] = 0;
  }
};

/// Two sets in one piece of memory.
struct WordSets {
  unsigned long long* memory = nullptr;
  std::int64_t capacity = 0;    // of each
  bool second = false;          // whether the next launch uses the second
  std::int64_t used_count = 0;  // of the other, from its first word on, that are not zero

  [[nodiscard]] std::size_t bytes() const noexcept { return 2 * static_cast<std::size_t>(capacity) * sizeof *memory; }
  [[nodiscard]] LaunchWords words() const noexcept {
    unsigned long long* const behind = memory + capacity;
    return {second ? behind : memory, second ? memory : behind, used_count};
  }
};

/// Sets that no launch has, for the next ones. Not for several threads at once.
class KeptWords {
 public:
  static constexpr std::size_t kMost = 8;

  /// Sets of `count` words or more, for a launch in `stream`.
  [[nodiscard]] std::optional<WordSets> take(std::int64_t count, hipStream_t stream);
  /// Keeps sets for what comes after all that is in `stream`; false where it cannot.
  [[nodiscard]] bool keep(const WordSets& sets, hipStream_t stream) noexcept { return kept_.keep(sets, stream); }
  /// Any one of them, to be freed in `stream`; none where there are none.
  [[nodiscard]] std::optional<WordSets> take_any(hipStream_t stream) { return take(0, stream); }

 private:
  KeptInOrder<WordSets, kMost> kept_;
};

/// Words for one launch.
class ZeroWords {
 public:
  /// `count` of them. Throws Error{out_of_memory}.
  ZeroWords(Pool& pool, std::int64_t count, hipStream_t stream);
  ~ZeroWords();
  ZeroWords(const ZeroWords&) = delete;
  ZeroWords& operator=(const ZeroWords&) = delete;

  /// For a launch that is put into the stream next, the only one that gets them.
  [[nodiscard]] LaunchWords words() const noexcept { return sets_.words(); }
  /// The launch is in the stream.
  void launched() noexcept { launched_ = true; }

 private:
  Pool& pool_;
  hipStream_t stream_;
  std::int64_t count_;
  WordSets sets_;
  bool launched_ = false;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
