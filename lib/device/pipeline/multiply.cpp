#include "lib/device/pipeline/multiply.hpp"

#include <algorithm>
#include <vector>

#include "lib/device/pipeline/one_phase.hpp"
#include "lib/device/pipeline/stages.hpp"
#include "lib/device/runtime/fork.hpp"
#include "lib/device/runtime/host_mailbox.hpp"
#include "lib/device/runtime/primitives.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Cuts arrays out of one allocation. The first pass, without memory, only adds
/// up.
class Carver {
 public:
  explicit Carver(std::byte* base = nullptr) : base_(base) {}
  template <class V>
  V* take(std::int64_t n) {
    constexpr std::size_t kAlign = 256;
    std::byte* at = base_ + used_;
    used_ += (static_cast<std::size_t>(n) * sizeof(V) + kAlign - 1) / kAlign * kAlign;
    return base_ == nullptr ? nullptr : reinterpret_cast<V*>(at);
  }
  [[nodiscard]] std::int64_t used() const noexcept { return static_cast<std::int64_t>(used_); }

 private:
  std::byte* base_;
  std::size_t used_ = 0;
};

/// `same`: A's rows are B's. `handing`: rows may be handed on by hash.
Metadata carve(Carver& carver, std::int64_t rows, std::int64_t b_rows, bool runs, bool shifts, bool same, bool handing,
               std::int64_t scan_bytes) {
  Metadata m{};
  m.cleared = carver.take<Metadata::Cleared>(1);
  m.range = carver.take<BRow>(b_rows);
  m.c_rows = carver.take<CRow>(rows);
  m.relation = runs ? carver.take<std::uint8_t>(rows) : nullptr;
  m.b_relation = runs && !same ? carver.take<std::uint8_t>(b_rows) : m.relation;
  m.team = runs ? carver.take<std::uint8_t>(rows) : nullptr;
  m.place = shifts ? carver.take<std::uint8_t>(rows) : nullptr;
  m.kept = runs ? carver.take<KeptAt>(rows) : nullptr;
  m.key = carver.take<std::uint8_t>(rows);
  m.list = carver.take<std::int32_t>(rows);
  m.handed = handing ? carver.take<std::int32_t>(rows) : nullptr;
  m.scan_bytes = scan_bytes;
  m.scan = carver.take<std::byte>(scan_bytes);
  return m;
}

/// Whether any row is in a run or shift run.
bool has_runs(const Tally* bins) {
  return std::any_of(bins, bins + kBins, [](const Tally& t) { return t.in_runs != 0 || t.in_shifts != 0; });
}

/// A slot that has rows, and what they sum up to.
struct Launch {
  int slot;
  Tally rows;
  std::int64_t with_followers = 0;  // how many rows

  [[nodiscard]] double team_rows() const noexcept {
    return static_cast<double>(with_followers) / static_cast<double>(rows.rows);
  }
};

/// Launches of a phase, largest kernels first (OpSparse, section 5.5).
std::vector<Launch> launches_of(Phase phase, const Slots& slots, const Tally* bins, std::int64_t b_nnz) {
  std::vector<Launch> launches;
  const int all = slots_of(phase);
  for (int k = 0; k < all; k++) {
    const int slot = kShapes.launch.largest_first ? all - 1 - k : k;
    if (slots.rows(slot) == 0) continue;
    Launch& launch = launches.emplace_back(Launch{slot, {}});
    Tally& rows = launch.rows;
    for (int bin = 0; bin < kBins; bin++)
      if (slots.list.of_bin[bin] == slot) {
        rows.add(bins[bin]);
        launch.with_followers += with_followers(bins, bin).rows;
      }
    // distinct columns of a row of C are columns of B, each with an entry there
    rows.bound_max = std::min(rows.bound_max, b_nnz);
  }
  return launches;
}

