#include "lib/io/bytes.hpp"

#include <algorithm>

namespace rowan::io {

std::string_view Bytes::peek(std::size_t n) {
  while (peeked_.size() - used_ < n) {
    const std::span<char> room = peeked_.room();
    const std::size_t got = pull_(room.first(std::min(room.size(), n - (peeked_.size() - used_))));
    if (got == 0) break;
    peeked_.advance(got);
  }
  return peeked_.view().substr(used_, n);
}

std::size_t Bytes::read(std::span<char> room) {
  const std::string_view first = peeked_.view().substr(used_, room.size());
  std::copy(first.begin(), first.end(), room.begin());
  used_ += first.size();
  std::size_t done = first.size();
  while (done != room.size()) {
    const std::size_t got = pull_(room.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

TextBuffer Bytes::rest() {
  TextBuffer all;
  for (;;) {
    const std::size_t got = read(all.room());
    if (got == 0) return all;
    all.advance(got);
  }
}

Bytes bytes_of_memory(std::string_view bytes) {
  auto next = [bytes](std::span<char> room) mutable {
    const std::string_view part = bytes.substr(0, room.size());
    std::copy(part.begin(), part.end(), room.begin());
    bytes.remove_prefix(part.size());
    return part.size();
  };
  return Bytes(std::move(next));
}

}  // namespace rowan::io
