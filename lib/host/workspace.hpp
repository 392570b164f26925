#pragma once
// What one worker keeps. Scratch: memory for each candidate it meets, made when first needed, in the state the
// candidate left it in (`zeroed` is zero between tasks). One multiplication long.
#include <array>
#include <cstdint>

#include "accumulators/candidates.hpp"
#include "lib/host/block_race.hpp"
#include <rowan/memory.hpp>

namespace rowan {

class Workspace {
 public:
  [[nodiscard]] Scratch of(CandidateId id, const Extent& extent, std::size_t value_bytes) {
    const ScratchBytes need = kCandidates[id].scratch(extent, value_bytes);
    // the old block goes first: there is never room for both
    if (zeroed_.size() < need.zeroed + kAlign) zeroed_ = Block(), zeroed_ = Block::zeroed(need.zeroed + kAlign);
    if (plain_.size() < need.plain + kAlign) plain_ = Block(), plain_ = Block(need.plain + kAlign);
    if (need.persistent == 0) return {aligned(zeroed_), aligned(plain_), nullptr};
    Block& persistent = persistent_[id];
    if (persistent.size() < need.persistent + kAlign)
      persistent = Block(), persistent = Block::zeroed(need.persistent + kAlign);
    return {aligned(zeroed_), aligned(plain_), aligned(persistent)};
  }
  BlockRace race;  // where candidates are raced
  /// Bytes beside what the candidate asked for.
  static constexpr std::int64_t kOverhead = 3 * 64;

 private:
  static constexpr std::size_t kAlign = kOverhead / 3;
  static std::byte* aligned(const Block& block) {
    const auto at = reinterpret_cast<std::uintptr_t>(block.data());
    return block.data() + ((at + kAlign - 1) / kAlign * kAlign - at);
  }
  // one pair for all candidates: all keep the same promise about `zeroed`
  Block zeroed_, plain_;
  std::array<Block, kCandidates.size()> persistent_;
};

}  // namespace rowan
