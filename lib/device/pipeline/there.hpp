#pragma once
// Device to device: the caller's matrices where they are, C left there.
#include "lib/device/pipeline/transfer.hpp"
#include <rowan/context.hpp>
#include <rowan/device.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// A product as the call wants it, with its memory.
template <class T>
[[nodiscard]] DeviceMatrix<T> handed_over(const std::shared_ptr<Engine>& engine, Product<T> c, const DeviceCall& call);

/// C = A B, complete but for what the call's stream still has to do.
template <class T>
[[nodiscard]] DeviceMatrix<T> multiply_there(const std::shared_ptr<Engine>& engine, const DeviceView<T>& a,
                                             const DeviceView<T>& b, const rowan::Options& options,
                                             const DeviceCall& call);

/// C's size, on the host.
template <class T>
[[nodiscard]] Symbolic symbolic_there(Engine& engine, const DeviceView<T>& a, const DeviceView<T>& b,
                                      const rowan::Options& options, const DeviceCall& call);

/// What multiply_there() would choose, and why.
template <class T>
[[nodiscard]] Inspection inspect_there(Engine& engine, const DeviceView<T>& a, const DeviceView<T>& b,
                                       const std::string& force, const rowan::Options& options, const DeviceCall& call);

/// C's pattern, of which values are computed again and again.
template <class T>
[[nodiscard]] DevicePlan<T> plan_there(const std::shared_ptr<Engine>& engine, const DeviceView<T>& a,
                                       const DeviceView<T>& b, const rowan::Options& options, const DeviceCall& call);

/// Copies, up and down; both wait.
template <class T>
[[nodiscard]] DeviceMatrix<T> to_device(const std::shared_ptr<Engine>& engine, const Operand<T>& host,
                                        const rowan::Options& options, const DeviceCall& call);
template <class T>
[[nodiscard]] Csr<T> to_host(Engine& engine, const DeviceView<T>& matrix, const rowan::Options& options,
                             const DeviceCall& call);

}  // namespace rowan::device::inline ROWAN_BACKEND
