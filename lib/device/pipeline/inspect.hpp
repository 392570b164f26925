#pragma once
// What a multiply on a device chooses, and the sizes that it finds, told on the host.
#include "lib/device/pipeline/multiply.hpp"
#include <rowan/inspection.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// "nprod 17-32" of rows with few products, "nnz 33-64" of the others.
[[nodiscard]] std::string bin_label(int key, const Borders& borders);

/// The decision record of A B, of the device's own making: everything up to the numeric phase runs there. Bins are the
/// numeric phase's, by entries of C or, for rows with few of them, by products; the symbolic phase has its own.
template <class T>
[[nodiscard]] Inspection inspect(Engine& engine, const Resident<T>& a, const Resident<T>& b, const std::string& force,
                                 hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
