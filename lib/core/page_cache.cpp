#include "lib/core/page_cache.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>

#include "lib/core/machine.hpp"
namespace rowan {
namespace {

constexpr std::size_t kMostRanges = 64;
constexpr std::size_t kNone = kMostRanges;

/// What is kept, oldest first.
class Store {
 public:
  std::mutex mutex;

  /// See take_cached_pages; kNone if there is nothing.
  [[nodiscard]] std::size_t choose(std::size_t bytes) const {
    std::size_t below = kNone, above = kNone;
    for (std::size_t i = 0; i < count_; i++) {
      const std::size_t n = ranges_[i].bytes;
      if (n <= bytes && (below == kNone || n > ranges_[below].bytes)) below = i;
      if (n >= bytes && (above == kNone || n < ranges_[above].bytes)) above = i;
    }
    if (above != kNone && ranges_[above].bytes <= std::max(bytes + bytes / 4, kHugePage)) return above;
    return below != kNone || bytes < kHugePage ? below : above;
  }
  Range remove(std::size_t at) {
    const Range r = ranges_[at];
    std::move(ranges_.begin() + at + 1, ranges_.begin() + count_, ranges_.begin() + at);
    count_--, bytes_ -= r.bytes;
    return r;
  }
  void add(Range r) { ranges_[count_++] = r, bytes_ += r.bytes; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool has_room_for(std::size_t bytes) const { return count_ < kMostRanges && bytes_ + bytes <= most_; }
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  std::array<Range, kMostRanges> ranges_ = {};
  std::size_t count_ = 0, bytes_ = 0;
  std::size_t most_ = static_cast<std::size_t>(machine_memory() / 8);
};

/// Never destroyed: a block may die after any static. Takes no memory: it is asked for where there may be none.
Store& store() {
  alignas(Store) static std::array<std::byte, sizeof(Store)> place;
  static Store& s = *new (place.data()) Store;
  return s;
}

}  // namespace

Range take_cached_pages(std::size_t bytes) noexcept {
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  const std::size_t at = s.choose(bytes);
  if (at == kNone) return {};
  Range r = s.remove(at);
  const std::size_t used = round_up(bytes, kHugePage);
  if (r.bytes > used + kHugePage) {
    s.add({r.data + used, r.bytes - used});
    r.bytes = used;
  }
  return r;
}

void keep(Range range) noexcept {
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  if (range.bytes > s.most()) return unmap_range(range);
  while (!s.has_room_for(range.bytes)) unmap_range(s.remove(0));
  s.add(range);
}

void release_cached_pages() noexcept {
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  while (!s.empty()) unmap_range(s.remove(0));
}

}  // namespace rowan
