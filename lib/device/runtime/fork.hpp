#pragma once
// Kernels that do not depend on each other run side by side: on the caller's stream and a few more.
#include <optional>

#include "lib/device/runtime/memory.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Deals kernels out to streams that begin after what is in `stream` now. The device begins them in that order where it
/// has no room for all: each stream comes before the next, and `stream`, which has the last kernel, comes last. (In
/// streams of one priority it takes any first. In most products of a circuit on an H200 the longest rows then waited
/// for all others: 316 us, now 292.)
class Fork {
 public:
  Fork(Pool& pool, hipStream_t stream, std::ptrdiff_t kernels) : pool_(pool), stream_(stream), kernels_(kernels) {
    if (kernels < 2 || !kShapes.launch.several_streams) return;
    side_ = pool.take_side_streams();
    check(hipEventRecord(side_->begin, stream), "recording an event");
  }
  Fork(const Fork&) = delete;
  Fork& operator=(const Fork&) = delete;
  ~Fork() {
    try {
      join();  // also where a launch failed: memory goes back in the order of `stream`
    } catch (const Error&) {
      (void)0;  // what failed is told where it failed
    }
    if (side_) pool_.give_side_streams(*side_);
  }

  [[nodiscard]] hipStream_t next() {
    const int turn = turn_++, side = turn % (SideStreams::kCount + 1);
    if (!side_ || turn == kernels_ - 1 || side == SideStreams::kCount) return stream_;
    if (used_ <= side) {
      check(hipStreamWaitEvent(side_->stream[side], side_->begin, 0), "ordering streams");
      used_ = side + 1;
    }
    return side_->stream[side];
  }
  /// What is put into `stream` from now on comes after all of them.
  void join() {
    for (; used_ > 0; used_--) {
      check(hipEventRecord(side_->done[used_ - 1], side_->stream[used_ - 1]), "recording an event");
      check(hipStreamWaitEvent(stream_, side_->done[used_ - 1], 0), "ordering streams");
    }
  }

 private:
  Pool& pool_;
  hipStream_t stream_;
  std::optional<SideStreams> side_;
  const std::ptrdiff_t kernels_;
  int used_ = 0, turn_ = 0;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
