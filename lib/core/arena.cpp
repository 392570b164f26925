#include "lib/core/arena.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>

#include "lib/core/machine.hpp"

// A sanitizer sees what reaches over the end of a block of the heap, but not of a page here.
#if defined(__SANITIZE_ADDRESS__)
#define ROWAN_ARENA_BYTES 0
#else
#define ROWAN_ARENA_BYTES (std::size_t{512} << 20)
#endif

namespace rowan {
namespace {

/// At the start of every free range.
struct FreeRange {
  std::size_t bytes;
  FreeRange* next;  // at a higher address, with something in use between them

  [[nodiscard]] std::byte* data() { return reinterpret_cast<std::byte*>(this); }
  [[nodiscard]] std::byte* end() { return data() + bytes; }
};

/// Never destroyed: a block may die after any static.
struct BlockArena {
  std::mutex mutex;
  FreeRange* first = nullptr;
  bool mapped = false;

  void map() {
    mapped = true;
    const auto bytes = std::min<std::size_t>(ROWAN_ARENA_BYTES, static_cast<std::size_t>(machine_memory() / 16));
    if (bytes < kArenaMost) return;
    if (const Range all = map_range(bytes); all.data != nullptr) first = new (all.data) FreeRange{all.bytes, nullptr};
  }
};

BlockArena& arena() {
  alignas(BlockArena) static std::array<std::byte, sizeof(BlockArena)> memory;
  static BlockArena& a = *new (memory.data()) BlockArena;
  return a;
}

}  // namespace

Range take_from_arena(std::size_t bytes) noexcept {
  const std::size_t wanted = round_up(bytes, kPage);
  BlockArena& a = arena();
  const std::lock_guard lock(a.mutex);
  if (!a.mapped) a.map();
  FreeRange** link = &a.first;
  while (*link != nullptr && (*link)->bytes < wanted) link = &(*link)->next;
  FreeRange* const range = *link;
  if (range == nullptr) return {};
  *link =
      range->bytes == wanted ? range->next : new (range->data() + wanted) FreeRange{range->bytes - wanted, range->next};
  return {range->data(), wanted};
}

void return_to_arena(Range range) noexcept {
  BlockArena& a = arena();
  const std::lock_guard lock(a.mutex);
  FreeRange* before = nullptr;
  FreeRange* behind = a.first;
  while (behind != nullptr && behind->data() < range.data) before = behind, behind = behind->next;
  auto* const freed = new (range.data) FreeRange{range.bytes, behind};
  if (behind != nullptr && freed->end() == behind->data()) freed->bytes += behind->bytes, freed->next = behind->next;
  if (before == nullptr)
    a.first = freed;
  else if (before->end() == freed->data())
    before->bytes += freed->bytes, before->next = freed->next;
  else
    before->next = freed;
}

void release_arena() noexcept {
  BlockArena& a = arena();
  const std::lock_guard lock(a.mutex);
  for (FreeRange* range = a.first; range != nullptr; range = range->next)
    if (range->bytes > kPage) release_pages({range->data() + kPage, range->bytes - kPage});
}

}  // namespace rowan
