#pragma once
// Phases run piece by piece, for measuring: lib/backends/devices.hpp's DeviceTrial.
#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/pair.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// C's pattern is counted and its memory taken. The engine's policy says which bins and facts there are: one that ranks
/// every candidate has all.
template <class T>
[[nodiscard]] DeviceTrial trial(std::shared_ptr<Pair<T>> pair);

}  // namespace rowan::device::inline ROWAN_BACKEND
