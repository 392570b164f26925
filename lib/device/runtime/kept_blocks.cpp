#include "lib/device/runtime/kept_blocks.hpp"

#include <limits>

namespace rowan::device::inline ROWAN_BACKEND {

bool KeptBlocks::keep(const FreeBlock& block, hipStream_t stream) noexcept {
  try {
    if (kept_.full()) give_back(1, stream);
    return kept_.keep(block, stream);
  } catch (...) {  // the block goes back as others do
    return false;
  }
}

std::optional<KeptBlocks::FreeBlock> KeptBlocks::take(std::size_t bytes, hipStream_t stream) {
  std::size_t best = kept_.size(), least = std::numeric_limits<std::size_t>::max();
  for (std::size_t k = 0; k < kept_.size(); k++) {
    const std::size_t has = kept_[k].bytes;
    if (has >= bytes && has - bytes <= bytes / 8 && has < least) best = k, least = has;
  }
  if (best == kept_.size()) return {};
  return kept_.take(best, stream);
}

std::size_t KeptBlocks::give_back(std::size_t bytes, hipStream_t stream) {
  std::size_t given = 0;
  while (kept_.size() != 0 && given < bytes) {
    const FreeBlock block = kept_.take(0, stream);
    give_back_(block.p, stream);
    given += block.bytes;
  }
  return given;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
