#pragma once

#include <cstddef>

#include "lib/io/buffer.hpp"
#include "lib/io/bytes.hpp"

namespace rowan::io {

/// A line that no text has: what is being read is something else, /dev/zero perhaps.
struct EndlessLine {};

/// Cuts a stream of text into chunks of whole lines. All of them end with '\n', the last line of the text too.
class Lines {
 public:
  static constexpr std::size_t kLongest = std::size_t{64} << 20;  ///< bytes of a line

  explicit Lines(Bytes bytes) : bytes_(std::move(bytes)) {}

  /// Appends the next chunk to `text`; false at the end. Throws EndlessLine, and what the stream throws.
  bool append_next(TextBuffer& text);

 private:
  [[nodiscard]] std::size_t chunk_size() const;

  Bytes bytes_;
  TextBuffer carry_;          // the beginning of a line whose end is still to come
  std::size_t consumed_ = 0;  // bytes
};

}  // namespace rowan::io
