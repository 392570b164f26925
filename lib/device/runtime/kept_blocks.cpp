#include "lib/device/runtime/kept_blocks.hpp"

#include <limits>

#include "lib/device/runtime/stream_number.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

KeptBlocks::~KeptBlocks() {
  for (const KeptBlock& k : kept_) (void)hipEventDestroy(k.free);
  for (const hipEvent_t e : events_) (void)hipEventDestroy(e);
}

hipEvent_t KeptBlocks::event() {
  if (!events_.empty()) {
    const hipEvent_t e = events_.back();
    events_.pop_back();
    return e;
  }
  hipEvent_t e{};
  check(hipEventCreateWithFlags(&e, hipEventDisableTiming), "making an event");
  return e;
}

KeptBlocks::FreeBlock KeptBlocks::remove(std::size_t at, hipStream_t stream) {
  const KeptBlock k = kept_[at];
  if (!is_in_order(k.stream, stream)) check(hipStreamWaitEvent(stream, k.free, 0), "ordering streams");
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(at));
  events_.push_back(k.free);
  return k.block;
}

bool KeptBlocks::keep(const FreeBlock& block, hipStream_t stream) noexcept {
  try {
    kept_.reserve(kMostBlocks), events_.reserve(kMostBlocks);
    if (kept_.size() == kMostBlocks) give_back(1, stream);
    const std::uint64_t number = number_of(stream);
    const hipEvent_t free = event();
    if (hipEventRecord(free, stream) != hipSuccess) {
      (void)hipGetLastError();
      events_.push_back(free);
      return false;
    }
    kept_.push_back({block, number, free});
    return true;
  } catch (...) {  // no memory, no event: the block goes back as others do
    return false;
  }
}

std::optional<KeptBlocks::FreeBlock> KeptBlocks::take(std::size_t bytes, hipStream_t stream) {
  std::size_t best = kept_.size(), least = std::numeric_limits<std::size_t>::max();
  for (std::size_t k = 0; k < kept_.size(); k++) {
    const std::size_t has = kept_[k].block.bytes;
    if (has >= bytes && has - bytes <= bytes / 8 && has < least) best = k, least = has;
  }
  if (best == kept_.size()) return {};
  return remove(best, stream);
}

std::size_t KeptBlocks::give_back(std::size_t bytes, hipStream_t stream) {
  std::size_t given = 0;
  while (!kept_.empty() && given < bytes) {
    const FreeBlock block = remove(0, stream);
    give_back_(block.p, stream);
    given += block.bytes;
  }
  return given;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
