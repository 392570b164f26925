#pragma once
// How parsers of text report a fault: by position. Lines are counted only when a fault is final.

#include <string>
#include <string_view>

#include <rowan/error.hpp>

namespace rowan::io {

/// Thrown inside the parser; text_error makes the Error that users see.
struct TextFault {
  const char* at;  ///< into the text
  std::string what;
  ErrorCode code = ErrorCode::parse;
};

/// The number of the line that holds `at`, the first being 1.
[[nodiscard]] long long line_of(std::string_view text, const char* at);

/// 'NAME:LINE: WHAT' for a text that begins after `lines_before` lines of its file.
[[nodiscard]] Error text_error(const std::string& name, std::string_view text, const TextFault& fault,
                               long long lines_before = 0);

/// The token at `at` in a line that ends with '\n': quoted, cut where long, unprintable bytes as \xNN; or "the end of
/// the line" where there is none.
[[nodiscard]] std::string show_token(const char* at);

}  // namespace rowan::io
