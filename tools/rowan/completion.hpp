#pragma once
// What shells complete, from the definitions of the commands themselves.
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace rowan::tool {

/// An option or an argument, as a shell sees it.
struct Completed {
  std::vector<std::string> names;  ///< "-o", "--output"; none of an argument
  std::string about;
  enum { flag, files, folders, value } takes;
  std::vector<std::string> choices;  ///< of what it takes
};

[[nodiscard]] std::vector<Completed> completed(const CLI::App& command);

/// Scripts for the program and all commands below it.
[[nodiscard]] std::string bash_completion(const CLI::App& program);
[[nodiscard]] std::string zsh_completion(const CLI::App& program);
[[nodiscard]] std::string fish_completion(const CLI::App& program);

}  // namespace rowan::tool
