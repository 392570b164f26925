#pragma once
// What went wrong for lack of memory may go well in smaller pieces.
#include <rowan/error.hpp>

namespace rowan {

/// Whether rows did not fit into memory or its limit, so that fewer may.
[[nodiscard]] inline bool too_large(const Error& e) noexcept {
  return e.code() == ErrorCode::memory_limit || e.code() == ErrorCode::out_of_memory;
}

}  // namespace rowan
