#pragma once
// How rows come together in one contiguous C. One worker writes them in place. Several fill buffers that stay in
// the second-level cache, and copy each once, as soon as it is known where it begins in C (look-back). Where counting
// rows costs next to nothing (grids), they count first, and write in place, too.
#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>

#include "lib/core/parallel.hpp"
#include "lib/core/stream.hpp"
#include "lib/host/adder.hpp"
#include "lib/host/c_storage.hpp"
#include "lib/host/chunk_offsets.hpp"
#include "lib/host/chunks.hpp"
#include "lib/host/divider.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/phase_runner.hpp"

namespace rowan {

/// Arrays of C under construction; `col` and `val` hold all entries and kWriteSlack more.
template <class T>
struct CTarget {
  Offset* row_ptr;  // in: [0] is where the first row begins; out: row pointers
  Column* col;
  T* val;
  bool streamed = false;            // far beyond the caches: stores may go around them
  Divider<T>* divider = nullptr;    // takes what C is to be without
  const Adder<T>* adder = nullptr;  // adds E; not with a divider

  /// Whether one of the two finishes rows, and how many entries they may have more then.
  [[nodiscard]] bool has_finish() const { return divider != nullptr || adder != nullptr; }
  [[nodiscard]] std::int64_t more(const Chunk& chunk) const {
    return adder == nullptr ? 0 : adder->entries(chunk.first, chunk.last);
  }
  /// The chunk's rows as they are to be; returns their entries, of which there are `made` before.
  std::int64_t finish(std::size_t n, const Chunk& chunk, std::int64_t made, Column* its_col, T* its_val) const {
    if (divider != nullptr) return divider->take(n, chunk, row_ptr + 1, its_col, its_val);
    return adder == nullptr ? made : adder->take(chunk, row_ptr + 1, its_col, its_val);
  }
};

/// Values of C, in bytes, from which stores around the caches pay (stencil5, 51 MB, 19.4 -> 17.8 ms on one thread,
/// stencil27 50.7 -> 41.6 on two): more than a core's share of any last-level cache.
inline constexpr std::int64_t kStreamFrom = std::int64_t{32} << 20;

/// One worker, in place; returns where the last row ends. `Runner`: a PhaseRunner, or what multiplies rows like one.
template <class Runner, class T>
Offset assemble_in_place(const Runner& runner, const std::vector<Chunk>& chunks, const CTarget<T>& c,
                         Monitor& monitor) {
  typename Runner::Workspace workspace;
  Offset k = c.row_ptr[0];
  for (std::size_t n = 0; n < chunks.size(); n++) {
    const Chunk& chunk = chunks[n];
    monitor.check();
    const std::int64_t made = runner.numeric(workspace, chunk.first, chunk.last, c.row_ptr + 1, c.col + k, c.val + k,
                                             c.streamed && !c.has_finish());
    c.finish(n, chunk, made, c.col + k, c.val + k);
    for (std::int64_t i = chunk.first; i < chunk.last; i++) c.row_ptr[i + 1] = k += c.row_ptr[i + 1];
    monitor.done(chunk.last - chunk.first);
  }
  return k;
}

/// A chunk's rows before they are copied to C.
template <class T>
struct ChunkBuffer {
  Array<Column> col;
  Array<T> val;
  std::size_t chunk = 0;
  std::int64_t count = 0;
  explicit ChunkBuffer(std::int64_t capacity) : col(capacity + kWriteSlack), val(capacity + kWriteSlack) {}
  static std::int64_t bytes(std::int64_t capacity) { return CStorage<T>::bytes(capacity); }
};

inline constexpr std::int64_t kBuffers = 2;  // a worker's; with one it would wait for slower neighbours more often

/// The capacity of a buffer that takes any of the chunks.
[[nodiscard]] inline std::int64_t largest(const std::vector<Chunk>& chunks) {
  std::int64_t capacity = 0;
  for (const Chunk& chunk : chunks) capacity = std::max(capacity, chunk.bound);
  return capacity;
}
/// The same, with what is added to their rows.
template <class T>
[[nodiscard]] std::int64_t largest(const std::vector<Chunk>& chunks, const CTarget<T>& c) {
  std::int64_t capacity = 0;
  for (const Chunk& chunk : chunks) capacity = std::max(capacity, chunk.bound + c.more(chunk));
  return capacity;
}

template <class V>
void copy_to_c(const V* from, std::int64_t n, V* to, bool streamed) {
  if (streamed)
    copy_around(from, n, to);
  else
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(V));
}

/// What the workers of assemble_by_look_back share.
template <class Runner, class T>
struct LookBack {
  const Runner& runner;
  const std::vector<Chunk>& chunks;
  const CTarget<T>& c;
  Monitor& monitor;
  std::int64_t capacity;  // of a buffer
  ChunkOffsets offsets;
  std::atomic<std::size_t> next = 0;  // the first chunk that no worker has taken
};

