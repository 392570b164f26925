#include "lib/device/pipeline/host_product.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>

#include "lib/core/notifier.hpp"
#include "lib/core/rendezvous.hpp"
#include "lib/core/values.hpp"
#include "lib/device/pipeline/exchange.hpp"
#include "lib/device/pipeline/heavy.hpp"
#include "lib/device/pipeline/in_parts.hpp"
#include "lib/device/pipeline/one_phase.hpp"
#include "lib/device/pipeline/pair.hpp"
#include "lib/device/pipeline/pieces.hpp"
#include "lib/device/pipeline/row_queue.hpp"
#include "lib/device/pipeline/side_by_side.hpp"
#include "lib/device/pipeline/small.hpp"
#include "lib/host/timer.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kInFlight = 2;  // chunks of C on a device that are not yet on the host

/// Rows of C on a device, on their way to the host.
template <class T>
struct Arriving {
  Product<T> c = {};
  RowRange rows = {};
  std::size_t chunk = 0;
  std::int64_t behind = 0;  // entries of C that the chunk has before these rows
  Milestone filled = {};
};

/// What one device needs.
template <class T>
struct Station {
  Station(Engine& of, int threads) : engine(of), up(of.pool(), threads), down(of.pool(), threads) {}

  Engine& engine;
  KeptStreams streams{engine.pool()};
  hipStream_t stream = streams[0], copies = streams[1], home = streams[2];
  Staging up, down;
  std::optional<Uploaded<T>> first = {}, second = {};
  Milestone memory = {}, pattern = {}, values = {};  // taken; sent to the others
  bool values_here = false;                          // the stream waits for all of them
  // under the rendezvous's lock; its own thread alone changes them
  bool values_sent = false, done = false;
  std::deque<Arriving<T>> arriving = {};
  Stats stats = {};
  DeviceShare share = {};

  void wait() const {
    for (const hipStream_t s : {stream, copies, home}) (void)hipStreamSynchronize(s);
  }
};

template <class T>
[[nodiscard]] std::int64_t bytes_of_operands(const Operand<T>& a, const Operand<T>& b, bool same) {
  return bytes_of_c<T>(a.rows, a.nnz()) + (same ? 0 : bytes_of_c<T>(b.rows, b.nnz()));
}
[[nodiscard]] bool fits(const Engine& engine, std::int64_t operands) {
  return operands < engine.info().memory;
}

/// Of A and B that fit a device.
template <class T>
class HostProduct {
 public:
  HostProduct(const Engines& engines, const Operand<T>& a, const Operand<T>& b, bool same,
              const rowan::Options& options, const HostWork<T>& meanwhile, const Chunking& chunking)
      : engines_(engines),
        a_(a),
        b_(b),
        same_(same),
        options_(options),
        meanwhile_(meanwhile),
        chunking_(chunking),
        notifier_(options.progress),
        queue_(a.rows) {
    const double b_rows = static_cast<double>(std::max<std::int64_t>(b.rows, 1));
    const double products = static_cast<double>(a.nnz()) * static_cast<double>(b.nnz()) / b_rows;
    const double bytes = (static_cast<double>(a.nnz() + (same ? 0 : b.nnz())) + products) * kEntry;
    in_chunks_ = bytes > chunking.from_bytes;
    if (!in_chunks_) engines_.resize(1);
    // a device without room for A and B takes no rows, as long as there is another
    const auto room = [&](const Engine* e) { return fits(*e, bytes_of_operands(a, b, same)); };
    if (std::ranges::any_of(engines_, room)) std::erase_if(engines_, [&](const Engine* e) { return !room(e); });
    devices_ = static_cast<int>(engines_.size());
    if (devices_ > 1) static_cast<void>(connect(engines_));  // else copies between them go by way of the host
    stations_.resize(static_cast<std::size_t>(devices_));
    checked_ = !meanwhile.check;
    cores_.shared = in_chunks_ && meanwhile.fill && meanwhile.speed > 0 && options.memory_limit == 0;
    cores_.wants = cores_.shared;
  }
  HostProduct(const HostProduct&) = delete;
  HostProduct& operator=(const HostProduct&) = delete;
  ~HostProduct() {
    // others' copies into a device's memory end before it is given back
    each_station([](Station<T>& at) { at.wait(); });
    for (std::unique_ptr<Station<T>>& at : stations_) {
      if (!at) continue;
      const CurrentDevice here(at->engine.info().ordinal);
      at.reset();
    }
  }