/// How many words of bitmaps dense-run's kernels may keep. Matrices that it is for kept one word in forty to two
/// hundred products; those for which there is no room are found again.
std::int64_t words_to_keep(const Slots& slots, const Tally* bins) {
  constexpr std::int64_t kProductsAWord = 16, kMostWords = INT32_MAX;
  std::int64_t words = 0;
  for (int bin = 0; bin < kBins; bin++) {
    const int slot = slots.list.of_bin[bin];
    if (slot == kNoSlot) continue;
    with_slot(Phase::symbolic, slot, [&](auto candidate, int kernel) {
      if (candidate.kName != dense::DeviceRun::kName || kernel == dense::DeviceRun::kWide) return;
      const Tally& rows = bins[bin];
      words += std::min(rows.span / dense::kBits + 2 * rows.rows, rows.nprod / kProductsAWord + rows.rows);
    });
  }
  return std::min(words, kMostWords);
}

/// Memory for tables, where one of the launches wants them: bytes_of(its rows).
template <class F>
Buffer<std::byte> tables_for(Engine& engine, Phase phase, const std::vector<Launch>& launches, const F& bytes_of,
                             hipStream_t stream) {
  Buffer<std::byte> tables;
  for (const Launch& l : launches)
    with_slot(phase, l.slot, [&](auto candidate, int kernel) {
      if (!candidate.wants_tables(phase, kernel)) return;
      tables = Buffer<std::byte>(engine.pool(), static_cast<std::int64_t>(bytes_of(l.rows)), stream);
    });
  return tables;
}

}  // namespace

sort::ShortSample decide(Engine& engine, Phase phase, const Rules& rules, const Metadata& at, hipStream_t stream,
                         const std::function<void()>& before_wait, DeviceRecord& record) {
  const auto p = static_cast<std::size_t>(phase);
  HostMailbox<Findings> told(engine.pool(), stream);
  told.send(at.cleared->found + p);
  if (before_wait) before_wait();
  const Findings& found = told.wait("waiting for what was found");
  std::copy_n(found.bins, kBins, record.bins[p]);
  if (phase == Phase::symbolic) record.sorted_b = found.falls == 0;
  record.slots[p] = decide_slots(phase, rules, engine.policy().trees, record.bins[p], record.sorted_b);
  return found.sample;
}

void list_slots(const Slots& slots, Phase phase, std::int64_t rows, const Metadata& at, hipStream_t stream) {
  if (!slots.listed()) return;
  list_rows(rows, at.key, slots.list, at.cleared->cursor[static_cast<std::size_t>(phase)], at.list, stream);
}

void check_sizes(std::int64_t need, std::int64_t limit, std::int64_t nnz) {
  if (limit == 0 || need <= limit) return;
  throw Error(ErrorCode::memory_limit, "C has " + std::to_string(nnz) + " entries and needs " + std::to_string(need) +
                                           " bytes of device memory with its temporaries; the limit is " +
                                           std::to_string(limit));
}

std::int64_t DeviceRecord::nprod() const noexcept {
  std::int64_t n = 0;
  for (const Tally& t : bins[kSymbolic]) n += t.nprod;
  return n;
}
std::int64_t DeviceRecord::nnz() const noexcept {
  std::int64_t n = 0;
  for (const Tally& t : bins[kNumeric]) n += t.bound;
  return n;
}

