#pragma once
// Bytes that arrive piece by piece from a pipe or an inflater and end up in one place, followed by a newline, so that
// scanners of text need no test for the end except at the start of a line.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <rowan/memory.hpp>

namespace rowan::io {

/// A growing array of bytes. The content is memory()[0 .. size()); at least one byte behind it may be written.
class Buffer {
 public:
  explicit Buffer(std::size_t expected = 0) : memory_(expected + 1) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view view() const noexcept { return {memory_.data(), size_}; }

  /// Where the next bytes go: never empty, and doubled whenever it would be.
  [[nodiscard]] std::span<char> room() {
    if (size_ + 1 >= memory_.size()) grow();
    return {memory_.data() + size_, memory_.size() - size_ - 1};
  }
  /// Counts `n` bytes that were written to room() as content.
  void advance(std::size_t n) noexcept { size_ += n; }

  /// The content as lines, each of which ends with '\n', the last one too. Empty for empty content.
  [[nodiscard]] std::string_view lines() noexcept {
    if (size_ == 0 || memory_[size_ - 1] == '\n') return view();
    memory_[size_] = '\n';
    return {memory_.data(), size_ + 1};
  }

 private:
  static constexpr std::size_t kSmallest = std::size_t{64} << 10;

  void grow() {
    Array<char> larger(std::max(kSmallest, 2 * memory_.size()));
    std::memcpy(larger.data(), memory_.data(), size_);
    memory_ = std::move(larger);
  }

  Array<char> memory_;
  std::size_t size_ = 0;
};

}  // namespace rowan::io
