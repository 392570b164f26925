#pragma once
// Ranges that blocks gave back, kept for the next blocks: their pages are there already, and touching memory for the
// first time costs more than writing it.
#include "lib/core/pages.hpp"

namespace rowan {

/// A kept range to make a block of `bytes` of: one of about that size, else the largest that is smaller (to be grown),
/// else a part of a larger one, but of less than a huge page none is cut. Empty if nothing is kept.
[[nodiscard]] Range take_cached_pages(std::size_t bytes) noexcept;

/// Keeps a range for take_cached_pages. No more is kept than an eighth of the machine's memory: older ranges are
/// unmapped, or this one if it is larger than that.
void keep(Range range) noexcept;

/// Unmaps all that is kept.
void release_cached_pages() noexcept;

}  // namespace rowan
