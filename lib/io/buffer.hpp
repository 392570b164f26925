#pragma once
// Bytes that arrive piece by piece and are collected in one array.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <rowan/memory.hpp>

namespace rowan::io {

/// A growing array of bytes. The content is memory()[0 .. size()); at least one byte behind it may be written.
class TextBuffer {
 public:
  explicit TextBuffer(std::size_t expected = 0) : memory_(expected + 1) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::string_view view() const noexcept { return {memory_.data(), size_}; }

  /// Where the next bytes go: space for at least `least`; where it is too small, it grows to more than twice its size.
  [[nodiscard]] std::span<char> room(std::size_t least = 1) {
    if (size_ + least >= memory_.size()) grow(least);
    return {memory_.data() + size_, memory_.size() - size_ - 1};
  }
  /// Counts `n` bytes that were written to room() as content.
  void advance(std::size_t n) noexcept { size_ += n; }

  void append(std::string_view bytes) {
    if (bytes.empty()) return;
    std::memcpy(room(bytes.size()).data(), bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  /// Keeps the first `n` bytes.
  void cut(std::size_t n) noexcept { size_ = n; }
  void clear() noexcept { cut(0); }

  /// Ends the last line with '\n', if there is one that does not end.
  void end_line() noexcept {
    if (size_ != 0 && memory_[size_ - 1] != '\n') memory_[size_++] = '\n';
  }

 private:
  static constexpr std::size_t kSmallest = std::size_t{64} << 10;

  void grow(std::size_t least) {
    Array<char> larger(std::max({kSmallest, 2 * memory_.size(), size_ + least + 1}));
    std::memcpy(larger.data(), memory_.data(), size_);
    memory_ = std::move(larger);
  }

  Array<char> memory_;
  std::size_t size_ = 0;
};

}  // namespace rowan::io
