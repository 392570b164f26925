#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tools/rowan/printable.hpp"
#include "tools/rowan/progress.hpp"

namespace rowan::tool {
namespace {

std::string time_left(double seconds) {
  const auto left = static_cast<long long>(std::ceil(seconds));
  if (left < 60) return fmt::format("{} s", left);
  if (left < 3600) return fmt::format("{} min {:02} s", left / 60, left % 60);
  return fmt::format("{} h {:02} min", left / 3600, left % 3600 / 60);
}

}  // namespace

std::string progress_line(std::string_view what, double share, double seconds_so_far) {
  constexpr std::size_t kWidth = 24, kLongestName = 30;
  share = std::clamp(share, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(kWidth));
  std::string line = printable(what);
  if (line.size() > kLongestName) {
    std::size_t from = line.size() - kLongestName + 3;
    while (from < line.size() && (static_cast<unsigned char>(line[from]) & 0xC0U) == 0x80U) from++;  // whole characters
    line = "..." + line.substr(from);
  }
  line += " [" + std::string(full, '#') + std::string(kWidth - full, ' ') + fmt::format("] {:3.0f} %", 100 * share);
  if (share > 0) line += ", " + time_left(seconds_so_far * (1 - share) / share) + " left";
  return line;
}

}  // namespace rowan::tool
