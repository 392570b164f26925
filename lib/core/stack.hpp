#pragma once
// Matrices one below another become one.
#include "lib/core/parallel.hpp"
#include <rowan/stacked.hpp>

namespace rowan {

/// Bytes of stack()'s result. The pieces need not be valid.
template <class T>
[[nodiscard]] std::int64_t stack_bytes(const StackedView<T>& view) noexcept;

/// As the public one, with the caller's team; checked only if asked.
template <class T>
[[nodiscard]] Csr<T> stack(const StackedView<T>& view, const char* name, bool check, const Team& team);

}  // namespace rowan
