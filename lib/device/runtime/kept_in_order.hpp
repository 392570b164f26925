#pragma once
// Things that streams have used and may use again, each behind its last use, whichever stream that was in. A thing that
// is taken in the stream that it was kept in waits for nothing.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A stream's number; 0 where streams have none. Handles of streams are used again for others; numbers are not.
[[nodiscard]] inline std::uint64_t number_of([[maybe_unused]] hipStream_t stream) {
#if defined(ROWAN_EMULATED) || defined(__HIPCC__)
  return 0;
#else
  unsigned long long id = 0;
  check(cudaStreamGetId(stream, &id), "asking for a stream's number");
  return id + 1;  // not 0
#endif
}

/// At most kMost of T, the oldest first. Not for several threads at once.
template <class T, std::size_t kMost>
class KeptInOrder {
 public:
  KeptInOrder() = default;
  ~KeptInOrder() {
    for (const KeptThing& k : kept_) (void)hipEventDestroy(k.done);
    for (const hipEvent_t e : events_) (void)hipEventDestroy(e);
  }
  KeptInOrder(const KeptInOrder&) = delete;
  KeptInOrder& operator=(const KeptInOrder&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return kept_.size(); }
  [[nodiscard]] bool full() const noexcept { return kept_.size() == kMost; }
  [[nodiscard]] const T& operator[](std::size_t k) const noexcept { return kept_[k].thing; }

  /// Keeps a thing that `stream` is done with when it comes here; false where it cannot: there are enough, or no event.
  [[nodiscard]] bool keep(const T& thing, hipStream_t stream) noexcept {
    if (full()) return false;
    try {
      kept_.reserve(kMost), events_.reserve(kMost);
      if (events_.empty()) {
        hipEvent_t made{};
        check(hipEventCreateWithFlags(&made, hipEventDisableTiming), "making an event");
        events_.push_back(made);
      }
      const std::uint64_t number = number_of(stream);
      if (hipEventRecord(events_.back(), stream) != hipSuccess) {
        (void)hipGetLastError();
        return false;
      }
      kept_.push_back({thing, number, events_.back()});
      events_.pop_back();
      return true;
    } catch (...) {  // no memory
      return false;
    }
  }
  /// Takes the k-th out. What is put into `stream` from now on comes after its last use.
  [[nodiscard]] T take(std::size_t k, hipStream_t stream) {
    const KeptThing one = kept_[k];
    if (one.stream == 0 || one.stream != number_of(stream))
      check(hipStreamWaitEvent(stream, one.done, 0), "ordering streams");
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(k));
    events_.push_back(one.done);
    return one.thing;
  }

 private:
  struct KeptThing {
    T thing;
    std::uint64_t stream;  // of its last use, by number
    hipEvent_t done;       // when that is
  };
  std::vector<KeptThing> kept_;
  std::vector<hipEvent_t> events_;  // that nothing has
};

}  // namespace rowan::device::inline ROWAN_BACKEND
