#pragma once
// Names that a user may misspell: what there is, and what was probably meant.
#include <string>
#include <string_view>
#include <vector>

namespace rowan {

/// What of `all` was probably meant by `name`; empty where nothing is close.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& all);

/// "there is no WHAT "NAME", did you mean "..."? There are ..."; the guess only where one is close.
[[nodiscard]] std::string unknown(std::string_view what, std::string_view name, const std::vector<std::string>& all);

}  // namespace rowan
