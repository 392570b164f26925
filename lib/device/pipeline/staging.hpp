#pragma once
// Large copies between a device and memory of the host's that is not pinned: through pinned pieces, which several
// threads fill or empty while others travel. A driver's own copy of such memory has one thread, at a quarter of the
// link's speed.
#include <algorithm>
#include <array>
#include <span>

#include "lib/backends/devices.hpp"
#include "lib/core/pattern.hpp"
#include "lib/device/runtime/memory.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

// What two H100 with 32 cores showed: a copy down is 52 GB/s of the link's 55 with 8 pieces of 4 MB and streaming
// stores, 42 with plain ones and 32 with 4 pieces; a copy up is 51 with plain stores, which leave a piece in the cache
// that the device reads it from, for both devices at the same time 90 with 4 pieces and 66 with 8. More than 8 threads
// are slower.
class Staging {
 public:
  static constexpr std::int64_t kPiece = std::int64_t{4} << 20;
  static constexpr std::int64_t kFrom = 2 * kPiece;  // bytes; smaller copies are the driver's

  /// One of several copies that follow each other without a gap.
  struct Copy {
    void* to;
    const void* from;
    std::int64_t bytes;
  };
  template <class V>
  [[nodiscard]] static Copy copy(V* to, const V* from, std::int64_t n) {
    static_assert(sizeof(V) % sizeof(Column) == 0);
    return {to, from, n * static_cast<std::int64_t>(sizeof(V))};
  }

  /// `threads`: that copy at the same time, at most.
  Staging(Pool& pool, int threads) : pool_(pool), threads_(std::min(threads, kCopyingThreads)) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Puts copies into the stream; what they read may change when it returns.
  void up(std::span<const Copy> copies, hipStream_t stream);
  template <class V>
  void up(V* to, const V* from, std::int64_t n, hipStream_t stream) {
    up(std::array{copy(to, from, n)}, stream);
  }
  /// Large copies are there when it returns, small ones when the stream has come there.
  void down(std::span<const Copy> copies, hipStream_t stream);
  template <class V>
  void down(V* to, const V* from, std::int64_t n, hipStream_t stream) {
    down(std::array{copy(to, from, n)}, stream);
  }

 private:
  struct PinnedPiece {
    std::byte* memory = nullptr;
    hipEvent_t done = nullptr;  // the last copy of this piece
    bool travels = false;
  };
  static constexpr int kPieces = 8, kPiecesUp = 4;

  /// Memory and events for so many pieces.
  void prepare(int pieces);
  /// Waits until nothing travels from or to its memory.
  static void arrive(PinnedPiece& pinned);
  static void send(PinnedPiece& pinned, const Copy& what, hipMemcpyKind kind, hipStream_t stream);

  Pool& pool_;
  int threads_;
  PinnedPiece pieces_[kPieces];
};

}  // namespace rowan::device::inline ROWAN_BACKEND
