#pragma once
// A stream of bytes from a file, a pipe, a decompressor or memory: a reader holds no more of them than it asked for.

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "lib/io/buffer.hpp"

namespace rowan::io {

/// Fills a part of `room`, which is not empty, and returns how much; 0 only at the end.
using Pull = std::function<std::size_t(std::span<char> room)>;

/// A stream whose first bytes may be looked at before they are read.
class Bytes {
 public:
  explicit Bytes(Pull pull) : pull_(std::move(pull)) {}

  /// The next `n` bytes, fewer only where the stream ends.
  [[nodiscard]] std::string_view peek(std::size_t n);
  /// Fills all of `room` unless the stream ends; returns how much.
  [[nodiscard]] std::size_t read(std::span<char> room);
  /// All that is left.
  [[nodiscard]] TextBuffer rest();

 private:
  Pull pull_;
  TextBuffer peeked_;
  std::size_t used_ = 0;  // of what was peeked
};

/// The bytes of a view, which must outlive the stream.
[[nodiscard]] Bytes bytes_of_memory(std::string_view bytes);

}  // namespace rowan::io