  Csr<T> run(Stats& stats) {
    // one for each: what a device computes, what comes home from it, and what the host does itself
    std::vector<std::function<void(Rendezvous&)>> jobs;
    for (int k = 0; k < devices_; k++) jobs.emplace_back([this, k](Rendezvous& others) { compute(k, others); });
    for (int k = 0; in_chunks_ && k < devices_; k++)
      jobs.emplace_back([this, k](Rendezvous& others) { bring_home(k, others); });
    if (!checked_) jobs.emplace_back([this](Rendezvous& others) { check_operands(others); });
    if (cores_.shared) jobs.emplace_back([this](Rendezvous& others) { multiply_on_cores(others); });
    run_together(engines_.front()->pool().threads(), static_cast<int>(jobs.size()),
                 [&](int k, Rendezvous& others) { jobs[static_cast<std::size_t>(k)](others); });
    Csr<T> c = finished();
    tell(c, stats);
    return c;
  }

 private:
  static constexpr std::int64_t kEntry = static_cast<std::int64_t>(sizeof(Column) + sizeof(T));

  Station<T>& station(int device) { return *stations_[static_cast<std::size_t>(device)]; }
  template <class F>
  void each_station(const F& f) {
    for (const std::unique_ptr<Station<T>>& at : stations_)
      if (at) f(*at);
  }
  template <class F>
  void each_other(int device, const F& f) {
    for (int k = 0; k < devices_; k++)
      if (k != device) f(station(k));
  }

  // --- the operands

  /// Memory for A and B, and their patterns.
  void bring_patterns(int device, Rendezvous& others) {
    Station<T>& at = station(device);
    const Timer timer(at.stats.prepare);
    Pool& pool = at.engine.pool();
    const hipStream_t stream = at.stream, copies = at.copies;
    at.first.emplace(pool, a_, stream);
    if (!same_) at.second.emplace(pool, b_, stream);
    if (const std::int64_t limit = options_.memory_limit; limit != 0 && operand_bytes(at) >= limit)
      throw Error(ErrorCode::memory_limit, "A and B take " + std::to_string(operand_bytes(at)) +
                                               " bytes of device memory; the limit is " + std::to_string(limit));
    at.memory.record(stream);
    others.meet(devices_);
    each_other(device, [&](const Station<T>& other) { other.memory.before(copies); });
    const auto bring = [&](std::optional<Uploaded<T>> Station<T>::*which, const Operand<T>& host) {
      (at.*which)->copy_pattern(host, mine(device), at.up, stream);
      order(stream, copies);
      each_other(device, [&](Station<T>& other) { (at.*which)->send_pattern(*(other.*which), mine(device), copies); });
    };
    bring(&Station<T>::first, a_);
    if (!same_) bring(&Station<T>::second, b_);
    at.pattern.record(copies);
    others.meet(devices_);
    each_other(device, [&](const Station<T>& other) { other.pattern.before(stream); });
    order(stream, copies);
  }

  /// A's and B's values; while they travel, patterns are counted.
  void send_values(int device, Rendezvous& others) {
    Station<T>& at = station(device);
    if (at.values_sent) return;
    const hipStream_t copies = at.copies;
    const auto bring = [&](std::optional<Uploaded<T>> Station<T>::*which, const T* val) {
      (at.*which)->copy_values(val, mine(device), at.up, copies);
      each_other(device, [&](Station<T>& other) { (at.*which)->send_values(*(other.*which), mine(device), copies); });
    };
    bring(&Station<T>::first, a_.val);
    if (!same_) bring(&Station<T>::second, b_.val);
    at.values.record(copies);
    others.update([&] { at.values_sent = true; });
  }
  void bring_values(int device, Rendezvous& others) {
    Station<T>& at = station(device);
    if (std::exchange(at.values_here, true)) return;
    send_values(device, others);
    others.wait_until([&] { return std::ranges::all_of(stations_, [](const auto& s) { return s->values_sent; }); });
    each_station([&](const Station<T>& s) { s.values.before(at.stream); });
  }
  EqualPart mine(int device) const { return {device, devices_}; }

  Resident<T> left(const Station<T>& at) const { return at.first->resident(); }
  /// Some rows of A.
  Resident<T> left(const Station<T>& at, RowRange range) const {
    Resident<T> rows = left(at);
    rows.m.rows = range.size(), rows.m.ptr += range.first;
    rows.nnz = a_.ptr[range.last] - a_.ptr[range.first];
    return rows;
  }
  Resident<T> right(const Station<T>& at) const { return same_ ? left(at) : at.second->resident(); }
  std::int64_t operand_bytes(const Station<T>& at) const {
    return at.first->bytes() + (same_ ? 0 : at.second->bytes());
  }

