#include "tools/rowan/units.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "tools/rowan/command.hpp"

namespace rowan::tool {
namespace {

constexpr std::string_view kPrefixes = "KMGT";

/// What one of "", "B", "K", "KB", "KiB" ... stands for; 0 for anything else.
double unit(std::string_view suffix) {
  if (suffix.empty() || suffix == "b") return 1;
  const auto power = kPrefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(suffix[0]))));
  if (power == std::string_view::npos) return 0;
  const std::string_view rest = suffix.substr(1);
  if (rest.empty() || rest == "ib") return std::pow(1024.0, static_cast<double>(power + 1));
  return rest == "b" ? std::pow(1000.0, static_cast<double>(power + 1)) : 0;
}

}  // namespace

std::int64_t parse_size(std::string_view text) {
  constexpr double kTooMany = 9.2e18;  // just below what int64 holds
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  std::string suffix(end, text.data() + text.size());
  for (char& c : suffix) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const double bytes = number * unit(suffix);
  if (error != std::errc() || !(bytes >= 1) || bytes > kTooMany)
    throw UsageError(fmt::format("\"{}\" is not a size; give one like 500M, 8G or 1.5GiB", text));
  return static_cast<std::int64_t>(bytes);
}

std::string print_size(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto amount = static_cast<double>(bytes) / 1024;
  std::size_t prefix = 0;
  for (; amount >= 1024 && prefix + 1 < kPrefixes.size(); prefix++) amount /= 1024;
  return fmt::format("{:.1f} {}iB", amount, kPrefixes[prefix]);
}

std::string print_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string print_count(std::int64_t n) {
  std::string text = std::to_string(n);
  const std::size_t first = n < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string today() {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace rowan::tool
