#pragma once
// Text that fits a terminal.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rowan::tool {

/// Columns of a terminal that UTF-8 text takes: two for East Asian wide characters, none for those that combine.
[[nodiscard]] std::size_t columns_of(std::string_view text);

/// Columns that standard output has: COLUMNS, where that is set to a number; else its terminal's; else 80. At least 40.
[[nodiscard]] std::size_t page_width();

/// Lines of at most `width` columns, broken at blanks; a longer word has a line of its own.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Lines that are too long for the page broken, their rest indented as the line is and by `more` blanks; where two or
/// more blanks stand inside of a line, as between an option and its words, by the column behind them.
[[nodiscard]] std::string fitted(std::string_view lines, std::size_t more = 0);

}  // namespace rowan::tool
