#pragma once
// How a kernel is spread over the device.
#include <algorithm>

#include "accumulators/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// NVIDIA: a block gets 48 KiB, its static variables included; more must be asked for.
inline constexpr std::size_t kSharedByDefault = 40 << 10;

template <class K>
void allow_shared([[maybe_unused]] K* kernel, [[maybe_unused]] std::size_t bytes) {
#if !defined(ROWAN_EMULATED)
  if (bytes > kSharedByDefault)
    check(hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), hipFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes)),
          "asking for shared memory");
#endif
}

/// Blocks that fill the device, and a few more so that none is idle while others finish. For kernels that take rows in
/// turns because how many there are is known on the device only.
[[nodiscard]] inline std::int64_t full_grid(const Info& device, int threads) {
  constexpr int kRounds = 2;
  return static_cast<std::int64_t>(device.multiprocessors) * std::max(1, device.threads / threads) * kRounds;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
