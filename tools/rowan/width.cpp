#include "tools/rowan/width.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace rowan::tool {
namespace {

struct Range {
  char32_t first, last;
};
// Unicode's East Asian Width (W and F) and combining marks, in blocks
constexpr std::array kWide{Range{0x1100, 0x115F},  Range{0x2E80, 0xA4CF},   Range{0xAC00, 0xD7A3},
                           Range{0xF900, 0xFAFF},  Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
                           Range{0xFFE0, 0xFFE6},  Range{0x1F300, 0x1F64F}, Range{0x1F900, 0x1F9FF},
                           Range{0x20000, 0x3FFFD}};
constexpr std::array kCombining{Range{0x0300, 0x036F}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20FF},
                                Range{0xFE00, 0xFE0F}};

bool in(const auto& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](const Range& r) { return c >= r.first && c <= r.last; });
}

/// The number that all of the text is; 0 for other text.
std::size_t number(std::string_view text) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? n : 0;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t bytes = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    char32_t c = bytes == 1 ? byte : byte & (0x7FU >> bytes);
    for (std::size_t k = 1; k < bytes && i + k < text.size(); k++)
      c = c << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    columns += in(kCombining, c) ? 0U : in(kWide, c) ? 2U : 1U;
    i += bytes;
  }
  return columns;
}

std::size_t page_width() {
  constexpr std::size_t kUsual = 80, kLeast = 40;
  const char* const set = std::getenv("COLUMNS");  // NOLINT(concurrency-mt-unsafe): only read
  std::size_t width = set != nullptr ? number(set) : 0;
  winsize size{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? kUsual : std::max(width, kLeast);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  if (columns_of(text) <= width) return {std::string(text)};
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (columns_of(line) + 1 + columns_of(word) <= width)
      line += " " + std::string(word);
    else
      lines.emplace_back(word);
  }
  return lines;
}

std::string fitted(std::string_view lines, std::size_t more) {
  const std::size_t width = page_width();
  std::string out;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    const bool ended = end < lines.size();
    lines.remove_prefix(ended ? end + 1 : end);
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    constexpr std::size_t kLeast = 20;  // columns for what stands behind a gap
    const std::size_t gap = line.find("  ", first), behind = std::min(line.find_first_not_of(' ', gap), line.size());
    const bool hanging = gap != std::string_view::npos && behind + kLeast <= width;
    const std::size_t from = hanging ? behind : first, indent = hanging ? behind : first + more;
    if (columns_of(line) <= width) {
      out += line;
    } else {
      std::string before(line.substr(0, from));
      const std::vector<std::string> parts = wrapped(line.substr(from), width - indent);
      for (const std::string& part : parts) {
        if (&part != &parts.front()) out += "\n";
        out += before + part;
        before.assign(indent, ' ');
      }
    }
    if (ended) out += "\n";
  }
  return out;
}

}  // namespace rowan::tool
