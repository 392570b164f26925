#include "lib/device/pipeline/staging.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <vector>

#include "lib/core/stream.hpp"
#include "lib/device/pipeline/engine.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

// Whole products took 1.3 times as long with pieces of 2 MB, and 1.9 times with 1 MB (25 us of each piece are hidden
// behind nothing), as long with 8 MB, 1.02 to 1.2 times with 16 and 32 MB (two H100, eight products). To register C's
// memory instead takes 55 ms a GB (H200), more than these copies.
constexpr std::int64_t kSlice = 256 << 10;  // bytes that one thread copies at a time

std::vector<Staging::Copy> in_pieces(std::span<const Staging::Copy> copies) {
  std::vector<Staging::Copy> pieces;
  for (const Staging::Copy& copy : copies)
    for (std::int64_t at = 0; at < copy.bytes; at += Staging::kPiece)
      pieces.push_back({static_cast<std::byte*>(copy.to) + at, static_cast<const std::byte*>(copy.from) + at,
                        std::min(Staging::kPiece, copy.bytes - at)});
  return pieces;
}

std::int64_t bytes_of(std::span<const Staging::Copy> copies) {
  std::int64_t bytes = 0;
  for (const Staging::Copy& copy : copies) bytes += copy.bytes;
  return bytes;
}

/// As the driver copies them.
void put(std::span<const Staging::Copy> copies, hipMemcpyKind kind, hipStream_t stream) {
  for (const Staging::Copy& copy : copies)
    if (copy.bytes > 0)
      check(hipMemcpyAsync(copy.to, copy.from, static_cast<std::size_t>(copy.bytes), kind, stream),
            kind == hipMemcpyDeviceToHost ? "copying to the host" : "copying an operand to the device");
}

/// Pieces that threads copy slice by slice, in order: the next slice whichever piece it is of. A piece shares its
/// memory with the one `apart` pieces before it.
class Slices {
 public:
  Slices(std::span<const Staging::Copy> pieces, std::int64_t apart)
      : pieces_(pieces), apart_(apart), copied_(pieces.size()), passed_(pieces.size()) {}

  /// Calls wait(p) once for each piece p, in order, before its first slice is copied and after pass_on(p - apart);
  /// copy(p, offset in it, bytes); and pass_on(p) when all of it is copied.
  template <class Wait, class Copy, class PassOn>
  void copy_all(ParkedThreads& threads, int n, const Wait& wait, const Copy& copy, const PassOn& pass_on) {
    threads.run(n, [&](int) {
      constexpr std::int64_t kPerPiece = Staging::kPiece / kSlice;
      const auto all = static_cast<std::int64_t>(pieces_.size());
      while (!stopped_) {
        const std::int64_t slice = next_.fetch_add(1), piece = slice / kPerPiece, offset = slice % kPerPiece * kSlice;
        if (piece >= all) return;
        const auto p = static_cast<std::size_t>(piece);
        const std::int64_t size = pieces_[p].bytes;
        if (offset >= size) continue;
        try {
          until_ready(piece, wait);
          if (stopped_) return;
          const std::int64_t mine = std::min(kSlice, size - offset);
          copy(piece, offset, mine);
          if (copied_[p].fetch_add(mine) + mine == size) {
            pass_on(piece);
            passed_[p] = true;
          }
        } catch (...) {
          stopped_ = true;
          throw;
        }
      }
    });
  }

 private:
  /// One thread waits, the others look whether it is back.
  template <class Wait>
  void until_ready(std::int64_t piece, const Wait& wait) {
    while (ready_.load(std::memory_order_acquire) <= piece && !stopped_) {
      const std::unique_lock only(one_waits_, std::try_to_lock);
      if (!only) {
        std::this_thread::yield();
        continue;
      }
      const std::int64_t next = ready_.load(std::memory_order_acquire);
      if (next > piece) return;
      while (next >= apart_ && !passed_[static_cast<std::size_t>(next - apart_)])
        if (stopped_) return;
      wait(next);
      ready_.store(next + 1, std::memory_order_release);
    }
  }

  std::span<const Staging::Copy> pieces_;
  const std::int64_t apart_;
  std::vector<std::atomic<std::int64_t>> copied_;  // bytes of each piece
  std::vector<std::atomic<bool>> passed_;
  std::atomic<std::int64_t> next_ = 0, ready_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex one_waits_;
};

