#pragma once
// Small products: one launch, before which nothing is measured or chosen.
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Whether A B may be tried: of small products' sizes, products being estimated from them.
template <class T>
[[nodiscard]] bool may_be_small(const Engine& engine, const Resident<T>& a, const Resident<T>& b);

/// C = A B, complete but for what `stream` still has to do. Nothing where it is not to be tried, the launch gave it up
/// because its rows are longer than their sizes let one think, or did so for the same sizes lately, or the limit (0:
/// none) or the device has not the memory.
template <class T>
[[nodiscard]] std::optional<Product<T>> small_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                      std::int64_t memory_limit, hipStream_t stream, Stats* stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
