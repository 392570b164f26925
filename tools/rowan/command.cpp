#include "tools/rowan/command.hpp"

#include <cmath>

namespace rowan::tool {
namespace {

/// Refuses what is not a number, and numbers for which `fault` has words.
template <class F>
CLI::Validator number(F fault) {
  return {[fault](std::string& text) -> std::string {
            double value = 0;
            if (!CLI::detail::lexical_cast(text, value) || std::isnan(value)) return "\"" + text + "\" is not a number";
            const std::string why = fault(value);
            return why.empty() ? "" : text + why;
          },
          ""};
}

}  // namespace

CLI::Validator above_zero() {
  return number([](double value) { return std::string(value > 0 ? "" : " is not above 0"); });
}

CLI::Validator at_least_zero() {
  return number([](double value) { return std::string(value >= 0 ? "" : " is below 0"); });
}

CLI::Validator whole(std::int64_t least, std::int64_t most) {
  return number([least, most](double value) {
    const bool fits =
        value >= static_cast<double>(least) && value <= static_cast<double>(most) && value == std::floor(value);
    return fits ? std::string()
                : " is not a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  });
}

}  // namespace rowan::tool
