#pragma once
// What no longer fits the caches.
#include "lib/core/pattern.hpp"

namespace rowan {

/// B's columns and values no longer fit the second-level cache, so that prefetching pays.
[[nodiscard]] inline bool is_far(const Pattern& b) noexcept {
  return b.nnz() > (1 << 15);
}

}  // namespace rowan
