#pragma once
// Phases run piece by piece, for measuring: lib/pipeline/devices.hpp's DeviceTrial.
#include "lib/pipeline/device/pair.hpp"
#include "lib/pipeline/devices.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// C's pattern is counted and its memory taken. The engine's policy says which bins and facts there are: one that ranks
/// every candidate has all.
template <class T>
[[nodiscard]] DeviceTrial trial(std::shared_ptr<Pair<T>> pair);

}  // namespace rowan::device::inline ROWAN_BACKEND
