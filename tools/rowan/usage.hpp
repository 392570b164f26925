#pragma once
// What is told of a command line that was not understood, in this program's words: the parser's are about itself.
#include <string>

#include <CLI/CLI.hpp>

namespace rowan::tool {

/// Why parsing ended in `error`, and where to read on: "--format needs --output (see rowan multiply --help)".
[[nodiscard]] std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace rowan::tool
