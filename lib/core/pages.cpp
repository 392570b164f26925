#include "lib/core/pages.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>

namespace rowan {

Range map_range(std::size_t bytes) noexcept {
  if (bytes > (std::size_t{1} << 62)) return {};
  const std::size_t wanted = round_up(bytes, kPage);
  // a huge page too much, of which what lies before the border and behind the end is given back immediately
  void* raw =
      mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return {};
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::size_t skip = round_up(address, kHugePage) - address;
  auto* const base = static_cast<std::byte*>(raw) + skip;
  if (skip != 0) munmap(raw, skip);
  if (skip != kHugePage) munmap(base + wanted, kHugePage - skip);
  madvise(base, wanted, MADV_HUGEPAGE);
  return {base, wanted};
}

Range map_file(int file, std::size_t offset, std::size_t bytes) noexcept {
  if (bytes == 0) return {};
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, static_cast<off_t>(offset));
  if (at == MAP_FAILED) return {};
  return {static_cast<std::byte*>(at), round_up(bytes, kPage)};
}

void unmap_range(Range range) noexcept {
  munmap(range.data, range.bytes);
}

void release_pages(Range range) noexcept {
  madvise(range.data, range.bytes, MADV_DONTNEED);
}

}  // namespace rowan
#else
namespace rowan {  // blocks of any size come from the heap

Range map_range(std::size_t) noexcept {
  return {};
}
Range map_file(int, std::size_t, std::size_t) noexcept {
  return {};
}
void unmap_range(Range) noexcept {}
void release_pages(Range) noexcept {}

}  // namespace rowan
#endif
