#include "lib/core/arena.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <span>

#include "lib/core/machine.hpp"

// A sanitizer sees what reaches over the end of a block of the heap, but not of a page here.
#if defined(__SANITIZE_ADDRESS__)
#define ROWAN_ARENA 0
#else
#define ROWAN_ARENA 1
#endif

namespace rowan {
namespace {

/// Free ranges by address, no two of them neighbours. It takes no memory: it is asked for where there may be none.
class FreeRanges {
 public:
  [[nodiscard]] std::span<ArenaRange> all() noexcept { return {ranges_.data(), count_}; }

  /// The beginning of the first range of at least `bytes`, or an empty one.
  [[nodiscard]] ArenaRange take(std::size_t bytes) noexcept {
    const auto fits = [bytes](const ArenaRange& r) { return r.bytes >= bytes; };
    const auto range = std::find_if(ranges_.begin(), end(), fits);
    if (range == end()) return {};
    const ArenaRange taken{range->data, bytes, std::min(range->touched, bytes)};  // pages are mostly at the beginning
    *range = {range->data + bytes, range->bytes - bytes, range->touched - taken.touched};
    if (range->bytes == 0) erase(range);
    return taken;
  }
  /// False where there are too many ranges.
  [[nodiscard]] bool add(const ArenaRange& range) noexcept {
    const auto lower = [](const ArenaRange& x, const ArenaRange& y) { return x.data < y.data; };
    const auto behind = std::lower_bound(ranges_.begin(), end(), range, lower);
    const bool joins_behind = behind != end() && range.data + range.bytes == behind->data;
    const auto before = behind == ranges_.begin() ? end() : behind - 1;
    const bool joins_before = before != end() && before->data + before->bytes == range.data;
    if (joins_before) {
      before->bytes += range.bytes, before->touched += range.touched;
      if (joins_behind) before->bytes += behind->bytes, before->touched += behind->touched, erase(behind);
    } else if (joins_behind) {
      *behind = {range.data, range.bytes + behind->bytes, range.touched + behind->touched};
    } else {
      if (count_ == kMost) return false;
      std::move_backward(behind, end(), end() + 1);
      *behind = range, count_++;
    }
    return true;
  }

 private:
  static constexpr std::size_t kMost = 4096;
  using Iterator = std::array<ArenaRange, kMost>::iterator;

  Iterator end() noexcept { return ranges_.begin() + static_cast<std::ptrdiff_t>(count_); }
  void erase(Iterator at) noexcept {
    std::move(at + 1, end(), at);
    count_--;
  }

  std::array<ArenaRange, kMost> ranges_ = {};
  std::size_t count_ = 0;
};

void release(ArenaRange& range) noexcept {
  release_pages({range.data, range.bytes});
  range.touched = 0;
}

/// Never destroyed: a block may die after any static.
struct BlockArena {
  std::mutex mutex;
  FreeRanges free;
  bool mapped = false;

  /// Addresses for several results that are reserved at their bounds at the same time.
  void map() noexcept {
    mapped = true;
    constexpr std::size_t kTimes = 4, kLeast = std::size_t{1} << 28;
    auto bytes = ROWAN_ARENA * kTimes * static_cast<std::size_t>(machine_memory()) / kHugePage * kHugePage;
    for (; bytes >= kLeast; bytes /= 2)  // less where the process may not have as many addresses
      if (const Range all = map_range(bytes); all.data != nullptr) {
        static_cast<void>(free.add({all.data, all.bytes, 0}));
        return;
      }
  }

  /// Down to what may be kept.
  void trim() noexcept {
    const auto most = static_cast<std::size_t>(machine_memory()) / kKeptShare;
    const auto touched_less = [](const ArenaRange& x, const ArenaRange& y) { return x.touched < y.touched; };
    for (;;) {
      std::size_t kept = 0;
      for (const ArenaRange& r : free.all()) kept += r.touched;
      if (kept <= most) return;
      release(*std::max_element(free.all().begin(), free.all().end(), touched_less));
    }
  }
};

BlockArena& arena() {
  alignas(BlockArena) static std::array<std::byte, sizeof(BlockArena)> memory;
  static BlockArena& a = *new (memory.data()) BlockArena;
  return a;
}

}  // namespace

ArenaRange take_from_arena(std::size_t bytes) noexcept {
  constexpr std::size_t kNever = std::size_t{1} << 62;  // rounded up, more could come out as little
  if (bytes > kNever) return {};
  BlockArena& a = arena();
  const std::lock_guard lock(a.mutex);
  if (!a.mapped) a.map();
  return a.free.take(round_up(bytes, kPage));
}

void return_to_arena(ArenaRange range) noexcept {
  BlockArena& a = arena();
  const std::lock_guard lock(a.mutex);
  if (!a.free.add(range)) release(range);  // its addresses are lost, its pages are not
  a.trim();
}

void release_arena() noexcept {
  BlockArena& a = arena();
  const std::lock_guard lock(a.mutex);
  for (ArenaRange& range : a.free.all()) release(range);
}

}  // namespace rowan
