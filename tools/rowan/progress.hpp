#pragma once
// One line on a terminal while a multiplication takes long.
#include <chrono>
#include <functional>

namespace rowan::tool {

class Progress {
 public:
  Progress() : start_(Clock::now()), told_(start_) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// What to hand to Options::progress, which must not outlive this; empty where standard error is no terminal.
  [[nodiscard]] std::function<void(double)> callback();
  /// Takes the line away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPatience{1000}, kPause{100};  // before the first line, between lines

  void tell(double share);

  Clock::time_point start_, told_;
  bool shown_ = false;
};

}  // namespace rowan::tool
