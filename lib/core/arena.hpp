#pragma once
// One address range of the process for blocks of some pages and more: their pages stay when blocks are freed, and freed
// neighbours become one. Blocks take the lowest addresses with enough room, so that a program that multiplies again
// and again finds the same pages. Elsewhere pages would be given back and taken again: on products of 50,000 to
// 200,000 a third of the time went into page faults, in the set-up of multigrid (results of several sizes, some freed,
// reserved at bounds far above their sizes) half of it.
#include "lib/core/pages.hpp"

namespace rowan {

/// Blocks of fewer bytes are the heap's.
inline constexpr std::size_t kArenaFrom = kPage > 16384 ? kPage : 16384;

/// Bytes of the arena; of them `touched`, about, have pages.
struct ArenaRange {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  std::size_t touched = 0;
};

/// `bytes` rounded up to pages, at a page's border, from the lowest address on; what was written there before is still
/// there. Empty where the arena is full or there is none. O(free ranges).
[[nodiscard]] ArenaRange take_from_arena(std::size_t bytes) noexcept;

/// Takes back a range that came from the arena, or whole pages at its end. Where free ranges then keep more than a
/// share of the machine's memory (kKeptShare), those that keep most give theirs back to the system. O(free ranges).
void return_to_arena(ArenaRange range) noexcept;

/// Gives the pages of all free ranges back to the system.
void release_arena() noexcept;

/// Of the machine's memory: what free ranges may keep.
inline constexpr std::size_t kKeptShare = 8;

}  // namespace rowan