/// Around the caches; arrays have elements of four or eight bytes.
void copy_around_bytes(void* to, const std::byte* from, std::int64_t bytes) {
  copy_around(reinterpret_cast<const Column*>(from), bytes / static_cast<std::int64_t>(sizeof(Column)),
              static_cast<Column*>(to));
}

}  // namespace

Staging::~Staging() {
  for (const PinnedPiece& pinned : pieces_) {
    if (pinned.travels) (void)hipEventSynchronize(pinned.done);
    if (pinned.done != nullptr) (void)hipEventDestroy(pinned.done);
    if (pinned.memory != nullptr) pool_.give_pinned(pinned.memory, kPiece);
  }
}

void Staging::prepare(int pieces) {
  for (PinnedPiece& pinned : std::span(pieces_).first(static_cast<std::size_t>(pieces))) {
    if (pinned.memory == nullptr) pinned.memory = static_cast<std::byte*>(pool_.take_pinned(kPiece));
    if (pinned.done == nullptr) check(hipEventCreateWithFlags(&pinned.done, hipEventDisableTiming), "making an event");
  }
}

void Staging::arrive(PinnedPiece& pinned) {
  if (pinned.travels) check(hipEventSynchronize(pinned.done), "waiting for a copy");
  pinned.travels = false;
}

void Staging::send(PinnedPiece& pinned, const Copy& what, hipMemcpyKind kind, hipStream_t stream) {
  put({&what, 1}, kind, stream);
  check(hipEventRecord(pinned.done, stream), "recording an event");
  pinned.travels = true;
}

void Staging::up(std::span<const Copy> copies, hipStream_t stream) {
  if (bytes_of(copies) < kFrom) return put(copies, hipMemcpyHostToDevice, stream);
  prepare(kPiecesUp);
  const std::vector<Copy> pieces = in_pieces(copies);
  const auto of = [&](std::int64_t p) { return pieces[static_cast<std::size_t>(p)]; };
  const auto pinned = [&](std::int64_t p) -> PinnedPiece& { return pieces_[p % kPiecesUp]; };
  Slices(pieces, kPiecesUp)
      .copy_all(
          pool_.threads(), threads_, [&](std::int64_t p) { arrive(pinned(p)); },
          [&](std::int64_t p, std::int64_t offset, std::int64_t n) {
            std::memcpy(pinned(p).memory + offset, static_cast<const std::byte*>(of(p).from) + offset,
                        static_cast<std::size_t>(n));
          },
          [&](std::int64_t p) {
            const CurrentDevice here(pool_.device());
            send(pinned(p), {of(p).to, pinned(p).memory, of(p).bytes}, hipMemcpyHostToDevice, stream);
          });
}

void Staging::down(std::span<const Copy> copies, hipStream_t stream) {
  if (bytes_of(copies) < kFrom) return put(copies, hipMemcpyDeviceToHost, stream);
  prepare(kPieces);
  const std::vector<Copy> pieces = in_pieces(copies);
  const auto of = [&](std::int64_t p) { return pieces[static_cast<std::size_t>(p)]; };
  const auto pinned = [&](std::int64_t p) -> PinnedPiece& { return pieces_[p % kPieces]; };
  const auto fetch = [&](std::int64_t p) {
    if (p < static_cast<std::int64_t>(pieces.size()))
      send(pinned(p), {pinned(p).memory, of(p).from, of(p).bytes}, hipMemcpyDeviceToHost, stream);
  };
  for (std::int64_t p = 0; p < kPieces; p++) arrive(pinned(p)), fetch(p);
  Slices(pieces, kPieces)
      .copy_all(
          pool_.threads(), threads_, [&](std::int64_t p) { arrive(pinned(p)); },
          [&](std::int64_t p, std::int64_t offset, std::int64_t n) {
            copy_around_bytes(static_cast<std::byte*>(of(p).to) + offset, pinned(p).memory + offset, n);
          },
          [&](std::int64_t p) {
            const CurrentDevice here(pool_.device());
            fetch(p + kPieces);
          });
}

}  // namespace rowan::device::inline ROWAN_BACKEND
