// Blocks of a few pages come from the heap, up to some megabytes from the arena. Larger ones are address ranges of
// their own, taken from those that were kept where there are any: system calls cost less than what they save there.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "lib/core/arena.hpp"
#include "lib/core/border.hpp"
#include "lib/core/page_cache.hpp"
#include <rowan/error.hpp>
#include <rowan/memory.hpp>

namespace rowan {
namespace {

#if defined(__linux__)
constexpr std::size_t kMapFrom = kHugePage / 2;
#else
constexpr std::size_t kMapFrom = ~std::size_t{0};
#endif

}  // namespace

void release_memory() noexcept {
  release_cached_pages();
  release_arena();
}

Block Block::try_reserve(std::size_t bytes) noexcept {
  Block block;
  if (bytes == 0) return block;
  if (bytes >= kArenaFrom && bytes <= kArenaMost)
    if (const Range range = take_from_arena(bytes); range.data != nullptr) {
      block.data_ = range.data, block.size_ = bytes, block.mapped_ = block.touched_ = range.bytes;
      block.range_of_ = RangeOf::arena;
      return block;
    }
  if (bytes < kMapFrom) {
    block.data_ = static_cast<std::byte*>(std::malloc(bytes));
  } else {
    Range range = take_cached_pages(bytes);
    block.touched_ = range.bytes;
    if (range.data != nullptr && range.bytes < bytes) range = grow_range(range, bytes);
    if (range.data == nullptr) range = map_range(bytes), block.touched_ = 0;
    block.data_ = range.data, block.mapped_ = range.bytes;
  }
  block.size_ = block.data_ == nullptr ? 0 : bytes;
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
  Block block(bytes);
  if (bytes == 0) return block;
  std::memset(block.data_, 0, block.mapped_ == 0 ? bytes : std::min(bytes, block.touched_));  // fresh pages are zero
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

Block::~Block() {
  if (mapped_ == 0)
    std::free(data_);
  else if (range_of_ == RangeOf::file)
    unmap_range({data_, mapped_});
  else if (range_of_ == RangeOf::arena)
    return_to_arena({data_, mapped_});
  else
    keep({data_, mapped_});
}

void Block::shrink(std::size_t bytes) {
  if (bytes >= size_) return;
  size_ = bytes;
  if (mapped_ == 0) {
    if (void* smaller = std::realloc(data_, std::max<std::size_t>(bytes, 1))) data_ = static_cast<std::byte*>(smaller);
    return;
  }
  if (range_of_ == RangeOf::arena) {
    const std::size_t stays = std::max(kPage, round_up(bytes, kPage));
    if (stays < mapped_) return_to_arena({data_ + stays, mapped_ - stays});
    mapped_ = stays;
    return;
  }
  // a huge page that is cut must be split first: not where it is little beside the whole
  constexpr std::size_t kWholePagesFrom = 8 * kHugePage;
  const std::size_t stays = std::max(kPage, round_up(bytes, bytes >= kWholePagesFrom ? kHugePage : kPage));
  if (stays >= mapped_) return;
  const std::size_t border = round_up(stays, kHugePage);
  std::size_t end = mapped_;
  if (border + kHugePage <= std::min(touched_, mapped_)) {  // pages that are there, but not needed here
    const std::size_t warm = std::min(touched_, mapped_);
    if (warm < end) unmap_range({data_ + round_up(warm, kPage), end - round_up(warm, kPage)});
    keep({data_ + border, round_up(warm, kPage) - border});
    end = border;
  }
  if (stays < end) unmap_range({data_ + stays, end - stays});
  mapped_ = stays;
}

}  // namespace rowan
