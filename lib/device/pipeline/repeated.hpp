#pragma once
// Products of sizes whose last one had short rows alone (one_phase.hpp): neither measured nor decided, but one phase is
// launched, which finds out itself whether all rows are short this time, too.
#include "lib/device/pipeline/multiply.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Whether rows of B are met all over it, and it is larger than what a device keeps near. Then one phase waits long for
/// each row pointer: where it is repeated, a launch of its own counts products, which has more of them on their way.
[[nodiscard]] bool is_scattered(const Tally (&bins)[kBins], std::int64_t bytes_of_b) noexcept;

/// After a product of one phase: what the next of the same sizes is to go by.
template <class T>
void note_one_phase(Engine& engine, const Resident<T>& a, const Resident<T>& b, const CountedProduct<T>& product);

/// C = A B, complete but for what `stream` still has to do. Nothing where the last product of these sizes was another
/// one, rows are longer or C is larger this time, or the limit (0: none) or the device has not the memory.
template <class T>
[[nodiscard]] std::optional<Product<T>> repeated_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                         std::int64_t memory_limit, hipStream_t stream, Stats* stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