  /// While they travel; kernels do not begin before.
  void check_operands(Rendezvous& others) {
    meanwhile_.check();
    others.update([&] { checked_ = true; });
  }

  // --- the rows

  void compute(int device, Rendezvous& others) {
    Engine& engine = *engines_[static_cast<std::size_t>(device)];
    const CurrentDevice chosen(engine.info().ordinal);
    auto made = std::make_unique<Station<T>>(engine, threads_each(options_, engines_.size()));
    others.update([&] { stations_[static_cast<std::size_t>(device)] = std::move(made); });
    Station<T>& at = station(device);
    bring_patterns(device, others);
    others.wait_until([&] { return checked_; });
    if (in_chunks_) cut_rows(device, others);
    while (true) {
      count_for_cores(device, others);
      const auto chunk = others.update([&] { return queue_.take(); });
      if (!chunk) break;
      const Timer timer(at.share.seconds);
      at.share.rows += chunk->rows.size();
      multiply_rows(device, *chunk, others);
    }
    send_values(device, others);  // where there was no chunk for this device: others wait for its part
    others.update([&] { at.done = true; });
  }

  /// One device sums up products; C's memory is then reserved at its bound, if there are so many addresses.
  void cut_rows(int device, Rendezvous& others) {
    if (device == 0) {
      const Station<T>& at = station(device);
      const Array<std::int64_t> sums = sum_products(at.engine.pool(), left(at).m, a_.nnz(), right(at).m, at.stream);
      RowQueue queue({a_.ptr, static_cast<std::size_t>(a_.rows) + 1}, sums,
                     {.first_products = chunking_.first_products,
                      .entries = std::max<std::int64_t>(chunking_.bytes / kEntry, 1),
                      .least_products = chunking_.least_products},
                     devices_);
      reserve(queue.nprod());
      others.update([&] {
        queue_ = std::move(queue), cut_ = true;
        cores_.wants &= reserved_;
      });
    }
    others.wait_until([&] { return cut_; });
  }
  void reserve(std::int64_t nprod) try {
    const std::int64_t full = a_.rows == 0 || b_.cols <= nprod / a_.rows ? a_.rows * b_.cols : nprod;
    row_ptr_ = Array<std::int64_t>(a_.rows + 1);
    col_ = Array<Column>(std::min(nprod, full)), val_ = Array<T>(std::min(nprod, full));
    reserved_ = true;
  } catch (const Error& e) {
    if (!too_large(e)) throw;
  }

