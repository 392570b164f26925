#include "tools/rowan/progress.hpp"

#include "tools/rowan/terminal.hpp"
#include "tools/rowan/writer.hpp"

namespace rowan::tool {

std::function<void(double)> Progress::callback() {
  if (!on_terminal() || quiet()) return {};
  return [this](double share) { tell(share); };
}

void Progress::tell(double share) {
  const auto now = Clock::now();
  if (now - start_ < kPatience || now - told_ < kPause) return;
  told_ = now;
  shown_ = true;
  // \r to the line's start, \x1b[K to clear what a longer line before left behind
  draw("\r" + progress_line(what_, share, std::chrono::duration<double>(now - start_).count()) + "\x1b[K");
}

void Progress::clear() {
  if (shown_) draw("\r\x1b[K");
  shown_ = false;
}

}  // namespace rowan::tool
