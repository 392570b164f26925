// rowan help: what --help shows, for a command that is named.
#include "tools/rowan/help.hpp"

#include <algorithm>

#include "tools/rowan/command.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/width.hpp"
#include "tools/rowan/writer.hpp"

namespace rowan::tool {
namespace {

/// CLI11's help without its lists of options that exclude each other; our descriptions and messages say it where it
/// matters.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = shown_type(*option);
    return type.empty() ? "" : " " + type;
  }
};

/// At most one empty line at a time: CLI11 leaves two between groups. No line is longer than the page.
std::string tidy(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
  return fitted(text);
}

void collect(const Called& command, std::vector<Called>& all) {
  all.push_back(command);
  for (const CLI::App* below : command.app->get_subcommands({}))
    collect({below, command.name + " " + below->get_name()}, all);
}

}  // namespace

std::vector<Called> all_commands(const CLI::App& program) {
  std::vector<Called> all;
  collect({&program, program.get_name()}, all);
  return all;
}

std::vector<std::string> commands_below(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

Called command_called(const CLI::App& program, const std::vector<std::string>& words) {
  Called at{&program, program.get_name()};
  for (const std::string& word : words) {
    const std::vector<std::string> below = commands_below(*at.app);
    if (below.empty()) throw UsageError(at.name + " has no commands below it, so no \"" + word + "\"");
    if (std::find(below.begin(), below.end(), word) == below.end())
      throw UsageError(unknown("command", word, below) + " (see " + at.name + " --help)");
    at = {at.app->get_subcommand(word), at.name + " " + word};
  }
  return at;
}

Called parsed_command(const CLI::App& program) {
  Called at{&program, program.get_name()};
  for (auto chosen = program.get_subcommands(); !chosen.empty(); chosen = at.app->get_subcommands())
    at = {chosen.front(), at.name + " " + chosen.front()->get_name()};
  return at;
}

std::shared_ptr<CLI::FormatterBase> help_format() {
  constexpr std::size_t kOptions = 28;  // columns
  auto format = std::make_shared<Formatter>();
  format->column_width(kOptions);
  format->label("Positionals", "Arguments");
  format->label("SUBCOMMAND", "COMMAND");
  return format;
}

std::string help_text(const Called& command) {
  return tidy(command.app->get_formatter()->make_help(command.app, command.name, CLI::AppFormatMode::Normal));
}

Command add_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "what a command does and takes, as its --help");
  command->add_option("COMMAND", *words, "the command; if not given, the program")
      ->check(offers(commands_below(app)))
      ->type_name("");
  command->group("About rowan")->footer("Examples:\n  rowan help multiply\n  rowan help model show");
  return {command, [&app, words] {
            say(help_text(command_called(app, *words)));
            return kOk;
          }};
}

}  // namespace rowan::tool