  /// A chunk's rows, in parts where they do not fit at once.
  void multiply_rows(int device, const RowQueue::RowChunk& chunk, Rendezvous& others) {
    Station<T>& at = station(device);
    std::int64_t nnz = 0;
    std::vector<RowRange> todo{chunk.rows};
    while (!todo.empty()) {
      if (options_.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the multiplication was cancelled");
      others.wait_until([&] { return at.arriving.size() < room(); });
      const RowRange range = todo.back();
      todo.pop_back();
      try {
        Product<T> c = product_of(device, range, others);
        others.update([&] {
          Arriving<T>& rows = at.arriving.emplace_back();
          rows.filled.record(at.stream);
          rows.rows = range, rows.chunk = chunk.number, rows.behind = std::exchange(nnz, nnz + c.nnz);
          rows.c = std::move(c);
          if (todo.empty()) queue_.count(chunk, nnz);
        });
        if (!in_chunks_) first_home(device, others);
      } catch (const Error& e) {
        if (!too_large(e)) throw;
        if (others.update([&] { return !at.arriving.empty(); })) {
          others.wait_until([&] { return at.arriving.empty(); });  // then there is more room
          todo.push_back(range);
          continue;
        }
        if (range.size() < 2) throw;
        const std::int64_t middle = range.first + range.size() / 2;
        todo.push_back({middle, range.last});
        todo.push_back({range.first, middle});
        at.stats.method_reason = "C in chunks of rows: it does not fit the device's memory";
      }
    }
  }
  /// Where memory is limited, one chunk is there at a time.
  std::size_t room() const { return options_.memory_limit != 0 ? 1 : kInFlight; }

  Product<T> product_of(int device, RowRange range, Rendezvous& others) {
    Station<T>& at = station(device);
    const hipStream_t stream = at.stream;
    const Resident<T> rows = left(at, range), b = right(at);
    const auto before_values = [&] { bring_values(device, others); };
    const std::int64_t limit = options_.memory_limit == 0 ? 0 : options_.memory_limit - operand_bytes(at);
    if (may_be_small(at.engine, rows, b)) {
      before_values();
      if (auto small = small_product(at.engine, rows, b, limit, stream, &at.stats)) return *std::move(small);
    }
    MeasuredProduct measured = measure_product(at.engine, rows, b, stream, &at.stats, heavy_room(limit));
    if (auto in_one = one_phase(at.engine, rows, b, measured, limit, stream, &at.stats, before_values)) {
      add_to_stats(at.engine, *in_one, at.stats);
      return std::move(in_one->c);
    }
    CountedProduct<T> counted =
        count_product(at.engine, rows, b, std::move(measured), stream, &at.stats, before_values);
    allocate(at.engine, counted, limit, stream);
    fill_timed(at.engine, rows, b, counted, stream, at.stats);
    return std::move(counted.c);
  }

  // --- the rows of the host's cores

  /// Rows of which every row's entries are known.
  struct CountedRows {
    RowQueue::RowChunk chunk;
    Array<std::int64_t> row_ptr;
    std::int64_t nprod = 0;
  };

  /// A chunk for them, where they have none that waits.
  void count_for_cores(int device, Rendezvous& others) {
    std::optional<RowQueue::RowChunk> chunk;
    others.update([&] {
      if (!std::exchange(cores_.wants, false)) return;
      chunk = queue_.take_for_host(share_of_cores(), cores_.speed > 0);
      cores_.counting = chunk.has_value();
    });
    if (!chunk) return;
    Station<T>& at = station(device);
    try {
      const Resident<T> rows = left(at, chunk->rows);
      const CountedProduct<T> counted =
          measure_and_count(at.engine, rows, right(at), at.stream, nullptr, [&] { send_values(device, others); });
      Array<std::int64_t> row_ptr = fetched(counted.c.row_ptr.data(), rows.m.rows + 1, at.stream);
      others.update([&] {
        queue_.count(*chunk, counted.c.nnz);
        cores_.counted.emplace(CountedRows{*chunk, std::move(row_ptr), counted.record->nprod()});
        cores_.counting = false;
      });
    } catch (const Error& e) {
      if (!too_large(e)) throw;
      multiply_rows(device, *chunk, others);  // in parts
      others.update([&] { cores_.counting = false; });
    }
  }

  /// From what both have done so far, at first as predicted.
  double share_of_cores() const {
    double speed = meanwhile_.speed;
    if (cores_.speed > 0 && device_products_ > 0)
      speed = cores_.speed / (device_products_ / std::chrono::duration<double>(Clock::now() - begin_).count());
    return speed / (1 + speed);
  }

  void multiply_on_cores(Rendezvous& others) {
    while (true) {
      std::optional<CountedRows> rows;
      others.wait_until([&] {
        rows = std::exchange(cores_.counted, std::nullopt);
        const bool ended = cut_ && !cores_.counting && (!cores_.wants || queue_.all_taken());
        cores_.wants |= rows && cores_.speed > 0;
        return rows || ended;
      });
      if (!rows) return;
      const RowRange range = rows->chunk.rows;
      std::int64_t place = 0;
      others.wait_until([&] {
        const auto known = queue_.place_of(rows->chunk.number);
        place = known.value_or(0);
        return known.has_value();
      });
      double seconds = 0;
      {
        const Timer timer(seconds);
        meanwhile_.fill(range.first, rows->row_ptr.span(), col_.data() + place, val_.data() + place);
        for (std::int64_t i = 0; i < range.size(); i++) row_ptr_[range.first + i] = place + rows->row_ptr[i];
      }
      others.update([&] {
        DeviceShare& share = cores_.share;
        share.rows += range.size(), share.nprod += rows->nprod, share.nnz += rows->row_ptr[range.size()];
        share.seconds += seconds;
        cores_.wants |= cores_.speed == 0;
        cores_.speed = static_cast<double>(rows->nprod) / seconds;
        rows_home_ += range.size();
      });
      notify(others);
    }
  }

  // --- C

  void bring_home(int device, Rendezvous& others) {
    const CurrentDevice chosen(engines_[static_cast<std::size_t>(device)]->info().ordinal);
    const auto& here = stations_[static_cast<std::size_t>(device)];
    while (true) {
      others.wait_until([&] { return here && (here->done || !here->arriving.empty()); });
      if (here->arriving.empty()) return;
      first_home(device, others);
    }
  }

  /// The first of the rows that are on their way.
  void first_home(int device, Rendezvous& others) {
    Station<T>& at = station(device);
    const Arriving<T>& rows = at.arriving.front();  // it stays where it is while others come behind it
    {
      const Timer timer(at.stats.transfer);
      rows.filled.before(at.home);
      if (reserved_)
        to_its_place(at, rows, others);
      else
        to_a_piece(at, rows, others);
    }
    at.share.nnz += rows.c.nnz;
    others.update([&] {
      rows_home_ += rows.rows.size();
      device_products_ += queue_.products(rows.rows);
      at.arriving.pop_front();
    });
    notify(others);
  }

  void notify(Rendezvous& others) {
    notifier_.notify(
        [&] { return static_cast<double>(others.update([&] { return rows_home_; })) / static_cast<double>(a_.rows); });
  }

  void to_its_place(Station<T>& at, const Arriving<T>& rows, Rendezvous& others) {
    std::int64_t* const ptr = row_ptr_.data() + rows.rows.first;
    std::int64_t place = 0;
    others.wait_until([&] {
      const auto known = queue_.place_of(rows.chunk);
      place = known.value_or(0) + rows.behind;
      return known.has_value();
    });
    add_to_row_pointers(rows.c.row_ptr.data(), rows.rows.size(), place, at.home);
    copy_home(at, rows, ptr, rows.rows.size(), col_.data() + place, val_.data() + place);
  }

  void copy_home(Station<T>& at, const Arriving<T>& rows, std::int64_t* ptr, std::int64_t ptrs, Column* col, T* val) {
    const Product<T>& c = rows.c;
    at.down.down(std::array{Staging::copy(ptr, c.row_ptr.data(), ptrs), Staging::copy(col, c.col.data(), c.nnz),
                            Staging::copy(val, c.val.data(), c.nnz)},
                 at.home);
    check(hipStreamSynchronize(at.home), "copying C to the host");
  }

  void to_a_piece(Station<T>& at, const Arriving<T>& rows, Rendezvous& others) {
    RowsOfC<T> piece{rows.rows.first, Array<std::int64_t>(rows.rows.size() + 1), Array<Column>(rows.c.nnz),
                     Array<T>(rows.c.nnz)};
    copy_home(at, rows, piece.row_ptr.data(), rows.rows.size() + 1, piece.col.data(), piece.val.data());
    others.update([&] { pieces_.push_back(std::move(piece)); });
  }

  Csr<T> finished() {
    if (!reserved_) return assemble(pieces_, a_.rows, b_.cols, Team(options_.threads));
    std::int64_t nnz = cores_.share.nnz;
    each_station([&](const Station<T>& at) { nnz += at.share.nnz; });
    row_ptr_[a_.rows] = nnz;
    col_.shrink(nnz), val_.shrink(nnz);
    return {a_.rows, b_.cols, std::move(row_ptr_), std::move(col_), std::move(val_)};
  }

  /// In place of whatever `stats` had, but for what came before the devices.
  void tell(const Csr<T>& c, Stats& stats) {
    Stats all;
    each_station([&](Station<T>& at) {
      add_side_by_side(at.stats, all);
      all.bytes_temporary += operand_bytes(at);
      at.share.device = at.engine.info().ordinal, at.share.nprod = at.stats.nprod;
      at.share.bytes_from_others = bytes_of_c<T>(b_.rows, b_.nnz()) / devices_ * (devices_ - 1);
      all.devices.push_back(at.share);
    });
    if (cores_.share.rows != 0) {
      all.nprod += cores_.share.nprod;
      all.devices.push_back(cores_.share);
    }
    all.prepare += stats.prepare, all.total = stats.total;
    all.nnz = c.nnz();
    all.bytes_c = bytes_of_c<T>(c.rows(), c.nnz());
    stats = std::move(all);
  }

  Engines engines_;
  const Operand<T>&a_, &b_;
  const bool same_;
  const rowan::Options& options_;
  const HostWork<T>& meanwhile_;
  const Chunking chunking_;
  Notifier notifier_;
  bool in_chunks_ = false;
  int devices_ = 1;
  std::vector<std::unique_ptr<Station<T>>> stations_ = {};
  Array<std::int64_t> row_ptr_ = {};
  Array<Column> col_ = {};
  Array<T> val_ = {};
  bool reserved_ = false;  // C is written to these three; else to pieces
  // under the rendezvous's lock
  std::vector<RowsOfC<T>> pieces_ = {};
  RowQueue queue_;
  bool cut_ = false, checked_ = false;
  std::int64_t rows_home_ = 0;
  double device_products_ = 0;  // of rows that came home from devices
  struct {
    bool shared = false;                      // they may take rows; not changed later
    bool wants = false, counting = false;     // a chunk; a device counts one
    std::optional<CountedRows> counted = {};  // the next
    double speed = 0;                         // products a second, of the last chunk
    DeviceShare share = {.device = DeviceShare::kHost};
  } cores_;
  const Clock::time_point begin_ = Clock::now();
};

/// C = A B where A and B do not fit; `stats` as HostProduct tells.
template <class T>
Csr<T> multiply_in_parts(const Engines& engines, const Operand<T>& a, const Operand<T>& b,
                         const rowan::Options& options, Stats& stats, const Chunking& chunking) {
  std::mutex lock;  // of what follows
  std::vector<RowsOfC<T>> pieces;
  std::vector<Stats> its(static_cast<std::size_t>(part_workers(engines.size())));
  const std::size_t chunks = in_parts<T>(engines, a, b, options, [&](const PartOfProduct<T>& part) {
    rowan::Options mine = options;
    mine.memory_limit = part.limit, mine.threads = part.threads, mine.progress = {};
    Stats its_stats;
    Csr<T> c = HostProduct<T>({engines[part.device]}, part.a, part.b, false, mine, {}, chunking).run(its_stats);
    const std::lock_guard locked(lock);
    add_one_after_another(its_stats, its[static_cast<std::size_t>(part.worker)]);
    CsrArrays<T> arrays = std::move(c).release();
    pieces.push_back({part.rows.first, std::move(arrays.row_ptr), std::move(arrays.col), std::move(arrays.val)});
  });
  Csr<T> c = assemble(pieces, a.rows, b.cols, Team(options.threads));
  Stats all;
  for (const Engine* engine : engines) all.devices.push_back({.device = engine->info().ordinal});
  for (std::size_t worker = 0; worker < its.size(); worker++) {
    add_side_by_side(its[worker], all);
    if (its[worker].devices.empty()) continue;  // it had no chunk
    const DeviceShare& more = its[worker].devices.front();
    DeviceShare& share = all.devices[worker % engines.size()];
    share.rows += more.rows, share.nprod += more.nprod, share.nnz += more.nnz;
    share.seconds = std::max(share.seconds, more.seconds);
  }
  all.prepare += stats.prepare, all.total = stats.total;
  all.nnz = c.nnz(), all.bytes_c = bytes_of_c<T>(c.rows(), c.nnz());
  all.method_reason = "A and B do not fit the device's memory: " + std::to_string(chunks) +
                      (chunks == 1 ? " chunk" : " chunks") + " of A's rows, with the rows of B that it names";
  stats = std::move(all);
  return c;
}

}  // namespace

