// The rowan executable: parses, runs one command, turns whatever goes wrong into one line and an exit code.
#include <new>
#include <span>

#include <nlohmann/json.hpp>

#include "lib/core/instructions.hpp"
#include "tools/rowan/command.hpp"
#include "tools/rowan/help.hpp"
#include "tools/rowan/missing_file.hpp"
#include "tools/rowan/terminal.hpp"
#include "tools/rowan/usage.hpp"
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

/// Adds --quiet to the command and all below it, which help calls commands.
void add_quiet(CLI::App& app) {
  if (app.get_group() == "Subcommands") app.group("Commands");
  app.add_flag_callback(
      "-q,--quiet", [] { set_quiet(true); }, "print only results and errors");
  for (CLI::App* sub : app.get_subcommands({})) add_quiet(*sub);
}

int run(int argc, char** argv) {
  CLI::App app("Sparse matrix-matrix multiplication that chooses an accumulator for every row.", "rowan");
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("-V,--version", "rowan " + std::string(version()), "print the version");
  app.require_subcommand(1);
  app.option_defaults()->disable_flag_override();  // a flag takes no value, no number either
  app.formatter(help_format());
  app.footer(
      "Examples:\n  rowan multiply A.mtx B.mtx -o C.mtx\n  rowan inspect A.mtx --measure\n\n"
      "Exit codes: 0 done, 1 failed, 2 wrong usage. More: rowan COMMAND --help");
  const Command commands[] = {add_multiply(app), add_galerkin(app),   add_inspect(app), add_generate(app),
                              add_info(app),     add_model(app),      add_bench(app),   add_train(app),
                              add_help(app),     add_completion(app), add_man(app)};
  add_quiet(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    say(help_text(parsed_command(app)));
    return kOk;
  } catch (const CLI::CallForVersion& e) {
    say(std::string(e.what()) + "\n");
    return kOk;
  } catch (const CLI::ParseError& e) {
    return fail(usage_message(app, e), kUsage);
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
