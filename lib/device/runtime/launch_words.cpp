#include "lib/device/runtime/launch_words.hpp"

#include <algorithm>
#include <bit>

#include "lib/device/runtime/memory.hpp"
#include "lib/device/runtime/stream_number.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

KeptWords::~KeptWords() {
  for (const KeptSets& k : kept_) (void)hipEventDestroy(k.done);
  for (const hipEvent_t e : events_) (void)hipEventDestroy(e);
}

std::optional<WordSets> KeptWords::take(std::int64_t count, hipStream_t stream) {
  // the last ones first: they are most likely this stream's
  const auto found =
      std::find_if(kept_.rbegin(), kept_.rend(), [&](const KeptSets& k) { return k.sets.capacity >= count; });
  if (found == kept_.rend()) return {};
  const KeptSets k = *found;
  if (!is_in_order(k.stream, stream)) check(hipStreamWaitEvent(stream, k.done, 0), "ordering streams");
  kept_.erase(std::next(found).base());
  events_.push_back(k.done);
  return k.sets;
}

bool KeptWords::keep(const WordSets& sets, hipStream_t stream) noexcept {
  try {
    if (kept_.size() == kMost) return false;
    kept_.reserve(kMost), events_.reserve(kMost);
    if (events_.empty()) {
      hipEvent_t made{};
      check(hipEventCreateWithFlags(&made, hipEventDisableTiming), "making an event");
      events_.push_back(made);
    }
    const std::uint64_t number = number_of(stream);
    check(hipEventRecord(events_.back(), stream), "recording an event");
    kept_.push_back({sets, number, events_.back()});
    events_.pop_back();
    return true;
  } catch (...) {  // no memory, no event
    return false;
  }
}

ZeroWords::ZeroWords(Pool& pool, std::int64_t count, hipStream_t stream)
    : pool_(pool), stream_(stream), count_(count), sets_(pool.take_words(count, stream)) {}

ZeroWords::~ZeroWords() {
  if (launched_) sets_.second = !sets_.second, sets_.used_count = count_;
  pool_.give_words(sets_, count_, launched_, stream_);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
