// The rowan executable: parses, runs one command, turns whatever goes wrong into one line and an exit code.
#include <algorithm>
#include <memory>
#include <new>
#include <sstream>

#include "tools/rowan/command.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/writer.hpp"

namespace rowan::tool {
namespace {

int fail(std::string message, int code) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  say_error("rowan: " + message + "\n");
  return code;
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
  if (!left.empty()) return (left.front().starts_with("-") ? "unknown option " : "unexpected argument ") + left.front();
  return e.what();
}

/// CLI11's help without what excludes what, which our descriptions and messages tell where it matters.
class Formatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    return type.empty() ? "" : " " + type;
  }
};

/// At most one empty line at a time: CLI11 leaves two between groups.
std::string tidy(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

int run(int argc, char** argv) {
  CLI::App app("Sparse matrix-matrix multiplication that chooses how, row by row.", "rowan");
  app.set_version_flag("--version", "rowan " ROWAN_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<Formatter>());
  app.get_formatter()->column_width(28);
  app.footer(
      "Examples:\n  rowan multiply A.mtx B.mtx -o C.mtx\n  rowan inspect A.mtx --measure\n\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage. More: rowan COMMAND --help");
  const Command commands[] = {add_multiply(app), add_inspect(app), add_generate(app),
                              add_info(app),     add_model(app),   add_bench(app)};
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
    return fail("out of memory", kFailed);
  } catch (const std::exception& e) {
    return fail(e.what(), kFailed);
  }
}
