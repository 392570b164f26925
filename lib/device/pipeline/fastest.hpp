#pragma once
// A product by one launch (one_launch.hpp) or in two phases, whichever took less time for the same sizes.
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// C = A B, complete but for what `stream` still has to do. Hypersparse operands are packed first (packed.hpp), unless
/// there is a memory limit. Of the products that one launch can make the first seven of the same sizes race, where
/// Engine::races_on(); those with a memory limit or `stats` take no part.
template <class T>
[[nodiscard]] Product<T> fastest_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                         std::int64_t memory_limit, hipStream_t stream, Stats* stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