template <class T>
Measured measure(Engine& engine, const Resident<T>& a, const Resident<T>& b, hipStream_t stream, Stats* stats) {
  const std::int64_t rows = a.m.rows;
  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  const bool runs = engine.uses_runs(), shifts = engine.uses_shifts();
  const bool same = a.m.col == b.m.col && a.m.ptr == b.m.ptr && a.m.rows == b.m.rows;
  const auto scan_bytes = static_cast<std::int64_t>(exclusive_sum_bytes(rows + 1));
  const auto cut = [&](Carver carver) {
    Metadata m = carve(carver, rows, b.m.rows, runs, shifts, same, engine.policy().tables.collisions != 0, scan_bytes);
    return std::pair(m, carver.used());
  };
  Measured out;
  out.memory = Buffer<std::byte>(engine.pool(), cut(Carver()).second, stream);
  out.at = cut(Carver(out.memory.data())).first;
  out.row_ptr = Buffer<std::int64_t>(engine.pool(), rows + 1, stream);
  Metadata& m = out.at;
  check(hipMemsetAsync(m.cleared, 0, sizeof *m.cleared, stream), "clearing");

  measure_ranges(b.m, b.nnz, m.range, &m.cleared->found[kSymbolic].falls, m.b_relation, stream);
  if (runs && !same) measure_runs(a.m, a.nnz, m.relation, stream);
  measure_rows(a.m, a.nnz, m.range, m.relation, out.row_ptr.data(), m.c_rows, m.place, stream);
  if (shifts) make_shift_teams(rows, m.place, stream);
  clock.mark(&times.features);

  out.rules = engine.rules(b.m.cols, sizeof(T));
  Fork side_streams(engine.pool(), stream, engine.may_use_one_phase() ? 2 : 1);  // the sample takes as long as the sums
  tally_bins({a.m, out.row_ptr.data(), RowNumber::products, m.c_rows, m.relation, nullptr, m.place},
             make_borders(Phase::symbolic, out.rules), m.cleared->found[kSymbolic].bins, m.key, side_streams.next(),
             engine.info().multiprocessors);
  if (engine.may_use_one_phase())
    sort::sample_short_rows(a.m, b.m, m.c_rows, &m.cleared->found[kSymbolic].sample, side_streams.next());
  side_streams.join();
  clock.mark(&times.binning);
  const sort::ShortSample sample = decide(engine, Phase::symbolic, out.rules, m, stream, {}, out.record);
  out.method = choose_method(out.rules, engine.policy().trees, out.record.bins[kSymbolic], sample);
  if (!has_runs(out.record.bins[kSymbolic])) {  // then nobody need look for them
    if (same) m.b_relation = nullptr;
    m.relation = m.team = m.place = nullptr;
  }
  clock.mark(&times.deciding);
  clock.read();
  return out;
}

template <class T>
void count_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, const RowsToCount& rows,
                hipStream_t stream) {
  const std::vector<Launch> launches = launches_of(Phase::symbolic, rows.slots, rows.bins, b.nnz);
  const int multiprocessors = engine.info().multiprocessors;
  const auto tables = tables_for(
      engine, Phase::symbolic, launches,
      [=](const Tally& t) {
        return hash::bytes_in_turns(hash::symbolic_table_bytes(t.bound_max), t.rows, multiprocessors);
      },
      stream);
  HandedRows handed = rows.handed;
  handed.collisions = engine.policy().tables.collisions;
  Fork fork(engine.pool(), stream, launches.size());
  const auto launch = [&](const Launch& one, hipStream_t own) {
    return SymbolicLaunch{.a = a.m,
                          .b = b.m,
                          .rows = rows.slots.of(one.slot, rows.list),
                          .c_rows = rows.c_rows,
                          .nnz = rows.nnz,
                          .extent = extent_of(one.rows, rows.sorted_b),
                          .group = rows.slots.group[one.slot],
                          .runs = {.b_relation = rows.b_relation, .kept = rows.kept},
                          .handed = handed,
                          .tables = {tables.data(), tables.bytes()},
                          .device = engine.info(),
                          .stream = own};
  };
  const Launch* hashed = nullptr;
  std::int64_t hashed_rows = 0;
  for (const Launch& one : launches)
    with_slot(Phase::symbolic, one.slot, [&](auto candidate, int kernel) {
      candidate.symbolic(launch(one, fork.next()), kernel);
      if (candidate.kName == hash::DeviceHash::kName) hashed = &one, hashed_rows += rows.slots.rows(one.slot);
    });
  fork.join();
  if (hashed != nullptr && handed.list != nullptr) dense::count_handed(launch(*hashed, stream), hashed_rows);
}

