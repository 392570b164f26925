#include "tools/rowan/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "tools/rowan/writer.hpp"

namespace rowan::tool {

std::function<void(double)> Progress::callback() {
  if (isatty(STDERR_FILENO) == 0) return {};
  return [this](double share) { tell(share); };
}

void Progress::tell(double share) {
  const auto now = Clock::now();
  if (now - start_ < kPatience || now - told_ < kPause) return;
  told_ = now;
  shown_ = true;
  say_error(fmt::format("\rmultiplying: {:3.0f} %", 100 * share));
}

void Progress::clear() {
  if (shown_) say_error("\r                 \r");
  shown_ = false;
}

}  // namespace rowan::tool
