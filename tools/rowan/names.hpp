#pragma once
// Names that options take.
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "lib/core/spelling.hpp"
#include <rowan/options.hpp>

namespace rowan::tool {

/// Refuses, as wrong usage, whatever is not among `all`.
[[nodiscard]] CLI::Validator one_of(const std::string& what, std::vector<std::string> all);
/// Refuses nothing: shells offer `all` where the option is completed.
[[nodiscard]] CLI::Validator offers(const std::vector<std::string>& all);
/// What was given to one_of() or offers(), empty where there was neither.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);
/// What an option takes, as help shows it: "FILE"; empty for flags.
[[nodiscard]] std::string shown_type(const CLI::Option& option);

/// Refuses what is no accumulator, a device's ":LANES" behind it left aside.
[[nodiscard]] CLI::Validator accumulator();
/// Throws UsageError for lanes ("hash:8") on a host, which has none.
void check_force(const std::string& force, Backend backend);
/// Accumulators and their families, each once.
[[nodiscard]] std::vector<std::string> accumulator_names();
/// Backends, whether or not this build has them.
[[nodiscard]] std::vector<std::string> backend_names();
/// "0,1": devices by number; "all": those that the backend has here; empty: none named. Throws UsageError for any other
/// text, and for a backend that is no device's.
[[nodiscard]] std::vector<int> devices_named(const std::string& list, Backend backend);
[[nodiscard]] Backend backend_named(const std::string& name);
/// The policies compiled in.
[[nodiscard]] std::vector<std::string> policy_names();

}  // namespace rowan::tool
