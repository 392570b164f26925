#include "tools/rowan/printable.hpp"

#include <array>
#include <cstddef>

namespace rowan::tool {
namespace {

struct Shape {
  unsigned first_least, first_most;    // of the first byte
  unsigned second_least, second_most;  // of the second: what is too long, a surrogate or beyond Unicode is left out
  std::size_t bytes;
};
// well-formed UTF-8, The Unicode Standard, table 3-7; C1 controls (U+0080 to U+009F) left out
constexpr std::array kShapes{
    Shape{0xC2, 0xC2, 0xA0, 0xBF, 2}, Shape{0xC3, 0xDF, 0x80, 0xBF, 2}, Shape{0xE0, 0xE0, 0xA0, 0xBF, 3},
    Shape{0xE1, 0xEC, 0x80, 0xBF, 3}, Shape{0xED, 0xED, 0x80, 0x9F, 3}, Shape{0xEE, 0xEF, 0x80, 0xBF, 3},
    Shape{0xF0, 0xF0, 0x90, 0xBF, 4}, Shape{0xF1, 0xF3, 0x80, 0xBF, 4}, Shape{0xF4, 0xF4, 0x80, 0x8F, 4}};

/// Bytes of the printable character that `text` begins with; 0 where there is none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  if (byte(0) < 0x80) return byte(0) >= ' ' && byte(0) != 0x7F ? 1 : 0;
  for (const Shape& s : kShapes) {
    if (byte(0) < s.first_least || byte(0) > s.first_most || text.size() < s.bytes) continue;
    if (byte(1) < s.second_least || byte(1) > s.second_most) continue;
    std::size_t i = 2;
    while (i < s.bytes && (byte(i) & 0xC0U) == 0x80U) i++;
    if (i == s.bytes) return i;
  }
  return 0;
}

std::string escape(std::string_view text, std::string_view kept) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t bytes = kept.find(text[0]) != std::string_view::npos ? 1 : character(text);
    if (bytes != 0) {
      out += text.substr(0, bytes);
    } else {
      const auto byte = static_cast<unsigned char>(text[0]);
      out += "\\x", out += kDigits[byte >> 4U], out += kDigits[byte & 15U];
      bytes = 1;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return escape(text, "");
}

std::string printable_lines(std::string_view text) {
  return escape(text, "\n\t");
}

}  // namespace rowan::tool
