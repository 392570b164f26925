#pragma once
// Blocks of device memory that are free, kept for the next product. The runtime's pool cuts free memory up and maps it
// again when a large block is asked for: 98 us for the 94 MB of a product that takes 700, 245 us for 335 MB (H100),
// each time. To take any block from it and give it back takes the host 2.8 us (H200), of which a product has six. A
// kept block takes an event when it is freed, 0.2 us, and nothing more in the stream that it was freed in.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "lib/device/runtime/kept_in_order.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr std::size_t kLargeBlock = std::size_t{8} << 20;  // bytes of a large one
/// Bytes of a block that is kept. Where streams have no numbers it costs a wait, too, which only large ones are worth;
/// and the emulator watches memory that is free.
#if defined(__HIPCC__) || defined(ROWAN_EMULATED)
inline constexpr std::size_t kLeastKept = kLargeBlock;
#else
inline constexpr std::size_t kLeastKept = 1;
#endif

/// Not for several threads at once.
class KeptBlocks {
 public:
  static constexpr std::size_t kMostBlocks = 16;

  struct FreeBlock {
    void* p;
    std::size_t bytes;
  };
  /// Gives a block to whom it came from, in the order of a stream.
  using GiveBack = std::function<void(void* p, hipStream_t stream)>;

  explicit KeptBlocks(GiveBack give_back) : give_back_(std::move(give_back)) {}

  /// Takes a block that `stream` is done with when it comes here; false where it cannot be kept.
  [[nodiscard]] bool keep(const FreeBlock& block, hipStream_t stream) noexcept;
  /// The smallest block of at least `bytes`, and an eighth more at most. What is put into `stream` from now on comes
  /// after the block's last use, whichever stream that was in.
  [[nodiscard]] std::optional<FreeBlock> take(std::size_t bytes, hipStream_t stream);
  /// Gives back the oldest blocks, `bytes` of them or all there are: how many bytes.
  std::size_t give_back(std::size_t bytes, hipStream_t stream);

 private:
  GiveBack give_back_;
  KeptInOrder<FreeBlock, kMostBlocks> kept_;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
