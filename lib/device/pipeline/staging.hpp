#pragma once
// Large copies between a device and memory of the host's that is not pinned: through pinned pieces, which several
// threads fill or empty while others travel. A driver's own copy of such memory has one thread, at a quarter of the
// link's speed.
#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include "lib/device/runtime/memory.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

// What an H100 with 16 cores showed: a copy down is 52 GB/s of the link's 55 with 8 pieces of 4 MB and streaming
// stores, 42 with plain ones and 32 with 4 pieces; a copy up is 51 with plain stores, which leave a piece in the cache
// that the device reads it from. More than 8 threads are slower both ways.
class Staging {
 public:
  static constexpr std::int64_t kPiece = std::int64_t{4} << 20;
  static constexpr std::int64_t kFrom = 2 * kPiece;  // bytes; smaller copies are the driver's

  Staging(Pool& pool, const Team& team) : pool_(pool), team_(std::min(team.size(), kMostThreads)) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Puts a copy into the stream; `from` may change when it returns.
  template <class V>
  void up(V* to, const V* from, std::int64_t n, hipStream_t stream) {
    up_bytes(to, from, n * static_cast<std::int64_t>(sizeof(V)), stream);
  }
  /// A large copy is there when it returns, a small one when the stream has come there.
  template <class V>
  void down(V* to, const V* from, std::int64_t n, hipStream_t stream) {
    static_assert(sizeof(V) % sizeof(Column) == 0);
    down_bytes(to, from, n * static_cast<std::int64_t>(sizeof(V)), stream);
  }

 private:
  struct PinnedPiece {
    std::byte* memory = nullptr;
    hipEvent_t done = nullptr;  // the last copy of this piece
    bool travels = false;
  };
  static constexpr int kPieces = 8, kMostThreads = 8;

  void up_bytes(void* to, const void* from, std::int64_t bytes, hipStream_t stream);
  void down_bytes(void* to, const void* from, std::int64_t bytes, hipStream_t stream);
  /// Memory and events for all pieces.
  void prepare();
  /// Waits until nothing travels from or to piece k.
  void arrive(std::int64_t k);
  void sent(std::int64_t k, hipStream_t stream);

  Pool& pool_;
  Team team_;
  PinnedPiece pieces_[kPieces];
};

}  // namespace rowan::device::inline ROWAN_BACKEND
