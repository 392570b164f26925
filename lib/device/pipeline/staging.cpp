#include "lib/device/pipeline/staging.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#include "lib/core/stream.hpp"
#include "lib/device/pipeline/engine.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr std::int64_t kSlice = 256 << 10;  // bytes that one thread copies at a time

std::int64_t size_of(std::int64_t bytes, std::int64_t piece) {
  return std::min(Staging::kPiece, bytes - piece * Staging::kPiece);
}

/// Pieces that workers copy slice by slice, in order. A worker takes the next slice whichever piece it is of, so that
/// none waits for workers that have not begun. A piece shares its memory with the one `apart` pieces before it.
class Slices {
 public:
  Slices(std::int64_t bytes, std::int64_t apart)
      : bytes_(bytes),
        apart_(apart),
        copied_(static_cast<std::size_t>((bytes + Staging::kPiece - 1) / Staging::kPiece)),
        passed_(copied_.size()) {}

  [[nodiscard]] std::int64_t pieces() const { return static_cast<std::int64_t>(copied_.size()); }

  /// Calls wait(p) once for each piece p, in order, before its first slice is copied and after pass_on(p - apart);
  /// copy(p, offset in it, bytes); and pass_on(p) when all of it is copied.
  template <class Wait, class Copy, class PassOn>
  void copy_all(const Team& team, const Wait& wait, const Copy& copy, const PassOn& pass_on) {
    team.run([&](int) {
      constexpr std::int64_t kPerPiece = Staging::kPiece / kSlice;
      while (!stopped_) {
        const std::int64_t slice = next_.fetch_add(1), piece = slice / kPerPiece, offset = slice % kPerPiece * kSlice;
        if (piece >= pieces()) return;
        const std::int64_t size = size_of(bytes_, piece);
        if (offset >= size) continue;
        try {
          until_ready(piece, wait);
          if (stopped_) return;
          const std::int64_t mine = std::min(kSlice, size - offset);
          copy(piece, offset, mine);
          if (copied_[static_cast<std::size_t>(piece)].fetch_add(mine) + mine == size) {
            pass_on(piece);
            passed_[static_cast<std::size_t>(piece)] = true;
          }
        } catch (...) {
          stopped_ = true;
          throw;
        }
      }
    });
  }

 private:
  /// One worker waits, the others look whether it is back.
  template <class Wait>
  void until_ready(std::int64_t piece, const Wait& wait) {
    while (ready_.load(std::memory_order_acquire) <= piece && !stopped_) {
      const std::unique_lock only(one_waits_, std::try_to_lock);
      if (!only) continue;
      const std::int64_t next = ready_.load(std::memory_order_acquire);
      if (next > piece) return;
      while (next >= apart_ && !passed_[static_cast<std::size_t>(next - apart_)])
        if (stopped_) return;
      wait(next);
      ready_.store(next + 1, std::memory_order_release);
    }
  }

  const std::int64_t bytes_, apart_;
  std::vector<std::atomic<std::int64_t>> copied_;  // bytes of each piece
  std::vector<std::atomic<bool>> passed_;
  std::atomic<std::int64_t> next_ = 0, ready_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex one_waits_;
};

/// Around the caches; arrays have elements of four or eight bytes.
void copy_around_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  copy_around(reinterpret_cast<const Column*>(from), bytes / static_cast<std::int64_t>(sizeof(Column)),
              reinterpret_cast<Column*>(to));
}

}  // namespace

Staging::~Staging() {
  for (const PinnedPiece& pinned : pieces_) {
    if (pinned.travels) (void)hipEventSynchronize(pinned.done);
    if (pinned.done != nullptr) (void)hipEventDestroy(pinned.done);
    if (pinned.memory != nullptr) pool_.give_pinned(pinned.memory, kPiece);
  }
}

void Staging::prepare() {
  for (PinnedPiece& pinned : pieces_) {
    if (pinned.memory == nullptr) pinned.memory = static_cast<std::byte*>(pool_.take_pinned(kPiece));
    if (pinned.done == nullptr) check(hipEventCreateWithFlags(&pinned.done, hipEventDisableTiming), "making an event");
  }
}

void Staging::arrive(std::int64_t k) {
  PinnedPiece& pinned = pieces_[k % kPieces];
  if (pinned.travels) check(hipEventSynchronize(pinned.done), "waiting for a copy");
  pinned.travels = false;
}

void Staging::sent(std::int64_t k, hipStream_t stream) {
  PinnedPiece& pinned = pieces_[k % kPieces];
  check(hipEventRecord(pinned.done, stream), "recording an event");
  pinned.travels = true;
}

void Staging::up_bytes(void* to, const void* from, std::int64_t bytes, hipStream_t stream) {
  const char* const doing = "copying an operand to the device";
  if (bytes <= 0) return;
  if (bytes < kFrom)
    return check(hipMemcpyAsync(to, from, static_cast<std::size_t>(bytes), hipMemcpyHostToDevice, stream), doing);
  prepare();
  Slices slices(bytes, kPieces);
  slices.copy_all(
      team_, [&](std::int64_t p) { arrive(p); },
      [&](std::int64_t p, std::int64_t offset, std::int64_t n) {
        std::memcpy(pieces_[p % kPieces].memory + offset, static_cast<const std::byte*>(from) + p * kPiece + offset,
                    static_cast<std::size_t>(n));
      },
      [&](std::int64_t p) {
        const CurrentDevice here(pool_.device());
        check(hipMemcpyAsync(static_cast<std::byte*>(to) + p * kPiece, pieces_[p % kPieces].memory,
                             static_cast<std::size_t>(size_of(bytes, p)), hipMemcpyHostToDevice, stream),
              doing);
        sent(p, stream);
      });
}

void Staging::down_bytes(void* to, const void* from, std::int64_t bytes, hipStream_t stream) {
  const char* const doing = "copying to the host";
  if (bytes <= 0) return;
  if (bytes < kFrom)
    return check(hipMemcpyAsync(to, from, static_cast<std::size_t>(bytes), hipMemcpyDeviceToHost, stream), doing);
  prepare();
  Slices slices(bytes, kPieces);
  const auto send = [&](std::int64_t p) {
    if (p >= slices.pieces()) return;
    check(hipMemcpyAsync(pieces_[p % kPieces].memory, static_cast<const std::byte*>(from) + p * kPiece,
                         static_cast<std::size_t>(size_of(bytes, p)), hipMemcpyDeviceToHost, stream),
          doing);
    sent(p, stream);
  };
  for (std::int64_t p = 0; p < kPieces; p++) arrive(p), send(p);
  slices.copy_all(
      team_, [&](std::int64_t p) { arrive(p); },
      [&](std::int64_t p, std::int64_t offset, std::int64_t n) {
        copy_around_bytes(static_cast<std::byte*>(to) + p * kPiece + offset, pieces_[p % kPieces].memory + offset, n);
      },
      [&](std::int64_t p) {
        const CurrentDevice here(pool_.device());
        send(p + kPieces);
      });
}

}  // namespace rowan::device::inline ROWAN_BACKEND
