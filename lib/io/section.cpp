#include "lib/io/section.hpp"

#include <cstring>

#include "lib/io/pieces.hpp"

namespace rowan::io {

void write_section(Output& output, std::string_view bytes, bool gzip) {
  if (!gzip) return output.write(bytes);
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const auto pieces = static_cast<std::int64_t>((bytes.size() + kPiece - 1) / kPiece);
  write_pieces(output, pieces, gzip, [&](std::int64_t i) {
    const std::string_view slice = bytes.substr(static_cast<std::size_t>(i) * kPiece, kPiece);
    TextBuffer piece(slice.size());
    std::memcpy(piece.room().data(), slice.data(), slice.size());
    piece.advance(slice.size());
    return piece;
  });
}

}  // namespace rowan::io
