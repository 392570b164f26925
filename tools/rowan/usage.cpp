#include "tools/rowan/usage.hpp"

#include <set>
#include <string_view>
#include <vector>

#include "tools/rowan/help.hpp"
#include "tools/rowan/names.hpp"

namespace rowan::tool {
namespace {

std::string unknown_option(const CLI::App& at, const std::string& given) {
  std::vector<std::string> names;
  for (const CLI::Option* option : at.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string meant = nearest(given.substr(0, given.find('=')), names);
  return "unknown option " + given + (meant.empty() ? "" : ", did you mean " + meant + "?");
}

/// A word that nothing takes: a command or an option misspelt, or one too many.
std::string unexpected(const CLI::App& at, const std::string& word) {
  if (word.starts_with("-")) return unknown_option(at, word);
  const std::vector<std::string> commands = commands_below(at);
  return commands.empty() ? "unexpected argument " + word : unknown("command", word, commands);
}

std::string missing(const CLI::App& at) {
  for (const CLI::Option* option : at.get_options())
    if (option->get_required() && option->count() == 0) return option->get_name() + " is missing";
  return "a command is missing; there are " + CLI::detail::join(commands_below(at), ", ");
}

/// The first option that was given with, or without, one of those that it has to do with.
std::string beside(const CLI::App& at, bool wanted) {
  for (const CLI::Option* option : at.get_options()) {
    if (option->count() == 0) continue;
    const std::set<CLI::Option*> others = wanted ? option->get_needs() : option->get_excludes();
    for (const CLI::Option* other : others)
      if ((other->count() == 0) == wanted)
        return option->get_name() +
               (wanted ? " needs " + other->get_name() : " and " + other->get_name() + " exclude each other");
  }
  return "options do not go together";
}

/// The parser's message begins with an option's name and a colon.
const CLI::Option* named(const CLI::App& at, std::string_view message) {
  for (const CLI::Option* option : at.get_options())
    if (message.starts_with(option->get_name() + ":")) return option;
  return nullptr;
}

std::string wrong_count(const CLI::App& at, const std::string& message) {
  if (const std::size_t end = message.find(" was given a disallowed flag override"); end != std::string::npos)
    return (end == 1 ? "-" : "--") + message.substr(0, end) + " takes no value";
  const CLI::Option* const option = named(at, message);
  if (option == nullptr) return message;
  if (option->count() > 1) return option->get_name() + " is given " + std::to_string(option->count()) + " times";
  if (option->get_items_expected_max() == 0) return option->get_name() + " takes no value";
  return option->get_name() + " needs a value" +
         (shown_type(*option).empty() ? std::string() : ": " + option->get_name() + " " + shown_type(*option));
}

/// "Could not convert: --threads = 1e3": validators refuse what is no number before, and flags take no value.
std::string unreadable(const CLI::App& at, const std::string& message) {
  for (const CLI::Option* option : at.get_options()) {
    if (message.find(" " + option->get_name() + " = ") == std::string::npos || option->count() == 0) continue;
    if (option->get_items_expected_max() == 0) return option->get_name() + " takes no value";
    return option->get_name() + ": \"" + option->results().front() + "\" is not a whole number";
  }
  return "an option was given a value that it does not take";
}

std::string fault(const CLI::App& app, const CLI::App& at, const CLI::ParseError& error) {
  const std::vector<std::string> left = app.remaining(true);
  if (!left.empty()) return unexpected(at, left.front());
  const std::string kind = error.get_name();
  if (kind == "RequiredError") return missing(at);
  if (kind == "RequiresError") return beside(at, true);
  if (kind == "ExcludesError") return beside(at, false);
  if (kind == "ArgumentMismatch") return wrong_count(at, error.what());
  if (kind == "ConversionError") return unreadable(at, error.what());
  return error.what();  // a validator's words, which are ours
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const Called command = parsed_command(app);
  return fault(app, *command.app, error) + " (see " + command.name + " --help)";
}

}  // namespace rowan::tool
