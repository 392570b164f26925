// Blocks of a few pages come from the heap, larger ones from the arena, and where it has no room from address ranges of
// their own.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "lib/core/arena.hpp"
#include "lib/core/border.hpp"
#include "lib/core/pages.hpp"
#include <rowan/error.hpp>
#include <rowan/memory.hpp>

namespace rowan {
namespace {

#if defined(__unix__) || defined(__APPLE__)
constexpr std::size_t kMapFrom = kHugePage / 2;
#else
constexpr std::size_t kMapFrom = ~std::size_t{0};
#endif
// zeros of this size come as fresh pages, which are zero as they are read: tables of which little is used
constexpr std::size_t kFreshZerosFrom = 16 * kHugePage;

}  // namespace

void release_memory() noexcept {
  release_arena();
}

Block Block::try_reserve(std::size_t bytes) noexcept {
  Block block;
  if (bytes == 0) return block;
  if (bytes >= kArenaFrom)
    if (const ArenaRange range = take_from_arena(bytes); range.data != nullptr) {
      block.data_ = range.data, block.size_ = bytes, block.mapped_ = range.bytes, block.touched_ = range.touched;
      block.range_of_ = RangeOf::arena;
      return block;
    }
  if (bytes < kMapFrom) {
    block.data_ = static_cast<std::byte*>(std::malloc(bytes));
    block.size_ = block.data_ == nullptr ? 0 : bytes;
    return block;
  }
  return fresh(bytes);
}

Block Block::fresh(std::size_t bytes) noexcept {
  Block block;
  const Range range = map_range(bytes);
  if (range.data == nullptr) return block;
  block.data_ = range.data, block.size_ = bytes, block.mapped_ = range.bytes, block.range_of_ = RangeOf::fresh;
  return block;
}

Block::Block(std::size_t bytes) try {
  Block block = try_reserve(bytes);
  if (bytes != 0 && block.data_ == nullptr)
    throw Error(ErrorCode::out_of_memory, "cannot allocate " + std::to_string(bytes) + " bytes");
  swap(block);
} catch (...) {
  rethrow_as_error();
}

Block Block::zeroed(std::size_t bytes) try {
  if (bytes >= kFreshZerosFrom && kMapFrom <= bytes)
    if (Block zeros = fresh(bytes); zeros.data_ != nullptr) return zeros;
  Block block(bytes);
  if (bytes != 0) std::memset(block.data_, 0, bytes);
  return block;
} catch (...) {
  rethrow_as_error();
}

Block Block::of_file(int file, std::size_t offset, std::size_t bytes) noexcept {
  Block block;
  const Range range = map_file(file, offset, bytes);
  if (range.data == nullptr) return block;
  block.data_ = range.data, block.size_ = bytes, block.mapped_ = range.bytes, block.range_of_ = RangeOf::file;
  return block;
}

namespace {

/// Who frees adopted memory.
struct Owner {
  void (*free)(void* owner) noexcept;
  void* owner;
};

}  // namespace

Block Block::adopt(const OwnedMemory& memory) try {
  Block block;
  block.data_ = static_cast<std::byte*>(memory.data), block.size_ = memory.bytes;
  try {
    block.owner_ = new Owner{memory.free, memory.owner};
  } catch (...) {
    if (memory.free != nullptr) memory.free(memory.owner);
    throw;
  }
  return block;
} catch (...) {
  rethrow_as_error();
}

OwnedMemory Block::release() try {
  if (data_ == nullptr) return {};
  auto* const kept = new Block;
  kept->swap(*this);
  return {.data = kept->data_,
          .bytes = kept->size_,
          .free = [](void* owner) noexcept { delete static_cast<Block*>(owner); },
          .owner = kept};
} catch (...) {
  rethrow_as_error();
}

Block::~Block() {
  if (owner_ != nullptr) {
    const std::unique_ptr<Owner> owner(static_cast<Owner*>(owner_));
    if (owner->free != nullptr) owner->free(owner->owner);
  } else if (mapped_ == 0)
    std::free(data_);
  else if (range_of_ == RangeOf::arena)
    return_to_arena({data_, mapped_, mapped_});
  else
    unmap_range({data_, mapped_});
}

void Block::shrink(std::size_t bytes) {
  if (bytes >= size_) return;
  size_ = bytes;
  if (owner_ != nullptr) return;
  if (mapped_ == 0) {
    if (void* smaller = std::realloc(data_, std::max<std::size_t>(bytes, 1))) data_ = static_cast<std::byte*>(smaller);
    return;
  }
  const std::size_t stays = std::max(kPage, round_up(bytes, kPage));
  if (stays >= mapped_) return;
  if (range_of_ == RangeOf::arena)  // what had pages may have them behind the end that stays
    return_to_arena({data_ + stays, mapped_ - stays, touched_ > stays ? touched_ - stays : 0});
  else
    unmap_range({data_ + stays, mapped_ - stays});
  mapped_ = stays;
}

}  // namespace rowan