template <class T>
Counted<T> count(Engine& engine, const Resident<T>& a, const Resident<T>& b, Measured&& measured, hipStream_t stream,
                 Stats* stats, const std::function<void()>& before_wait) {
  const std::int64_t rows = a.m.rows;
  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  Counted<T> out;
  out.c.rows = rows, out.c.cols = b.m.cols;
  out.c.row_ptr = std::move(measured.row_ptr);
  out.memory = std::move(measured.memory);
  out.bytes_temporary = out.memory.size();
  out.record = measured.record;
  out.method = MethodChoice{.reason = measured.method.reason};
  const Metadata& m = out.at = measured.at;
  const Slots &symbolic = out.record.slots[kSymbolic], &numeric = out.record.slots[kNumeric];
  std::int64_t* const row_ptr = out.c.row_ptr.data();

  list_slots(symbolic, Phase::symbolic, rows, m, stream);
  clock.mark(&times.binning);
  KeptWords kept;
  if (const std::int64_t words = m.relation == nullptr ? 0 : words_to_keep(symbolic, out.record.bins[kSymbolic]);
      words != 0) {
    out.words = Buffer<KeptWord>(engine.pool(), words, stream);
    out.bytes_temporary += static_cast<std::int64_t>(out.words.bytes());
    kept = {.words = out.words.data(), .used = &m.cleared->words_kept, .room = words, .of_row = m.kept};
    check(hipMemsetAsync(m.kept, 0, static_cast<std::size_t>(rows) * sizeof(KeptAt), stream), "clearing");
  }
  RowsToCount to_count = rows_to_count(out.record, m, row_ptr);
  to_count.kept = kept;
  count_rows(engine, a, b, to_count, stream);
  if (m.relation != nullptr) make_teams(rows, m.relation, m.place, row_ptr, m.team, kept.of_row, stream);
  exclusive_sum(m.scan, static_cast<std::size_t>(m.scan_bytes), row_ptr, rows + 1, stream);
  clock.mark(&times.symbolic);

  tally_bins({a.m, row_ptr, RowNumber::place, m.c_rows, m.relation, m.team, m.place},
             make_borders(Phase::numeric, measured.rules), m.cleared->found[kNumeric].bins, m.key, stream,
             engine.info().multiprocessors);
  clock.mark(&times.binning);
  (void)decide(engine, Phase::numeric, measured.rules, m, stream, before_wait, out.record);
  out.c.nnz = out.record.nnz();
  clock.mark(&times.deciding);
  list_slots(numeric, Phase::numeric, rows, m, stream);
  out.list = m.list;
  clock.mark(&times.binning);
  clock.read();
  return out;
}

template <class T>
Counted<T> count(Engine& engine, const Resident<T>& a, const Resident<T>& b, hipStream_t stream, Stats* stats,
                 const std::function<void()>& before_wait) {
  return count(engine, a, b, measure(engine, a, b, stream, stats), stream, stats, before_wait);
}

template <class T>
void allocate(Engine& engine, Counted<T>& counted, std::int64_t memory_limit, hipStream_t stream) {
  check_sizes(bytes_of(counted.c) + counted.bytes_temporary, memory_limit, counted.c.nnz);
  counted.c.col = Buffer<std::int32_t>(engine.pool(), counted.c.nnz, stream);
  counted.c.val = Buffer<T>(engine.pool(), counted.c.nnz, stream);
}

template <class T>
void fill_slots(Engine& engine, const Resident<T>& a, const Resident<T>& b, Counted<T>& counted, hipStream_t stream) {
  const Slots& slots = counted.record.slots[kNumeric];
  const Metadata& m = counted.at;
  const std::vector<Launch> launches = launches_of(Phase::numeric, slots, counted.record.bins[kNumeric], b.nnz);
  if (counted.tables.size() == 0)
    counted.tables = tables_for(
        engine, Phase::numeric, launches,
        [&](const Tally& rows) {
          return hash::numeric_table_memory<T>(engine.policy().tables, rows.rows, rows.bound_max,
                                               engine.info().multiprocessors);
        },
        stream);
  KeptWords kept;
  if (counted.words.size() != 0) kept.words = counted.words.data(), kept.of_row = m.kept;
  Fork fork(engine.pool(), stream, launches.size());
  for (const Launch& one : launches)
    with_slot(Phase::numeric, one.slot, [&](auto candidate, int kernel) {
      const Tally& rows = one.rows;
      candidate.template numeric<T>(
          {.a = a.m,
           .b = b.m,
           .rows = slots.of(one.slot, counted.list),
           .extent = extent_of(rows, counted.record.sorted_b),
           .group = slots.group[one.slot],
           .group_decided = slots.decided[one.slot] != 0,
           .in_order = engine.deterministic(),
           .room = engine.policy().room.numeric,
           .table_rules = engine.policy().tables,
           .team_rows = one.team_rows(),
           .b_row_avg = static_cast<double>(rows.nprod) / static_cast<double>(std::max<std::int64_t>(rows.a_nnz, 1)),
           .c_rows = m.c_rows,
           .runs = {m.b_relation, m.team, m.place, kept},
           .row_ptr = counted.c.row_ptr.data(),
           .col = counted.c.col.data(),
           .val = counted.c.val.data(),
           .tables = {counted.tables.data(), counted.tables.bytes()},
           .device = engine.info(),
           .stream = fork.next()},
          kernel);
    });
  fork.join();
}

