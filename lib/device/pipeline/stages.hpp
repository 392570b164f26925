#pragma once
// Times of stages by the stream's own clock; costs nothing where it is off.
#include <array>
#include <vector>

#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

class StageClock {
 public:
  StageClock(bool on, hipStream_t stream) : on_(on), stream_(stream) { mark(nullptr); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;
  ~StageClock() {
    for (const Mark& m : marks_) (void)hipEventDestroy(m.event);
  }
  /// What was put into the stream since the last mark belongs to `seconds`.
  void mark(double* seconds) {
    if (!on_) return;
    hipEvent_t event;
    check(hipEventCreateWithFlags(&event, hipEventDefault), "making an event");
    marks_.push_back({event, seconds});
    check(hipEventRecord(event, stream_), "recording an event");
  }
  /// Waits, and adds up.
  void read() {
    if (!on_) return;
    check(hipEventSynchronize(marks_.back().event), "waiting for the device");
    for (std::size_t k = 1; k < marks_.size(); k++) {
      float ms = 0;
      check(hipEventElapsedTime(&ms, marks_[k - 1].event, marks_[k].event), "reading an event");
      if (marks_[k].seconds != nullptr) *marks_[k].seconds += 1e-3 * static_cast<double>(ms);
    }
  }

 private:
  struct Mark {
    hipEvent_t event;
    double* seconds;
  };
  bool on_;
  hipStream_t stream_;
  std::vector<Mark> marks_;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
