#pragma once
// C's size of matrices in the host's memory.
#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/engine.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Counted on the first device; by all, in chunks of A's rows, where A and B do not fit. `same`: A and B are one
/// matrix.
template <class T>
[[nodiscard]] Symbolic symbolic_on_host(const SharedEngines& engines, const Operand<T>& a, const Operand<T>& b,
                                        bool same, const rowan::Options& options);

}  // namespace rowan::device::inline ROWAN_BACKEND
