#pragma once
// What each of several devices would do of a product.
#include "lib/api/on_device.hpp"
#include <rowan/inspection.hpp>

namespace rowan {

/// Of rows cut as DeviceGroup::distribute() cuts them, with the context's devices: counts from `inspection`, whose rows
/// are known, and what a second product of A and B in the devices' memory took. Not measured where there is no memory
/// for that.
template <class T>
[[nodiscard]] std::vector<ShareReport> shares_of(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b,
                                                 const Inspection& inspection);

}  // namespace rowan
