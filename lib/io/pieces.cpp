// Workers take pieces in order and put them into slots; whoever finds the next piece to be written there, while nobody
// else is writing, writes it and what is ready behind it.
#include "lib/io/pieces.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "lib/core/parallel.hpp"
#include "lib/io/gzip.hpp"

namespace rowan::io {
namespace {

class Writer {
 public:
  /// `written` is told of every piece, in order.
  Writer(Output& output, std::int64_t count, int threads, std::function<void(std::int64_t)> written)
      : output_(output),
        count_(count),
        told_(std::move(written)),
        slots_(kPiecesPerThread * static_cast<std::size_t>(threads)) {}

  /// Makes and writes pieces until there are none left or somebody failed.
  template <class Make>
  void work(const Make& make) {
    std::unique_lock lock(mutex_);
    try {
      for (;;) {
        // the piece that is waited for is in the hands of a worker that does not wait
        moved_.wait(lock, [&] { return failed_ || next_ == count_ || next_ < written_ + std::ssize(slots_); });
        if (failed_ || next_ == count_) return;
        const std::int64_t piece = next_++;
        lock.unlock();
        Buffer made = make(piece);
        lock.lock();
        slot(piece) = std::move(made);
        if (!writing_) write_ready(lock);
      }
    } catch (...) {
      if (!lock) lock.lock();
      failed_ = true;
      moved_.notify_all();
      throw;
    }
  }

 private:
  static constexpr std::size_t kPiecesPerThread = 2;  // one being made, one waiting to be written

  // pieces leave in order, so those under way are neighbours and no two of them share a slot
  std::optional<Buffer>& slot(std::int64_t piece) { return slots_[static_cast<std::size_t>(piece) % slots_.size()]; }

  void write_ready(std::unique_lock<std::mutex>& lock) {
    writing_ = true;
    while (!failed_ && slot(written_)) {
      const Buffer piece = *std::exchange(slot(written_), std::nullopt);
      lock.unlock();
      output_.write(piece.view());
      told_(written_);
      lock.lock();
      written_++;
      moved_.notify_all();
    }
    writing_ = false;
  }

  Output& output_;
  const std::int64_t count_;
  const std::function<void(std::int64_t)> told_;
  std::mutex mutex_;  // over all that follows
  std::condition_variable moved_;
  std::vector<std::optional<Buffer>> slots_;
  std::int64_t next_ = 0;     // to be made
  std::int64_t written_ = 0;  // so many
  bool writing_ = false, failed_ = false;
};

}  // namespace

void write_pieces(Output& output, std::int64_t count, bool gzip, const std::function<Buffer(std::int64_t)>& make,
                  const std::function<void(double)>& progress) {
  const auto finished = [&](std::int64_t piece) {
    Buffer bytes = make(piece);
    return gzip ? gzip_member(bytes.view()) : std::move(bytes);
  };
  const auto written = [&](std::int64_t piece) {
    if (progress) progress(static_cast<double>(piece + 1) / static_cast<double>(count));
  };
  const Team team;
  if (team.size() == 1 || count == 1) {
    for (std::int64_t piece = 0; piece != count; ++piece) output.write(finished(piece).view()), written(piece);
    return;
  }
  Writer writer(output, count, team.size(), written);
  team.run([&](int) { writer.work(finished); });
}

}  // namespace rowan::io
