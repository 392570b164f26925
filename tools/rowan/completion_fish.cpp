#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/rowan/completion.hpp"
#include "tools/rowan/help.hpp"

namespace rowan::tool {
namespace {

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// A condition: the words of the command were given, and none below it.
std::string fish_condition(const Called& command) {
  const std::vector<std::string> words = CLI::detail::split(command.name, ' '), below = commands_below(*command.app);
  std::string condition;
  for (std::size_t i = 1; i < words.size(); i++)
    condition += (i == 1 ? "" : "; and ") + ("__fish_seen_subcommand_from " + words[i]);
  if (words.size() == 1) return "__fish_use_subcommand";
  if (!below.empty()) condition += fmt::format("; and not __fish_seen_subcommand_from {}", fmt::join(below, " "));
  return condition;
}

std::string fish_line(const Completed& one) {
  std::string text;
  for (const std::string& name : one.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (one.takes != Completed::flag && !one.names.empty()) text += " -r";
  if (one.takes == Completed::files) text += " -F";
  if (one.takes == Completed::value) text += " -f";
  std::string offered = fmt::format("{}", fmt::join(one.choices, " "));
  if (one.takes == Completed::folders) offered = "(__fish_complete_directories)";
  if (!offered.empty()) text += (one.takes == Completed::folders ? " -f -a " : " -a ") + fish_quoted(offered);
  return text + " -d " + fish_quoted(one.about);
}

}  // namespace

std::string fish_completion(const CLI::App& program) {
  std::string text = "# fish completion for rowan, made by `rowan completion fish`\ncomplete -c rowan -f\n";
  for (const Called& command : all_commands(program)) {
    const std::string start = "complete -c rowan -n " + fish_quoted(fish_condition(command));
    for (const CLI::App* below : command.app->get_subcommands({}))
      text += start + " -a " + below->get_name() + " -d " + fish_quoted(below->get_description()) + "\n";
    bool arguments = false;
    for (const Completed& one : completed(*command.app)) {
      if (one.names.empty() && std::exchange(arguments, true)) continue;  // the first says what all of them are
      text += start + fish_line(one) + "\n";
    }
  }
  return text;
}

}  // namespace rowan::tool
