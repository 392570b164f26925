#pragma once
// How a kernel is spread over the device.
#include "accumulators/common/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// NVIDIA: a block gets 48 KiB, its static variables included; more must be asked for.
inline constexpr std::size_t kSharedByDefault = 40 << 10;

/// `own`: bytes of the kernel's static variables, where they are more than a few.
template <class K>
void allow_shared([[maybe_unused]] K* kernel, [[maybe_unused]] std::size_t bytes,
                  [[maybe_unused]] std::size_t own = 0) {
#if !defined(ROWAN_EMULATED)
  if (bytes + own > kSharedByDefault)
    check(hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), hipFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(bytes)),
          "asking for shared memory");
#endif
}

}  // namespace rowan::device::inline ROWAN_BACKEND
