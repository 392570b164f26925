#pragma once
// Memory that runs out when a test says so.
#include <cstdint>

namespace rowan::test {

/// While it lives, one allocation of the process fails, the `nth` from here counted from 0, or all from that one on:
/// operator new, malloc and realloc, mmap and mremap as this program and the library call them.
class FailingMemory {
 public:
  enum class Which : std::uint8_t { none, one, all_from };
  explicit FailingMemory(Which which, std::int64_t nth = 0);
  FailingMemory(const FailingMemory&) = delete;
  FailingMemory& operator=(const FailingMemory&) = delete;
  ~FailingMemory();
  /// Allocations that were asked for.
  [[nodiscard]] std::int64_t asked() const noexcept;
};

/// Blocks of operator new and malloc that were not freed yet.
[[nodiscard]] std::int64_t live_blocks() noexcept;

}  // namespace rowan::test
