#pragma once
// File names and messages may hold anything; a terminal obeys some of it.
#include <string>
#include <string_view>

namespace rowan::tool {

/// `text` with whatever a terminal might obey as \x1b and the like: control characters, those of Unicode too, and bytes
/// that are no UTF-8.
[[nodiscard]] std::string printable(std::string_view text);

/// The same, but line ends and tabs stay: for text of several lines.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace rowan::tool
