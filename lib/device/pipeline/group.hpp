#pragma once
// Products of matrices whose rows are in the memory of several devices, C's rows left where A's are.
#include <span>
#include <vector>

#include "lib/device/pipeline/exchange.hpp"
#include "lib/device/pipeline/transfer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Blocks of the host's rows, cut at `first`; or all of them for each device.
template <class T>
[[nodiscard]] std::vector<DeviceMatrix<T>> to_group(const SharedEngines& engines, const Operand<T>& host,
                                                    std::span<const std::int64_t> first, const rowan::Options& options);
template <class T>
[[nodiscard]] std::vector<DeviceMatrix<T>> replicate(const SharedEngines& engines, const Operand<T>& host,
                                                     const rowan::Options& options);

/// C = A B by blocks of rows; `replicated`: every device has all of B. Waits.
template <class T>
[[nodiscard]] std::vector<DeviceMatrix<T>> multiply_group(const SharedEngines& engines,
                                                          const std::vector<DeviceView<T>>& a,
                                                          const std::vector<DeviceView<T>>& b, bool replicated,
                                                          const rowan::Options& options, Stats* stats);

/// All rows on one of the devices; all rows on the host.
template <class T>
[[nodiscard]] DeviceMatrix<T> gather(const SharedEngines& engines, const std::vector<DeviceView<T>>& m, std::size_t to);
template <class T>
[[nodiscard]] Csr<T> group_to_host(const SharedEngines& engines, const std::vector<DeviceView<T>>& m,
                                   const rowan::Options& options);

}  // namespace rowan::device::inline ROWAN_BACKEND
