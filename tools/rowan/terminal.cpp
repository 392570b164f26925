#include "tools/rowan/terminal.hpp"

#include <cstdlib>

#include <unistd.h>

namespace rowan::tool {
namespace {

bool is_quiet = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): the program's, set once

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): only read
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

void set_quiet(bool quiet) {
  is_quiet = quiet;
}

bool quiet() {
  return is_quiet;
}

bool on_terminal() {
  return isatty(STDERR_FILENO) != 0 && variable("TERM") != "dumb";
}

std::string alarming(std::string_view text) {
  if (!on_terminal() || !variable("NO_COLOR").empty()) return std::string(text);
  return "\x1b[1;31m" + std::string(text) + "\x1b[0m";
}

}  // namespace rowan::tool
