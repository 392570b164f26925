// The rowan executable: parses, runs one command, turns whatever goes wrong into one line and an exit code.
#include <memory>
#include <new>
#include <span>
#include <sstream>

#include <nlohmann/json.hpp>

#include "lib/core/instructions.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/missing_file.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/width.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/version.hpp>

namespace rowan::tool {
namespace {

int fail(const std::string& message, int code) {
  say_fault(message);
  return code;
}

/// What an argument that is not a file may have meant, if the message is about one.
std::string hint(const std::string& message, std::span<char*> arguments) {
  for (std::string argument : arguments) {
    if (argument.starts_with("--")) argument.erase(0, argument.find('=') + 1);  // --model=FILE
    if (std::string text = missing_file_hint(message, argument); !text.empty()) return text;
  }
  return "";
}

/// Adds --quiet to the command and all below it.
void add_quiet(CLI::App& app) {
  app.add_flag_callback(
      "-q,--quiet", [] { set_quiet(true); }, "print only results and errors");
  for (CLI::App* sub : app.get_subcommands({})) add_quiet(*sub);
}

/// The long options of the command that was named.
std::vector<std::string> options_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) return options_of(*chosen.front());
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string unknown_option(const CLI::App& app, const std::string& option) {
  const std::string meant = nearest(option.substr(0, option.find('=')), options_of(app));
  return "unknown option " + option + (meant.empty() ? "" : ", did you mean " + meant + "?");
}

/// The innermost command that was named, for the hint where to read on.
std::string help_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return app.get_name() + (chosen.empty() ? " --help" : " " + help_of(*chosen.front()));
}

/// What CLI11 says about a word that it did not expect, unless that word is a command misspelt.
std::string usage_message(const CLI::App& app, const CLI::ParseError& e) {
  const auto chosen = app.get_subcommands();
  const std::vector<std::string> left = app.remaining(true);
  const CLI::App& at = chosen.empty() ? app : *chosen.front();
  if (!left.empty() && !left.front().starts_with("-") && at.get_subcommands().empty()) {
    std::vector<std::string> commands;
    for (const CLI::App* sub : at.get_subcommands({})) commands.push_back(sub->get_name());
    if (!commands.empty()) return unknown("command", left.front(), commands);
  }
  if (!left.empty() && left.front().starts_with("-")) return unknown_option(app, left.front());
  if (!left.empty()) return "unexpected argument " + left.front();
  return e.what();
}

/// CLI11's help without its lists of options that exclude each other; our descriptions and messages say it where it
/// matters.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    return type.empty() ? "" : " " + type;
  }
};

/// At most one empty line at a time: CLI11 leaves two between groups. No line is longer than the page.
std::string tidy(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
  return fitted(text);
}

int run(int argc, char** argv) {
  CLI::App app("Sparse matrix-matrix multiplication that chooses an accumulator for every row.", "rowan");
  app.set_version_flag("--version", "rowan " + std::string(version()));
  app.require_subcommand(1);
  app.formatter(std::make_shared<Formatter>());
  app.get_formatter()->column_width(28);
  app.footer(
      "Examples:\n  rowan multiply A.mtx B.mtx -o C.mtx\n  rowan inspect A.mtx --measure\n\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage. More: rowan COMMAND --help");
  const Command commands[] = {add_multiply(app), add_galerkin(app), add_inspect(app), add_generate(app),
                              add_info(app),     add_model(app),    add_bench(app),   add_train(app)};
  add_quiet(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // help or version
    std::ostringstream text;
    app.exit(e, text, text);
    say(tidy(text.str()));
    return kOk;
  } catch (const CLI::ParseError& e) {
    return fail(usage_message(app, e) + " (see " + help_of(app) + ")", kUsage);
  }
  limit_instructions_as_asked();
  for (const Command& command : commands)
    if (command.app->parsed()) return command.run();
  return kUsage;
}

}  // namespace
}  // namespace rowan::tool

int main(int argc, char** argv) {
  using namespace rowan::tool;
  try {
    return run(argc, argv);
  } catch (const UsageError& e) {
    return fail(e.what(), kUsage);
  } catch (const std::bad_alloc&) {
    return fail("out of memory; with --memory-limit rowan multiply uses less", kFailed);
  } catch (const nlohmann::json::exception&) {  // its words are about the library, not about what went wrong
    return fail("a JSON document does not have the form that it should have", kFailed);
  } catch (const std::exception& e) {
    const std::string message = e.what();
    return fail(message + hint(message, {argv, static_cast<std::size_t>(argc)}), kFailed);
  }
}