/// One of them. A chunk is
///   taken      by one worker; in order, so that a chunk that is waited for is always being worked on
///   counted    c.row_ptr[i + 1] holds the entries of row i
///   published  its number of entries is known to all; where it begins in C is known once all before it are
///   copied     its entries are in C, and c.row_ptr holds where its rows end
/// Counting is a step of its own only where the candidates do it first (write_in_place). Else, and where the chunk's
/// beginning is not known yet after that, fill_buffer counts by multiplying; a chunk that was published before is then
/// published again, with the same number.
template <class Runner, class T>
class LookBackWorker {
 public:
  explicit LookBackWorker(LookBack<Runner, T>& shared) : s_(shared) {
    for (std::int64_t i = 0; i < kBuffers; i++) spare_.push_back(std::make_unique<ChunkBuffer<T>>(s_.capacity));
  }

  /// Takes chunks until there are none; returns early where another worker has failed.
  void run() {
    for (;;) {
      // before a chunk is taken: others would wait for it while progress is reported
      if (spare_.empty() && !wait_and_copy()) return;
      const std::size_t n = s_.next++;
      if (n >= s_.chunks.size()) break;
      bool written = false;
      if constexpr (requires { &Runner::counts_first; }) written = write_in_place(n);
      if (!written) fill_buffer(n);
      while (!pending_.empty() && s_.offsets.known(pending_.front()->chunk)) copy_oldest();
    }
    while (!pending_.empty())
      if (!wait_and_copy()) return;
  }

 private:
  using OwnedBuffer = std::unique_ptr<ChunkBuffer<T>>;

  /// Counts and publishes chunk n where that is cheap, and writes it to C, around the caches, if it is known where it
  /// begins; else false.
  bool write_in_place(std::size_t n) {
    const Chunk& chunk = s_.chunks[n];
    if (!s_.c.streamed || s_.c.has_finish() || !s_.runner.counts_first(chunk.first, chunk.last, chunk.bound))
      return false;
    Offset* const counts = s_.c.row_ptr + 1;
    s_.runner.symbolic(workspace_, chunk.first, chunk.last, counts);
    Offset count = 0;
    for (std::int64_t i = chunk.first; i < chunk.last; i++) count = static_cast<Offset>(count + counts[i]);
    s_.offsets.publish(n, count);
    if (!s_.offsets.known(n)) return false;
    const Offset begin = s_.offsets.begin(n);
    ChunkBuffer<T>& b = *spare_.back();
    s_.runner.numeric_in_place(workspace_, chunk.first, chunk.last, counts, s_.c.col + begin, s_.c.val + begin,
                               b.col.data(), b.val.data());
    end_rows(chunk, begin);
    return true;
  }

  /// Multiplies chunk n into a buffer, which counts it, and publishes it.
  void fill_buffer(std::size_t n) {
    const Chunk& chunk = s_.chunks[n];
    pending_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    ChunkBuffer<T>& b = *pending_.back();
    b.chunk = n;
    b.count = s_.runner.numeric(workspace_, chunk.first, chunk.last, s_.c.row_ptr + 1, b.col.data(), b.val.data());
    b.count = s_.c.finish(n, chunk, b.count, b.col.data(), b.val.data());
    s_.offsets.publish(n, static_cast<Offset>(b.count));
  }

  /// Copies the oldest pending buffer, of which it is known where it begins, to C.
  void copy_oldest() {
    OwnedBuffer b = std::move(pending_.front());
    pending_.pop_front();
    const Offset begin = s_.offsets.begin(b->chunk);
    if (b->count != 0) {
      copy_to_c(b->col.data(), b->count, s_.c.col + begin, s_.c.streamed);
      copy_to_c(b->val.data(), b->count, s_.c.val + begin, s_.c.streamed);
    }
    end_rows(s_.chunks[b->chunk], begin);
    spare_.push_back(std::move(b));  // the buffer used last is the next used: it is still in the cache
  }
  /// The same, once it is known; false where another worker has failed.
  [[nodiscard]] bool wait_and_copy() {
    if (!s_.offsets.wait(pending_.front()->chunk)) return false;
    copy_oldest();
    return true;
  }

  /// Makes row pointers of the counts of a chunk's rows, which is then copied.
  void end_rows(const Chunk& chunk, Offset k) {
    for (std::int64_t i = chunk.first; i < chunk.last; i++) s_.c.row_ptr[i + 1] = k += s_.c.row_ptr[i + 1];
    s_.monitor.done(chunk.last - chunk.first);
  }

  LookBack<Runner, T>& s_;
  typename Runner::Workspace workspace_;
  std::vector<OwnedBuffer> spare_;
  std::deque<OwnedBuffer> pending_;  // filled and published, in order
};

/// Several workers with look-back; returns where the last row ends.
template <class Runner, class T>
Offset assemble_by_look_back(const Runner& runner, const std::vector<Chunk>& chunks, const CTarget<T>& c,
                             const Team& team, Monitor& monitor) {
  LookBack<Runner, T> shared{.runner = runner,
                             .chunks = chunks,
                             .c = c,
                             .monitor = monitor,
                             .capacity = largest(chunks, c),
                             .offsets = ChunkOffsets(chunks.size(), c.row_ptr[0])};
  team.run([&](int) {
    try {
      LookBackWorker<Runner, T>(shared).run();
    } catch (...) {
      shared.offsets.abandon();
      throw;
    }
  });
  shared.offsets.known(chunks.size());
  return shared.offsets.begin(chunks.size());
}

}  // namespace rowan
