#pragma once

#include <cstdint>
#include <string_view>

namespace rowan::io {

enum class TextLayout { coordinate, array };
enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew_symmetric };

/// What a Matrix Market file says before its first entry.
struct Header {
  TextLayout layout = TextLayout::coordinate;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0;       ///< fits int32
  std::int64_t cols = 0;       ///< fits int32; equals rows unless general
  std::int64_t entries = 0;    ///< that the file promises to hold: a word to check, not to allocate by
  long long line = 0;          ///< of the sizes, for messages
  const char* body = nullptr;  ///< behind that line
};

/// Whether a text whose lines all end with '\n' goes as far as the sizes, or cannot be read that far.
[[nodiscard]] bool holds_header(std::string_view text) noexcept;

/// Reads the banner, the comments and the sizes of such a text, which is not empty. Throws TextFault.
[[nodiscard]] Header parse_header(std::string_view text);

}  // namespace rowan::io
