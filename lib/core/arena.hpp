#pragma once
// One address range of the process for blocks of some pages to some megabytes: their pages stay when blocks are freed,
// and freed neighbours become one. The heap gives its last pages back and takes them again with every multiplication:
// on products of 50,000 to 200,000 a third of the time went into page faults.
#include "lib/core/pages.hpp"

namespace rowan {

/// Blocks of fewer bytes are the heap's, of more are ranges of their own.
inline constexpr std::size_t kArenaFrom = std::size_t{16} << 10, kArenaMost = std::size_t{8} << 20;

/// `bytes` rounded up to pages, at a page's border, from the lowest address on; what was written there before is still
/// there. Empty where the arena is full or there is none. O(free ranges).
[[nodiscard]] Range take_from_arena(std::size_t bytes) noexcept;

/// Takes back a range that came from the arena, or whole pages at its end. O(free ranges).
void return_to_arena(Range range) noexcept;

/// Gives the pages of all free ranges back to the system.
void release_arena() noexcept;

}  // namespace rowan
