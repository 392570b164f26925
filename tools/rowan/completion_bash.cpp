#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/rowan/completion.hpp"
#include "tools/rowan/help.hpp"

namespace rowan::tool {
namespace {

/// What is done where a value is completed: names, else what the shell does by itself.
std::string bash_replies(const Completed& one) {
  std::string line;
  if (!one.choices.empty())
    line += fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\")); ", fmt::join(one.choices, " "));
  if (one.takes == Completed::files) line += "compopt -o default; ";
  if (one.takes == Completed::folders) line += "compopt -o dirnames; ";
  return line;
}

std::string bash_case(const Called& command) {
  std::string options, values, arguments;
  for (const Completed& one : completed(*command.app)) {
    if (one.names.empty()) {
      if (arguments.empty()) arguments = bash_replies(one);
      continue;
    }
    options += fmt::format("{}{}", options.empty() ? "" : " ", fmt::join(one.names, " "));
    if (one.takes != Completed::flag)
      values += fmt::format("        {}) {}return ;;\n", fmt::join(one.names, "|"), bash_replies(one));
  }
  const std::vector<std::string> below = commands_below(*command.app);
  if (!below.empty()) arguments = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(below, " "));
  std::string text = fmt::format("    '{}')\n", command.name);
  if (!values.empty()) text += "      case $prev in\n" + values + "      esac\n";
  return text + fmt::format(
                    "      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n"
                    "      else {}\n      fi ;;\n",
                    options, arguments.empty() ? ":" : arguments);
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string cases, names;
  for (const Called& command : all_commands(program)) {
    cases += bash_case(command);
    names += fmt::format("{}'{}'", names.empty() ? "" : "|", command.name);
  }
  // the shell takes "--threads=8" for three words
  return "# bash completion for rowan, made by `rowan completion bash`\n"
         "_rowan() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=rowan i\n"
         "  if [[ $cur == = ]]; then cur=\n"
         "  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n"
         "  COMPREPLY=()\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$command ${COMP_WORDS[i]}\" in\n"
         "      " +
         names +
         ") command+=\" ${COMP_WORDS[i]}\" ;;\n"
         "    esac\n"
         "  done\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "}\n"
         "complete -F _rowan rowan\n";
}

}  // namespace rowan::tool
