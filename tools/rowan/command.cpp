#include "tools/rowan/command.hpp"

namespace rowan::tool {
namespace {

/// The number that all of the text is; what is none passes here.
double number(const std::string& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) ? value : 1;
}

}  // namespace

CLI::Validator above_zero() {
  return {[](std::string& text) { return number(text) > 0 ? "" : text + " is not above 0"; }, ""};
}

CLI::Validator at_least_zero() {
  return {[](std::string& text) { return number(text) >= 0 ? "" : text + " is below 0"; }, ""};
}

}  // namespace rowan::tool
