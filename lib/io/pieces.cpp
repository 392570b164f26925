// Workers take pieces in order and put them into slots; a worker that finds the next piece there, while no other worker
// is writing, writes it.
#include "lib/io/pieces.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "lib/core/notifier.hpp"
#include "lib/core/parallel.hpp"
#include "lib/io/gzip.hpp"

namespace rowan::io {
namespace {

class Writer {
 public:
  Writer(Output& output, std::int64_t count, int threads)
      : output_(output), count_(count), slots_(kPiecesPerThread * static_cast<std::size_t>(threads)) {}

  /// Makes and writes pieces until there are none left or a worker failed. Calls `tick` after each piece written, when
  /// the next one may be written by another worker: none waits for the one that calls it.
  template <class Make, class Tick>
  void work(const Make& make, const Tick& tick) {
    std::unique_lock lock(mutex_);
    try {
      for (;;) {
        // the piece that is waited for is in the hands of a worker that does not wait
        moved_.wait(lock, [&] { return failed_ || may_write() || next_ == count_ || may_make(); });
        if (failed_) return;
        if (may_write()) {
          write_next(lock);
          lock.unlock();
          tick();
          lock.lock();
        } else if (next_ == count_) {
          return;
        } else {
          const std::int64_t piece = next_++;
          lock.unlock();
          TextBuffer made = make(piece);
          lock.lock();
          slot(piece) = std::move(made);
        }
      }
    } catch (...) {
      if (!lock) lock.lock();
      failed_ = true;
      moved_.notify_all();
      throw;
    }
  }
  /// Of all pieces, those written.
  [[nodiscard]] double share() const { return static_cast<double>(written_) / static_cast<double>(count_); }

 private:
  static constexpr std::size_t kPiecesPerThread = 2;  // one being made, one waiting to be written

  // pieces leave in order, so those under way are neighbours and no two of them share a slot
  std::optional<TextBuffer>& slot(std::int64_t piece) {
    return slots_[static_cast<std::size_t>(piece) % slots_.size()];
  }

  [[nodiscard]] bool may_write() { return !writing_ && slot(written_); }
  [[nodiscard]] bool may_make() const { return next_ < written_ + std::ssize(slots_); }

  void write_next(std::unique_lock<std::mutex>& lock) {
    writing_ = true;
    const TextBuffer piece = *std::exchange(slot(written_), std::nullopt);
    lock.unlock();
    output_.write(piece.view());
    lock.lock();
    writing_ = false;
    ++written_;
    moved_.notify_all();
  }

  Output& output_;
  const std::int64_t count_;
  std::mutex mutex_;  // over all that follows
  std::condition_variable moved_;
  std::vector<std::optional<TextBuffer>> slots_;
  std::int64_t next_ = 0;                  // to be made
  std::atomic<std::int64_t> written_ = 0;  // pieces; share() reads it without the mutex
  bool writing_ = false, failed_ = false;
};

}  // namespace

void write_pieces(Output& output, std::int64_t count, bool gzip, const std::function<TextBuffer(std::int64_t)>& make,
                  const std::function<void(double)>& progress) {
  const auto finished = [&](std::int64_t piece) {
    TextBuffer bytes = make(piece);
    return gzip ? gzip_member(bytes.view()) : std::move(bytes);
  };
  Notifier notifier(progress);
  const Team team;
  if (team.size() == 1 || count == 1) {
    for (std::int64_t piece = 0; piece != count; ++piece) {
      output.write(finished(piece).view());
      notifier.notify([&] { return static_cast<double>(piece + 1) / static_cast<double>(count); });
    }
    return;
  }
  Writer writer(output, count, team.size());
  team.run([&](int) { writer.work(finished, [&] { notifier.notify([&] { return writer.share(); }); }); });
}

}  // namespace rowan::io
