#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/rowan/completion.hpp"
#include "tools/rowan/help.hpp"

namespace rowan::tool {
namespace {

/// Text within a specification of _arguments, in single quotes.
std::string zsh_quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const Completed& one) {
  if (one.takes == Completed::files && !one.choices.empty())
    return fmt::format("{{_alternative \"name\\:name\\:({})\" \"file\\:file\\:_files\"}}", fmt::join(one.choices, " "));
  if (!one.choices.empty()) return fmt::format("({})", fmt::join(one.choices, " "));
  if (one.takes == Completed::folders) return "_files -/";
  return one.takes == Completed::files ? "_files" : " ";
}

std::string zsh_specification(const Completed& one) {
  if (one.names.empty()) return fmt::format("'*:{}:{}'", zsh_quoted(one.about), zsh_action(one));
  const std::string value = one.takes == Completed::flag ? "" : fmt::format(":value:{}", zsh_action(one));
  const std::string rest = fmt::format("[{}]{}", zsh_quoted(one.about), value);
  const std::string repeated = one.takes == Completed::flag ? "" : "*";  // several may be given of some
  if (one.names.size() == 1) return fmt::format("'{}{}{}'", repeated, one.names.front(), rest);
  return fmt::format("'({})'{{{}}}'{}'", fmt::join(one.names, " "), fmt::join(one.names, ","), rest);
}

std::string zsh_name(std::string name) {
  for (char& c : name)
    if (c == ' ') c = '_';
  return "_" + name;
}

std::string zsh_function(const Called& command) {
  std::string lines, commands, cases;
  bool arguments = false;
  for (const Completed& one : completed(*command.app)) {
    if (one.names.empty() && std::exchange(arguments, true)) continue;  // the first says what all of them are
    lines += " \\\n    " + zsh_specification(one);
  }
  for (const CLI::App* below : command.app->get_subcommands({})) {
    const std::string name = below->get_name();
    commands += fmt::format(" \\\n      '{}:{}'", name, zsh_quoted(below->get_description()));
    cases += fmt::format("        {}) {} ;;\n", name, zsh_name(command.name + " " + name));
  }
  const std::string function = zsh_name(command.name);
  if (commands.empty()) return fmt::format("{}() {{\n  _arguments -s{}\n}}\n", function, lines);
  return fmt::format(
      "{}() {{\n  local context state state_descr line\n  typeset -A opt_args\n"
      "  _arguments -C{} \\\n    '1:command:->command' '*::argument:->arguments'\n"
      "  case $state in\n    command)\n      local -a commands=({})\n      _describe command commands ;;\n"
      "    arguments)\n      case $line[1] in\n{}      esac ;;\n  esac\n}}\n",
      function, lines, commands, cases);
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  std::string text = "#compdef rowan\n# zsh completion for rowan, made by `rowan completion zsh`\n";
  for (const Called& command : all_commands(program)) text += zsh_function(command);
  // as a file of fpath the body is the function; sourced, it is told
  return text + "if [ \"$funcstack[1]\" = _rowan ]; then _rowan \"$@\"; else compdef _rowan rowan; fi\n";
}

}  // namespace rowan::tool
