#pragma once
// Single precision in JSON.
#include <charconv>

#include "models/print.hpp"

namespace rowan::tool {

/// The double with the fewest digits that give the same float: 0.1, not 0.10000000149011612.
[[nodiscard]] inline double few_digits(float value) {
  const std::string text = shortest(value);
  double number = value;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace rowan::tool
