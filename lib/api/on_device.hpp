#pragma once
// A context's calls to its device.
#include "lib/api/state.hpp"

namespace rowan {

/// Brings A and B inside as the host's pipeline does, checked if the options say so, and calls
/// f(calls for their type, A, B, whether they are one matrix).
template <class T, class F>
auto on_device(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, const F& f) {
  const Inputs<T> in(a, b, state.options.validate, Team(state.options.threads));
  return f(state.device->on.of<T>(), in.a(), in.b(), &in.a() == &in.b());
}

}  // namespace rowan
