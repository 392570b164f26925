#include "lib/io/lines.hpp"

#include <algorithm>

namespace rowan::io {
namespace {

// Not measured, only bounded: a chunk is a millisecond of parsing or more, and its entries fit a second-level cache. In
// large files chunks grow, so that their number, and that of the address ranges behind them, stays in the thousands.
constexpr std::size_t kSmallestChunk = std::size_t{1} << 20;
constexpr std::size_t kLargestChunk = std::size_t{16} << 20;
constexpr std::size_t kChunksBeforeGrowth = 512;

}  // namespace

std::size_t Lines::chunk_size() const {
  return std::clamp(consumed_ / kChunksBeforeGrowth, kSmallestChunk, kLargestChunk);
}

bool Lines::append_next(TextBuffer& text) {
  const std::size_t start = text.size();
  text.append(carry_.view());
  carry_.clear();
  for (;;) {
    const std::size_t asked = chunk_size();
    const std::size_t got = bytes_.read(text.room(asked).first(asked));
    text.advance(got);
    consumed_ += got;
    if (got != asked) {
      text.end_line();
      return text.size() != start;
    }
    const std::string_view chunk = text.view().substr(start);
    if (const std::size_t last = chunk.rfind('\n'); last != std::string_view::npos) {
      carry_.append(chunk.substr(last + 1));
      text.cut(start + last + 1);
      return true;
    }
    if (chunk.size() > kLongest) throw EndlessLine{};
  }
}

}  // namespace rowan::io
