#pragma once
// Operands that stay in device memory: multiplied there again and again, or planned for values to come.
#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/pair.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// The pattern of A B, of which execute() computes values on the device. Throws where C does not fit the device, or
/// `memory_limit` (0: none).
template <class T>
[[nodiscard]] std::unique_ptr<const DevicePlan<T>> plan_on_host(std::shared_ptr<Pair<T>> pair,
                                                                std::int64_t memory_limit);

/// A B where A and B are.
template <class T>
[[nodiscard]] DeviceResident<T> resident(std::shared_ptr<Pair<T>> pair);

}  // namespace rowan::device::inline ROWAN_BACKEND