template <class T>
void fill(Engine& engine, const Resident<T>& a, const Resident<T>& b, Counted<T>& counted, hipStream_t stream) {
  if (counted.method.method == Method::one_phase) fill_short_rows(engine, a, b, counted, nullptr, stream);
  fill_slots(engine, a, b, counted, stream);
}

template <class T>
void fill_timed(Engine& engine, const Resident<T>& a, const Resident<T>& b, Counted<T>& counted, hipStream_t stream,
                Stats& stats) {
  StageClock clock(true, stream);
  fill(engine, a, b, counted, stream);
  clock.mark(&stats.numeric);
  clock.read();
  tell(engine, counted, stats);
}

template <class T>
void tell(const Engine& engine, const Counted<T>& counted, Stats& stats) {
  stats.policy = engine.policy().name, stats.device = engine.info().name;
  stats.nprod += counted.record.nprod(), stats.nnz = counted.c.nnz;
  stats.method = counted.method.method;
  if (stats.method_reason.empty()) stats.method_reason = counted.method.reason;
  stats.binned = counted.record.slots[kSymbolic].binned;
  stats.bytes_c = bytes_of(counted.c);
  stats.bytes_temporary =
      std::max(stats.bytes_temporary, counted.bytes_temporary + static_cast<std::int64_t>(counted.tables.bytes()));
}

template <class T>
Counted<T> product(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                   hipStream_t stream, Stats* stats) {
  Measured measured = measure(engine, a, b, stream, stats);
  if (auto done = one_phase(engine, a, b, measured, memory_limit, stream, stats)) {
    if (stats != nullptr) tell(engine, *done, *stats);
    return std::move(*done);
  }
  Counted<T> counted = count(engine, a, b, std::move(measured), stream, stats);
  allocate(engine, counted, memory_limit, stream);
  if (stats != nullptr)
    fill_timed(engine, a, b, counted, stream, *stats);
  else
    fill(engine, a, b, counted, stream);
  return counted;
}

template <class T>
Product<T> multiply(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                    hipStream_t stream, Stats* stats) {
  return std::move(product(engine, a, b, memory_limit, stream, stats).c);
}

#define ROWAN_INSTANTIATE(T)                                                                                       \
  template Measured measure(Engine&, const Resident<T>&, const Resident<T>&, hipStream_t, Stats*);                 \
  template Counted<T> count(Engine&, const Resident<T>&, const Resident<T>&, Measured&&, hipStream_t, Stats*,      \
                            const std::function<void()>&);                                                         \
  template Counted<T> count(Engine&, const Resident<T>&, const Resident<T>&, hipStream_t, Stats*,                  \
                            const std::function<void()>&);                                                         \
  template void count_rows(Engine&, const Resident<T>&, const Resident<T>&, const RowsToCount&, hipStream_t);      \
  template void allocate(Engine&, Counted<T>&, std::int64_t, hipStream_t);                                         \
  template void fill_timed(Engine&, const Resident<T>&, const Resident<T>&, Counted<T>&, hipStream_t, Stats&);     \
  template void fill(Engine&, const Resident<T>&, const Resident<T>&, Counted<T>&, hipStream_t);                   \
  template void fill_slots(Engine&, const Resident<T>&, const Resident<T>&, Counted<T>&, hipStream_t);             \
  template void tell(const Engine&, const Counted<T>&, Stats&);                                                    \
  template Counted<T> product(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, hipStream_t, Stats*); \
  template Product<T> multiply(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, hipStream_t, Stats*);
ROWAN_INSTANTIATE(float)
ROWAN_INSTANTIATE(double)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
