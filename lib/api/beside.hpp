#pragma once
// A multiplication of copies, which count as its memory.
#include <algorithm>

#include "lib/api/state.hpp"
#include "lib/host/multiply.hpp"

namespace rowan {

/// Throws where the context's memory has no room for `bytes` of `what`.
inline void require_memory(const Context::State& state, std::int64_t bytes, const char* what) {
  Budget(state.options).require(bytes, what);
}

/// A multiplication beside `held` bytes of copies.
template <class T>
Csr<T> multiply_beside(const Context& context, const Context::State& state, const CsrView<T>& a, const CsrView<T>& b,
                       std::int64_t held, Stats* stats) {
  if (state.device) return context.multiply(a, b, stats);
  Options options = state.options;
  if (options.memory_limit != 0) options.memory_limit = std::max<std::int64_t>(1, options.memory_limit - held);
  const Settings settings{.options = options, .policy = state.policy, .small_path = state.settings().small_path};
  Stats mine;
  Csr<T> c = multiply(a, b, settings, mine);
  mine.bytes_temporary += held;
  if (stats != nullptr) *stats = std::move(mine);
  return c;
}

}  // namespace rowan