template <class T>
Csr<T> multiply_on_host(const Engines& engines, const Operand<T>& a, const Operand<T>& b, bool same,
                        const rowan::Options& options, Stats& stats, const HostWork<T>& meanwhile,
                        const Chunking& chunking) {
  double told = 0;  // by the first of two attempts
  rowan::Options rising = options;
  if (options.progress)
    rising.progress = [&](double share) {
      if (share > told) options.progress(told = share);
    };
  const std::int64_t bytes = bytes_of_operands(a, b, same);
  const bool fit = std::ranges::any_of(engines, [&](const Engine* e) { return fits(*e, bytes); }) &&
                   (options.memory_limit == 0 || bytes < options.memory_limit);
  if (fit) try {
      return HostProduct<T>(engines, a, b, same, rising, meanwhile, chunking).run(stats);
    } catch (const Error& e) {
      if (!too_large(e)) throw;
    }
  if (meanwhile.check) meanwhile.check();
  return multiply_in_parts(engines, a, b, rising, stats, chunking);
}

#define ROWAN_INSTANTIATE(T)                                                                                          \
  template Csr<T> multiply_on_host(const Engines&, const Operand<T>&, const Operand<T>&, bool, const rowan::Options&, \
                                   Stats&, const HostWork<T>&, const Chunking&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
