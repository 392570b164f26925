#pragma once
// The program's commands as a tree that can be walked, and their help.
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace rowan::tool {

/// A command and the words that it is called by: "rowan model show".
struct Called {
  const CLI::App* app;
  std::string name;
};

/// The program itself and every command below it, parents first.
[[nodiscard]] std::vector<Called> all_commands(const CLI::App& program);

/// The command that `words` call, the program itself where there are none. Throws UsageError where there is none such.
[[nodiscard]] Called command_called(const CLI::App& program, const std::vector<std::string>& words);

/// The innermost command that was parsed.
[[nodiscard]] Called parsed_command(const CLI::App& program);

/// Commands right below another.
[[nodiscard]] std::vector<std::string> commands_below(const CLI::App& app);

/// How help looks, for the program and all that is added to it afterwards.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> help_format();

/// What --help shows.
[[nodiscard]] std::string help_text(const Called& command);

}  // namespace rowan::tool
