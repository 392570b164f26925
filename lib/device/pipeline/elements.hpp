#pragma once
// How kernels that give a thread to each element of an array are started.
#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kElementThreads = 256;  // of a block

/// A thread an element, the grid covers them.
[[nodiscard]] inline Shape threads_for(std::int64_t n) {
  return {.grid = (n + kElementThreads - 1) / kElementThreads, .block = kElementThreads};
}

}  // namespace rowan::device::inline ROWAN_BACKEND
