#pragma once
// What main knows about a subcommand: its options, and what to do once they are read. Every command is made by one
// function in the file of its name.
#include <cstdint>
#include <functional>
#include <stdexcept>

#include <CLI/CLI.hpp>

namespace rowan::tool {

/// Exit codes of the program.
inline constexpr int kOk = 0, kFailed = 1, kUsage = 2;

/// A fault of the command line that shows only after parsing; ends in kUsage.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Refuses, while parsing, whatever `parse` throws a UsageError for.
template <class F>
[[nodiscard]] CLI::Validator parsed_by(F parse) {
  return {[parse](std::string& text) -> std::string {
            try {
              static_cast<void>(parse(text));
              return "";
            } catch (const UsageError& e) {
              return e.what();
            }
          },
          ""};
}

/// Refuse what is not a number, or not such a one. Every option that takes a number has one of them.
[[nodiscard]] CLI::Validator above_zero();
[[nodiscard]] CLI::Validator at_least_zero();
[[nodiscard]] CLI::Validator whole(std::int64_t least, std::int64_t most);

struct Command {
  CLI::App* app;
  std::function<int()> run;  // returns the exit code, or throws
};

[[nodiscard]] Command add_multiply(CLI::App& app);
[[nodiscard]] Command add_galerkin(CLI::App& app);
[[nodiscard]] Command add_inspect(CLI::App& app);
[[nodiscard]] Command add_generate(CLI::App& app);
[[nodiscard]] Command add_info(CLI::App& app);
[[nodiscard]] Command add_model(CLI::App& app);
[[nodiscard]] Command add_bench(CLI::App& app);
[[nodiscard]] Command add_train(CLI::App& app);
/// After all others, which they tell of. `help` is shown, by `rowan help COMMAND`, as --help shows it.
[[nodiscard]] Command add_help(CLI::App& app);
[[nodiscard]] Command add_completion(CLI::App& app);
[[nodiscard]] Command add_man(CLI::App& app);

}  // namespace rowan::tool
