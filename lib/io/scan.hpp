#pragma once
// Tokens and numbers of text whose lines all end with '\n': no function here runs past the newline of its line.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <system_error>

#include <fast_float/fast_float.h>

namespace rowan::io {

/// '\r' counts as a blank, which makes "\r\n" an end of line like any other.
[[nodiscard]] inline bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r';
}
[[nodiscard]] inline bool is_token_end(char c) noexcept {
  return is_blank(c) || c == '\n';
}
[[nodiscard]] inline bool is_digit(char c) noexcept {
  return static_cast<unsigned char>(c - '0') < 10;
}

[[nodiscard]] inline const char* skip_blanks(const char* p) noexcept {
  while (is_blank(*p)) ++p;
  return p;
}

[[nodiscard]] inline const char* token_end(const char* p) noexcept {
  while (!is_token_end(*p)) ++p;
  return p;
}

[[nodiscard]] inline const char* next_line(const char* p) noexcept {
  while (*p != '\n') ++p;
  return p + 1;
}

/// Where the next line with anything but blanks and comments has its first token; `end` where there is none. Counts the
/// lines that it skips.
[[nodiscard]] inline const char* skip_empty_lines(const char* p, const char* end, long long& skipped) noexcept {
  while (p != end) {
    p = skip_blanks(p);
    if (*p != '\n' && *p != '%') return p;
    p = next_line(p);
    ++skipped;
  }
  return end;
}
[[nodiscard]] inline const char* skip_empty_lines(const char* p, const char* end) noexcept {
  long long ignored = 0;
  return skip_empty_lines(p, end, ignored);
}

enum class Scan { ok, malformed, out_of_range };

/// Reads the whole token at `p` as an integer and moves `p` behind it. Moves only if all is well.
[[nodiscard]] inline Scan scan_integer(const char*& p, std::int64_t& value) noexcept {
  constexpr std::ptrdiff_t kSafeDigits = std::numeric_limits<std::int64_t>::digits10;  // all such numbers fit
  const bool negative = *p == '-';
  const char* digits = p + (negative || *p == '+');
  const char* q = digits;
  std::uint64_t magnitude = 0;
  while (is_digit(*q)) magnitude = 10 * magnitude + static_cast<std::uint64_t>(*q++ - '0');
  if (q == digits || !is_token_end(*q)) return Scan::malformed;
  if (q - digits > kSafeDigits) {
    while (*digits == '0') ++digits;
    if (q - digits > kSafeDigits) return Scan::out_of_range;
  }
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  p = q;
  return Scan::ok;
}

/// Reads the whole token at `p` as the nearest double, "inf" and "nan" included, and moves `p` behind it. Moves only if
/// all is well. Digits that overflow are out of range; those that underflow round to a denormal or zero.
[[nodiscard]] inline Scan scan_real(const char*& p, const char* end, double& value) noexcept {
  const char* const digits = p + (*p == '+');
  if (digits != p && *digits == '-') return Scan::malformed;
  const fast_float::from_chars_result parsed = fast_float::from_chars(digits, end, value);
  if (parsed.ec != std::errc() || !is_token_end(*parsed.ptr)) return Scan::malformed;
  if (std::isinf(value)) [[unlikely]] {
    const char first = digits[*digits == '-'];
    if (first != 'i' && first != 'I') return Scan::out_of_range;
  }
  p = parsed.ptr;
  return Scan::ok;
}

}  // namespace rowan::io
