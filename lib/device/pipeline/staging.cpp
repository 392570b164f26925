#include "lib/device/pipeline/staging.hpp"

#include <cstring>

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr std::int64_t kGrain = 256 << 10;  // bytes that one thread copies at a time

void copy_together(const Team& team, std::byte* to, const std::byte* from, std::int64_t bytes) {
  team.for_blocks(bytes, kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
  });
}

std::size_t size_of(std::int64_t bytes, std::int64_t piece) {
  return static_cast<std::size_t>(std::min(Staging::kPiece, bytes - piece * Staging::kPiece));
}

}  // namespace

Staging::~Staging() {
  for (const PinnedPiece& pinned : pieces_) {
    if (pinned.travels) (void)hipEventSynchronize(pinned.done);
    if (pinned.done != nullptr) (void)hipEventDestroy(pinned.done);
    if (pinned.memory != nullptr) pool_.give_pinned(pinned.memory, kPiece);
  }
}

Staging::PinnedPiece& Staging::free_piece(std::int64_t piece) {
  PinnedPiece& pinned = pieces_[piece % kPieces];
  if (pinned.memory == nullptr) {
    pinned.memory = static_cast<std::byte*>(pool_.take_pinned(kPiece));
    check(hipEventCreateWithFlags(&pinned.done, hipEventDisableTiming), "making an event");
  }
  if (pinned.travels) check(hipEventSynchronize(pinned.done), "waiting for a copy");
  pinned.travels = false;
  return pinned;
}

void Staging::sent(PinnedPiece& pinned, hipStream_t stream) {
  check(hipEventRecord(pinned.done, stream), "recording an event");
  pinned.travels = true;
}

void Staging::up_bytes(void* to, const void* from, std::int64_t bytes, hipStream_t stream) {
  const char* const doing = "copying an operand to the device";
  if (bytes <= 0) return;
  if (bytes < kFrom)
    return check(hipMemcpyAsync(to, from, static_cast<std::size_t>(bytes), hipMemcpyHostToDevice, stream), doing);
  for (std::int64_t piece = 0; piece * kPiece < bytes; piece++) {
    PinnedPiece& pinned = free_piece(piece);
    const std::size_t size = size_of(bytes, piece);
    copy_together(team_, pinned.memory, static_cast<const std::byte*>(from) + piece * kPiece,
                  static_cast<std::int64_t>(size));
    check(hipMemcpyAsync(static_cast<std::byte*>(to) + piece * kPiece, pinned.memory, size, hipMemcpyHostToDevice,
                         stream),
          doing);
    sent(pinned, stream);
  }
}

void Staging::down_bytes(void* to, const void* from, std::int64_t bytes, hipStream_t stream) {
  const char* const doing = "copying to the host";
  if (bytes <= 0) return;
  if (bytes < kFrom)
    return check(hipMemcpyAsync(to, from, static_cast<std::size_t>(bytes), hipMemcpyDeviceToHost, stream), doing);
  const std::int64_t pieces = (bytes + kPiece - 1) / kPiece;
  const auto send = [&](std::int64_t piece) {
    if (piece >= pieces) return;
    PinnedPiece& pinned = free_piece(piece);
    check(hipMemcpyAsync(pinned.memory, static_cast<const std::byte*>(from) + piece * kPiece, size_of(bytes, piece),
                         hipMemcpyDeviceToHost, stream),
          doing);
    sent(pinned, stream);
  };
  for (std::int64_t piece = 0; piece < kPieces; piece++) send(piece);
  for (std::int64_t piece = 0; piece < pieces; piece++) {
    const PinnedPiece& pinned = free_piece(piece);  // waits for it
    copy_together(team_, static_cast<std::byte*>(to) + piece * kPiece, pinned.memory,
                  static_cast<std::int64_t>(size_of(bytes, piece)));
    send(piece + kPieces);
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
