#include "lib/io/fault.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "lib/io/scan.hpp"

namespace rowan::io {
namespace {

constexpr std::ptrdiff_t kShown = 40;  // bytes of a token that a message repeats

std::string printable(char c) {
  if (c >= ' ' && c <= '~') return {c};
  std::array<char, 8> escaped{};
  std::snprintf(escaped.data(), escaped.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return escaped.data();
}

}  // namespace

long long line_of(std::string_view text, const char* at) {
  return 1 + std::count(text.data(), at, '\n');
}

Error text_error(const std::string& name, std::string_view text, const TextFault& fault, long long lines_before) {
  return {fault.code, name + ":" + std::to_string(lines_before + line_of(text, fault.at)) + ": " + fault.what};
}

std::string show_token(const char* at) {
  at = skip_blanks(at);
  if (*at == '\n') return "the end of the line";
  const char* const end = token_end(at);
  std::string shown = "'";
  for (const char* p = at; p != end && p - at < kShown; ++p) shown += printable(*p);
  return shown + (end - at > kShown ? "...'" : "'");
}

}  // namespace rowan::io
