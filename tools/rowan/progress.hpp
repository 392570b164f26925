#pragma once
// One line on a terminal while something takes long: what, how far, how long still.
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace rowan::tool {

/// "reading A.mtx [######          ]  37 %, 5 s left"
[[nodiscard]] std::string progress_line(std::string_view what, double share, double seconds_so_far);

/// A step of the work. Nothing is shown in its first second, without a terminal, or with --quiet.
class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)), start_(Clock::now()), told_(start_) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// To be called with the share that is done; must not outlive this. Empty where nothing would be shown.
  [[nodiscard]] std::function<void(double)> callback();
  /// Takes the line away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPatience{1000}, kPause{100};  // before the first line, between lines

  void tell(double share);

  std::string what_;
  Clock::time_point start_, told_;
  bool shown_ = false;
};

}  // namespace rowan::tool
