#pragma once
// Device-wide algorithms: rocPRIM on AMD, CUB on NVIDIA, the standard library where there is no device.
#include <cstdint>

#include "lib/device/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Bytes that exclusive_sum needs for n numbers.
[[nodiscard]] std::size_t exclusive_sum_bytes(std::int64_t n);
/// In place: each number becomes the sum of those before it.
void exclusive_sum(void* scratch, std::size_t scratch_bytes, std::int64_t* numbers, std::int64_t n, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
