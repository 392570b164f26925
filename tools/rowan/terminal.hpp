#pragma once
// What only terminals get to see. NO_COLOR (https://no-color.org) turns colours off, TERM=dumb all of it.
#include <string>
#include <string_view>

namespace rowan::tool {

/// --quiet: nothing is said but what was asked for and what went wrong.
void set_quiet(bool quiet);
[[nodiscard]] bool quiet();

/// Whether standard error is a terminal, and one that can move its cursor.
[[nodiscard]] bool on_terminal();

/// `text` in bold red where standard error is a terminal that wants colours; as it is elsewhere.
[[nodiscard]] std::string alarming(std::string_view text);

}  // namespace rowan::tool
