#include "lib/device/pipeline/in_parts.hpp"

#include <memory>
#include <mutex>
#include <optional>

#include "lib/core/notifier.hpp"
#include "lib/core/rendezvous.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/side_by_side.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// One chunk is on a device at a time: larger chunks of an R-MAT send far fewer rows of B than two smaller ones side by
/// side would (docs/performance.md).
struct DeviceInTurn {
  std::mutex lock;
  std::int64_t room = 0;  // bytes of it
};

/// What there is for A, B and C.
std::int64_t room_of(Engine& engine, std::int64_t limit) {
  const CurrentDevice chosen(engine.info().ordinal);
  engine.pool().trim();
  std::size_t free = 0, total = 0;
  check(hipMemGetInfo(&free, &total), "asking for memory");
  const auto there = static_cast<std::int64_t>(free);
  return limit == 0 ? there : std::min(limit, there);
}

template <class T>
class InParts {
 public:
  using Multiply = std::function<void(const PartOfProduct<T>&)>;

  InParts(const Engines& engines, const Operand<T>& a, const Operand<T>& b, const rowan::Options& options,
          const Multiply& multiply)
      : engines_(engines),
        a_(a),
        b_(b),
        options_(options),
        multiply_(multiply),
        workers_(part_workers(engines.size())),
        threads_(threads_each(options, static_cast<std::size_t>(workers_))),
        notifier_(options.progress) {
    for (Engine* engine : engines) {
      devices_.push_back(std::make_unique<DeviceInTurn>());
      devices_.back()->room = room_of(*engine, options.memory_limit);
    }
  }

  std::size_t run() {
    run_together(engines_.front()->pool().threads(), workers_,
                 [&](int worker, Rendezvous& others) { take_chunks(worker, others); });
    return chunks_;
  }

 private:
  /// Bytes of a chunk's operands: three quarters of what there is, the rest is for C; a quarter of a limit, because a
  /// short row's features, about 40 bytes, are twice the row and are taken before anything tells that they are too
  /// much. Less where all workers' copies on the host would be more than A and B; but where B fits beside as much of A,
  /// and goes up with each chunk, as much of A.
  [[nodiscard]] std::int64_t goal(std::int64_t room) const {
    const std::int64_t of_a = bytes_of_c<T>(a_.rows, a_.nnz()), of_b = bytes_of_c<T>(b_.rows, b_.nnz());
    const std::int64_t most = options_.memory_limit == 0 ? room / 4 * 3 : room / 4, copied = (of_a + of_b) / workers_;
    return 2 * of_b <= most ? std::clamp(copied, 2 * of_b, most) : std::min(copied, most);
  }

  void take_chunks(int worker, Rendezvous& others) {
    const std::size_t device = static_cast<std::size_t>(worker) % engines_.size();
    RowGatherer<T> gatherer(a_, b_);
    const Team team(threads_);
    const std::int64_t most = goal(devices_[device]->room);
    std::int64_t bytes = most;  // less for a while after a chunk did not fit
    std::vector<RowRange> todo;
    while (true) {
      others.wait_until([] { return true; });  // throws where another one failed
      if (options_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the multiplication was cancelled");
      if (todo.empty()) {
        const RowRange next = take(gatherer, bytes);
        if (next.size() == 0) return;
        todo.push_back(next);
      }
      const RowRange rows = todo.back();
      todo.pop_back();
      if (!fits(worker, device, rows, bytes, gatherer, team)) {
        if (todo.empty()) bytes = std::max<std::int64_t>(bytes / 4 * 3, 1);
        const std::int64_t middle = rows.first + rows.size() / 2;
        todo.push_back({middle, rows.last});
        todo.push_back({rows.first, middle});
        continue;
      }
      if (todo.empty()) bytes = std::min(bytes + bytes / 8 + 1, most);
      others.update([&] { chunks_++, rows_done_ += rows.size(); });
      notifier_.notify([&] {
        return static_cast<double>(others.update([&] { return rows_done_; })) / static_cast<double>(a_.rows);
      });
    }
  }

  /// Where a chunk ends depends on which rows of B it names, so this is done by one worker at a time.
  RowRange take(RowGatherer<T>& gatherer, std::int64_t bytes) {
    const std::lock_guard lock(lock_);
    const RowRange next = gatherer.fitting({next_, a_.rows}, bytes);
    next_ = next.last;
    return next;
  }

  /// False where the rows do not fit, but fewer may.
  bool fits(int worker, std::size_t device, RowRange rows, std::int64_t bytes, RowGatherer<T>& gatherer,
            const Team& team) {
    DeviceInTurn& turn = *devices_[device];
    NeededRows<T> needed;
    try {
      needed = gatherer.gather(rows, bytes, team);
    } catch (const Error& e) {
      if (!too_large(e) || rows.size() < 2) throw;
      return false;  // not on the host
    }
    const PartOfProduct<T> part{needed.a, needed.b, rows, device, worker, options_.memory_limit, threads_};
    try {
      const std::lock_guard alone(turn.lock);
      multiply_(part);
      return true;
    } catch (const Error& e) {
      if (!too_large(e)) throw;
      if (rows.size() > 1) return false;
      if (needed.b.rows != b_.rows || bytes == 0) refuse(rows.first, needed, turn.room, e);
    }
    return fits(worker, device, rows, 0, gatherer, team);  // not with all of B
  }

  [[noreturn]] static void refuse(std::int64_t row, const NeededRows<T>& needed, std::int64_t room, const Error& e) {
    throw Error(e.code(), "row " + std::to_string(row) + " of C does not fit a device with " + std::to_string(room) +
                              " bytes, alone with the " + std::to_string(needed.b.rows) + " rows of B, of " +
                              std::to_string(needed.b.nnz()) + " entries, that it is made of: " + e.what());
  }

  const Engines& engines_;
  const Operand<T>&a_, &b_;
  const rowan::Options& options_;
  const Multiply& multiply_;
  const int workers_, threads_;
  Notifier notifier_;
  std::vector<std::unique_ptr<DeviceInTurn>> devices_;
  std::mutex lock_;
  std::int64_t next_ = 0;  // row that no chunk has; under the lock
  // under the rendezvous's lock
  std::size_t chunks_ = 0;
  std::int64_t rows_done_ = 0;
};

}  // namespace

template <class T>
std::size_t in_parts(const Engines& engines, const Operand<T>& a, const Operand<T>& b, const rowan::Options& options,
                     const std::function<void(const PartOfProduct<T>&)>& multiply) {
  return InParts<T>(engines, a, b, options, multiply).run();
}

#define ROWAN_INSTANTIATE(T)                                                                                 \
  template std::size_t in_parts(const Engines&, const Operand<T>&, const Operand<T>&, const rowan::Options&, \
                                const std::function<void(const PartOfProduct<T>&)>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
