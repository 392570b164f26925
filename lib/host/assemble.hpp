#pragma once
// How rows come together in one contiguous C. One worker writes them straight to their places. Several fill buffers
// that stay in the second-level cache, and copy each once, as soon as its place is known. Where to count rows costs
// next to nothing (grids), they count first, and write to their places, too.
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>

#include "lib/core/parallel.hpp"
#include "lib/core/stream.hpp"
#include "lib/host/c_storage.hpp"
#include "lib/host/chunk_offsets.hpp"
#include "lib/host/chunks.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/phase_runner.hpp"

namespace rowan {

/// Arrays of C under construction; `col` and `val` have room for all entries and kWriteSlack more.
template <class T>
struct Target {
  Offset* row_ptr;  // in: [0] is where the first row begins; out: row pointers
  Column* col;
  T* val;
  bool streamed = false;  // far beyond the caches: stores may go around them
};

/// Values of C, in bytes, from which stores around the caches pay (stencil5, 51 MB, 19.4 -> 17.8 ms on one thread,
/// stencil27 50.7 -> 41.6 on two): more than a core's share of any last-level cache.
inline constexpr std::int64_t kStreamFrom = std::int64_t{32} << 20;

/// One worker, in place; returns where the last row ends.
template <class T>
Offset assemble_in_place(const PhaseRunner<T>& job, const std::vector<Chunk>& chunks, const Target<T>& c,
                         Monitor& monitor) {
  Workspace workspace;
  Offset k = c.row_ptr[0];
  for (const Chunk& chunk : chunks) {
    monitor.check();
    job.numeric(workspace, chunk.first, chunk.last, c.row_ptr + 1, c.col + k, c.val + k, c.streamed);
    for (std::int64_t i = chunk.first; i < chunk.last; i++) c.row_ptr[i + 1] = k += c.row_ptr[i + 1];
    monitor.done(chunk.last - chunk.first);
  }
  return k;
}

/// A chunk's rows before they are copied to C.
template <class T>
struct Buffer {
  Array<Column> col;
  Array<T> val;
  std::size_t chunk = 0;
  std::int64_t count = 0;
  explicit Buffer(std::int64_t room) : col(room + kWriteSlack), val(room + kWriteSlack) {}
  static std::int64_t bytes(std::int64_t room) { return CStorage<T>::bytes(room); }
};

inline constexpr std::int64_t kBuffers = 2;  // a worker's; with one it would wait for slower neighbours more often

/// The room of a buffer that takes any of the chunks.
[[nodiscard]] inline std::int64_t largest(const std::vector<Chunk>& chunks) {
  std::int64_t room = 0;
  for (const Chunk& chunk : chunks) room = std::max(room, chunk.bound);
  return room;
}

template <class V>
void copy_to_c(const V* from, std::int64_t n, V* to, bool streamed) {
  if (streamed)
    copy_around(from, n, to);
  else
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(V));
}

/// Several workers with look-back; returns where the last row ends. Chunks are taken in order, so whoever is waited for
/// is at work.
template <class T>
Offset assemble_by_look_back(const PhaseRunner<T>& job, const std::vector<Chunk>& chunks, const Target<T>& c,
                             const Team& team, Monitor& monitor) {
  const std::int64_t room = largest(chunks);
  ChunkOffsets places(chunks.size(), c.row_ptr[0]);
  std::atomic<std::size_t> next = 0;

  const auto work = [&] {
    Workspace workspace;
    std::vector<std::unique_ptr<Buffer<T>>> spare;
    std::deque<std::unique_ptr<Buffer<T>>> pending;
    for (std::int64_t i = 0; i < kBuffers; i++) spare.push_back(std::make_unique<Buffer<T>>(room));
    const auto copy_out = [&] {
      std::unique_ptr<Buffer<T>> b = std::move(pending.front());
      pending.pop_front();
      const Chunk& chunk = chunks[b->chunk];
      Offset k = places.begin(b->chunk);
      if (b->count != 0) {
        copy_to_c(b->col.data(), b->count, c.col + k, c.streamed);
        copy_to_c(b->val.data(), b->count, c.val + k, c.streamed);
      }
      for (std::int64_t i = chunk.first; i < chunk.last; i++) c.row_ptr[i + 1] = k += c.row_ptr[i + 1];
      monitor.done(chunk.last - chunk.first);
      spare.push_back(std::move(b));  // the buffer used last is the next used: it is still in the cache
    };
    // Counts chunk n at once, so that others know their places, and writes it to its own, if that is known, too.
    const auto in_place = [&](std::size_t n) {
      const Chunk& chunk = chunks[n];
      if (!c.streamed || !job.counts_first(chunk.first, chunk.last, chunk.bound)) return false;
      job.symbolic(workspace, chunk.first, chunk.last, c.row_ptr + 1);
      Offset count = 0;
      for (std::int64_t i = chunk.first; i < chunk.last; i++) count = static_cast<Offset>(count + c.row_ptr[i + 1]);
      places.publish(n, count);
      if (!places.known(n)) return false;
      Offset k = places.begin(n);
      Buffer<T>& b = *spare.back();
      job.numeric_in_place(workspace, chunk.first, chunk.last, c.row_ptr + 1, c.col + k, c.val + k, b.col.data(),
                           b.val.data());
      for (std::int64_t i = chunk.first; i < chunk.last; i++) c.row_ptr[i + 1] = k += c.row_ptr[i + 1];
      monitor.done(chunk.last - chunk.first);
      return true;
    };
    // Multiplies chunk n into a buffer.
    const auto in_buffer = [&](std::size_t n) {
      pending.push_back(std::move(spare.back()));
      spare.pop_back();
      Buffer<T>& b = *pending.back();
      b.chunk = n;
      b.count = job.numeric(workspace, chunks[n].first, chunks[n].last, c.row_ptr + 1, b.col.data(), b.val.data());
      places.publish(n, static_cast<Offset>(b.count));
    };
    for (;;) {
      if (spare.empty()) {  // before a chunk is taken: others would wait for it while progress is told
        if (!places.wait(pending.front()->chunk)) return;
        copy_out();
      }
      const std::size_t n = next++;
      if (n >= chunks.size()) break;
      if (!in_place(n)) in_buffer(n);
      while (!pending.empty() && places.known(pending.front()->chunk)) copy_out();
    }
    while (!pending.empty()) {
      if (!places.wait(pending.front()->chunk)) return;
      copy_out();
    }
  };
  team.run([&](int) {
    try {
      work();
    } catch (...) {
      places.abandon();
      throw;
    }
  });
  places.known(chunks.size());
  return places.begin(chunks.size());
}

}  // namespace rowan
