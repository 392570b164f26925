// The one place where systems differ: what Linux has beyond POSIX is asked for where the headers have it, and what is
// left works on macOS and the BSDs, too.
#include "lib/core/pages.hpp"

#include <cstdint>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>

namespace rowan {
namespace {

#ifdef MAP_ANONYMOUS
constexpr int kAnonymous = MAP_PRIVATE | MAP_ANONYMOUS;
#else
constexpr int kAnonymous = MAP_PRIVATE | MAP_ANON;
#endif
// addresses without a promise of memory; elsewhere that is what a mapping is
#ifdef MAP_NORESERVE
constexpr int kReserved = kAnonymous | MAP_NORESERVE;
#else
constexpr int kReserved = kAnonymous;
#endif

/// Elsewhere the system makes huge pages by itself, or has none.
void ask_for_huge_pages([[maybe_unused]] std::byte* base, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  madvise(base, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

Range map_range(std::size_t bytes) noexcept {
  if (bytes > (std::size_t{1} << 62)) return {};
  const std::size_t wanted = round_up(bytes, kPage);
  // a huge page too much, of which what lies before the border and behind the end is given back immediately
  void* raw = mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE, kReserved, -1, 0);
  if (raw == MAP_FAILED) return {};
  const auto address = reinterpret_cast<std::uintptr_t>(raw);
  const std::size_t skip = round_up(address, kHugePage) - address;
  auto* const base = static_cast<std::byte*>(raw) + skip;
  if (skip != 0) munmap(raw, skip);
  if (skip != kHugePage) munmap(base + wanted, kHugePage - skip);
  ask_for_huge_pages(base, wanted);
  return {base, wanted};
}

Range map_file(int file, std::size_t offset, std::size_t bytes) noexcept {
  if (bytes == 0) return {};
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, static_cast<off_t>(offset));
  if (at == MAP_FAILED) return {};
  return {static_cast<std::byte*>(at), bytes};  // to its last page's end, whatever the size of a page
}

void unmap_range(Range range) noexcept {
  munmap(range.data, range.bytes);
}

void release_pages(Range range) noexcept {
#ifdef __linux__
  madvise(range.data, range.bytes, MADV_DONTNEED);
#else  // there it may leave the content: new pages at the same addresses are zero
  mmap(range.data, range.bytes, PROT_READ | PROT_WRITE, kReserved | MAP_FIXED, -1, 0);
#endif
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
