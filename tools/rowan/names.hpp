#pragma once
// Names that the user may misspell: what there is, and what was probably meant.
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace rowan::tool {

/// "there is no WHAT "NAME", did you mean "..."? There are ..."; the guess only where one is close.
[[nodiscard]] std::string unknown(std::string_view what, std::string_view name, const std::vector<std::string>& all);

/// Refuses, as wrong usage, whatever is not among `all`.
[[nodiscard]] CLI::Validator one_of(std::string what, std::vector<std::string> all);

/// Accumulators and their families, each once.
[[nodiscard]] std::vector<std::string> accumulator_names();
/// The policies compiled in.
[[nodiscard]] std::vector<std::string> policy_names();

}  // namespace rowan::tool
