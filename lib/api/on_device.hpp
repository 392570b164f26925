#pragma once
// A context's calls to a device.
#include "lib/api/state.hpp"

namespace rowan {

/// Brings A and B inside as the host's pipeline does, checked if the options say so, and calls
/// f(calls for their type, A, B, whether they are one matrix).
template <class T, class F>
auto on_device(const DeviceEngine& device, const Options& options, const CsrView<T>& a, const CsrView<T>& b,
               const F& f) {
  const Inputs<T> in(a, b, options.validate, Team(options.threads));
  return f(device.on.of<T>(), in.a(), in.b(), &in.a() == &in.b());
}
/// On the device that the context's options name.
template <class T, class F>
auto on_device(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, const F& f) {
  return on_device(*state.device, state.options, a, b, f);
}

}  // namespace rowan
