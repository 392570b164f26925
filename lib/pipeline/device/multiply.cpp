#include "lib/pipeline/device/multiply.hpp"

#include <algorithm>
#include <vector>

#include "features/device/measure.hpp"
#include "lib/device/fork.hpp"
#include "lib/device/primitives.hpp"
#include "lib/device/variants.hpp"
#include "lib/pipeline/device/stages.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// Memory for tables that are too large for shared memory; a table that is
/// larger than all of it gets its size.
constexpr std::size_t kTableBytes = std::size_t{256} << 20;

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

/// The one allocation of metadata (OpSparse, section 5.3).
struct Metadata {
  Findings* found;
  RowOfB* range;
  RowFacts* facts;
  std::uint8_t *relation, *b_relation, *team, *place;  // runs.hpp; null where no policy asks for runs
  std::uint8_t* key;
  std::int32_t* list;
  std::byte* scan;
  std::size_t scan_bytes;

  /// `same`: A's rows are B's.
  Metadata(Carver& carver, std::int64_t rows, std::int64_t b_rows, bool runs, bool shifts, bool same)
      : found(carver.take<Findings>(1)),
        range(carver.take<RowOfB>(b_rows)),
        facts(carver.take<RowFacts>(rows)),
        relation(runs ? carver.take<std::uint8_t>(rows) : nullptr),
        b_relation(runs && !same ? carver.take<std::uint8_t>(b_rows) : relation),
        team(runs ? carver.take<std::uint8_t>(rows) : nullptr),
        place(shifts ? carver.take<std::uint8_t>(rows) : nullptr),
        key(carver.take<std::uint8_t>(rows)),
        list(carver.take<std::int32_t>(rows)),
        scan_bytes(exclusive_sum_bytes(rows + 1)) {
    scan = carver.take<std::byte>(static_cast<std::int64_t>(scan_bytes));
  }
};

constexpr int kDecideThreads = 128;
static_assert(kBins <= kDecideThreads);

/// One block decides for all bins, a thread a bin.
__global__ void __launch_bounds__(kDecideThreads)
    decide_symbolic(Rules rules, std::array<Tree, kDecisions> trees, Findings* found) {
  constexpr int kTallyWords = sizeof(Tally) / sizeof(std::int64_t), kTallies = kBins + 1;
  ROWAN_SHARED(std::int64_t, words,
               kTallies * kTallyWords);  // the last sums up the others
  ROWAN_SHARED(std::int64_t, decisions, sizeof(BinDecision) * kBins / sizeof(std::int64_t) + 1);
  ROWAN_SHARED(int, binned, 1);
  auto* const tally = reinterpret_cast<Tally*>(words);
  auto* const bins = reinterpret_cast<BinDecision*>(decisions);
  const int b = static_cast<int>(threadIdx.x);
  Tally* const all = tally + kBins;
  const auto* const from = reinterpret_cast<const std::int64_t*>(found->bins[kSymbolic]);
  for (int k = b; k < kTallies * kTallyWords; k += kDecideThreads) words[k] = k < kBins * kTallyWords ? from[k] : 0;
  __syncthreads();
  if (b == 0) add_up(tally, *all), binned[0] = decide_binning(rules, trees, *all) ? 1 : 0;
  __syncthreads();
  if (b >= BinKey::kDirect && b < kBins && tally[b].rows != 0)
    bins[b] = decide_bin(Phase::symbolic, rules, trees, b, decisive(tally, b, binned[0] != 0, *all), found->falls == 0);
  __syncthreads();
  if (b == 0) lay_out(tally, bins, binned[0] != 0, found->slots[kSymbolic]);
}
__global__ void set_slots(Slots slots, Findings* found) {
  if (threadIdx.x == 0) found->slots[kNumeric] = slots;
}

ListLayout layout_of(Findings* found, int phase) {
  Slots& s = found->slots[phase];
  return {s.begin, s.of_bin, &s.only, kMostSlots};
}

/// Slots of a phase, largest kernels first (OpSparse, section 5.5).
std::vector<int> launch_order(Phase phase) {
  std::vector<int> slots(static_cast<std::size_t>(slots_of(phase)));
  for (std::size_t k = 0; k < slots.size(); k++)
    slots[k] = static_cast<int>(kVariant == Variant::small_first ? k : slots.size() - 1 - k);
  return slots;
}

void check_sizes(std::int64_t need, std::int64_t limit, std::int64_t nnz) {
  if (limit == 0 || need <= limit) return;
  throw Error(ErrorCode::memory_limit, "C has " + std::to_string(nnz) + " entries and needs " + std::to_string(need) +
                                           " bytes of device memory with its temporaries; the limit is " +
                                           std::to_string(limit));
}

template <class T>
std::int64_t bytes_of(const Product<T>& c) {
  return c.nnz * static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(T)) + (c.rows + 1) * 8;
}

}  // namespace

std::int64_t DeviceRecord::nprod() const noexcept {
  std::int64_t n = 0;
  for (const Tally& t : found.bins[kSymbolic]) n += t.nprod;
  return n;
}
std::int64_t DeviceRecord::nnz() const noexcept {
  std::int64_t n = 0;
  for (const Tally& t : found.bins[kNumeric]) n += t.bound;
  return n;
}

template <class T>
void count_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, const RowsToCount& rows,
                hipStream_t stream) {
  // distinct columns of a row of C are columns of B, each with an entry there
  const std::int64_t bound = std::min(b.m.cols, b.nnz);
  const SizeQuery any{
      .bound_max = bound, .shared_limit = engine.info().shared_limit, .room = engine.policy().room.symbolic};
  Buffer<std::byte> tables;
  if (ranks(engine.policy().tree(Decision::symbolic), kSafest) || engine.rules(0, 0).forced != kNotForced) {
    const std::size_t one = hash::symbolic_table_bytes(bound);
    if (hash::symbolic_kernel(any) + 1 == hash::OnDevice::kSymbolicKernels)
      tables = Buffer<std::byte>(
          engine.pool(),
          static_cast<std::int64_t>(
              std::max(one, std::min(kTableBytes, one * static_cast<std::size_t>(engine.info().multiprocessors)))),
          stream);
  }
  Fork fork(engine.pool(), stream);
  for (const int slot : launch_order(Phase::symbolic)) {
    if (rows.known != nullptr && rows.known->begin[slot + 1] == rows.known->begin[slot]) continue;
    with_slot(Phase::symbolic, slot, [&](auto candidate, int kernel) {
      if (!engine.may_count(*candidate_named(candidate.kName))) return;
      if (!candidate.possible(kernel, engine.info().shared_limit)) return;
      if (candidate.wants_tables(Phase::symbolic, kernel) && tables.size() == 0) return;  // no row can be that long
      candidate.symbolic({.a = a.m,
                          .b = b.m,
                          .rows = {rows.list, rows.slots, slot},
                          .facts = rows.facts,
                          .nnz = rows.nnz,
                          .bound_max = bound,
                          .runs = {.b_relation = rows.b_relation},
                          .tables = {tables.data(), tables.bytes()},
                          .device = engine.info(),
                          .stream = fork.next()},
                         kernel);
    });
  }
  fork.join();
}

template <class T>
Counted<T> count(Engine& engine, const Resident<T>& a, const Resident<T>& b, hipStream_t stream, Stats* stats,
                 const std::function<void()>& before_wait) {
  const std::int64_t rows = a.m.rows;
  Counted<T> out;
  out.c.rows = rows, out.c.cols = b.m.cols;
  Pool& pool = engine.pool();
  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  const bool runs = engine.asks_for_runs(), shifts = engine.asks_for_shifts();
  const bool same = a.m.col == b.m.col && a.m.ptr == b.m.ptr && a.m.rows == b.m.rows;
  Carver sizes;
  (void)Metadata(sizes, rows, b.m.rows, runs, shifts, same);
  out.metadata = Buffer<std::byte>(pool, sizes.used(), stream);
  out.bytes_temporary = sizes.used();
  Carver carver(out.metadata.data());
  const Metadata m(carver, rows, b.m.rows, runs, shifts, same);
  out.c.row_ptr = Buffer<std::int64_t>(pool, rows + 1, stream);
  std::int64_t* const row_ptr = out.c.row_ptr.data();
  check(hipMemsetAsync(m.found, 0, sizeof(Findings), stream), "clearing");
  check(hipMemsetAsync(row_ptr + rows, 0, sizeof(std::int64_t), stream), "clearing");

  measure_ranges(b.m, b.nnz, m.range, &m.found->falls, m.b_relation, stream);
  if (runs && !same) measure_runs(a.m, a.nnz, m.relation, stream);
  measure_rows(a.m, a.nnz, m.range, m.relation, row_ptr, m.facts, m.place, stream);
  if (shifts) make_shift_teams(rows, m.place, stream);
  clock.mark(&times.features);

  const Rules rules = engine.rules(b.m.cols, sizeof(T));
  const auto source = [&](bool exact) -> RowSource {
    return {a.m, row_ptr, exact, &m.facts->lo, m.relation, exact ? m.team : nullptr, m.place};
  };
  tally_bins(source(false), make_borders(Phase::symbolic, rules), m.found->bins[kSymbolic], m.key, stream,
             engine.info().multiprocessors);
  clock.mark(&times.binning);
  launch(decide_symbolic, {.grid = rows == 0 ? 0 : 1, .block = kDecideThreads}, stream, rules, engine.trees(), m.found);
  clock.mark(&times.deciding);
  list_rows(rows, m.key, layout_of(m.found, kSymbolic), m.found->cursor[kSymbolic], m.list, stream);
  clock.mark(&times.binning);

  count_rows(engine, a, b,
             {.list = m.list,
              .slots = &m.found->slots[kSymbolic],
              .facts = &m.facts->lo,
              .b_relation = m.b_relation,
              .nnz = row_ptr},
             stream);
  if (runs) make_teams(rows, m.relation, m.place, row_ptr, m.team, stream);
  exclusive_sum(m.scan, m.scan_bytes, row_ptr, rows + 1, stream);
  clock.mark(&times.symbolic);

  tally_bins(source(true), make_borders(Phase::numeric, rules), m.found->bins[kNumeric], m.key, stream,
             engine.info().multiprocessors);
  const PinnedValue<Findings> found(pool);
  check(hipMemcpyAsync(found.get(), m.found, sizeof(Findings), hipMemcpyDeviceToHost, stream), "copying C's size");
  clock.mark(&times.binning);
  if (before_wait) before_wait();
  check(hipStreamSynchronize(stream), "counting C's entries");  // the one wait

  DeviceRecord& record = out.record;
  record.found = *found.get();
  decide_slots(Phase::numeric, rules, engine.policy().trees, record.found.bins[kNumeric], record.found.falls == 0,
               record.found.slots[kNumeric]);
  out.c.nnz = record.nnz();
  launch(set_slots, {.grid = 1, .block = 64}, stream, record.found.slots[kNumeric], m.found);
  list_rows(rows, m.key, layout_of(m.found, kNumeric), m.found->cursor[kNumeric], m.list, stream);
  out.facts = &m.facts->lo, out.relation = m.relation, out.key = m.key;
  out.runs = {m.b_relation, m.team, m.place};
  out.list = m.list, out.slots = &m.found->slots[kNumeric];
  clock.mark(&times.binning);
  clock.read();
  return out;
}

template <class T>
void allocate(Engine& engine, Counted<T>& counted, std::int64_t memory_limit, hipStream_t stream) {
  check_sizes(bytes_of(counted.c) + counted.bytes_temporary, memory_limit, counted.c.nnz);
  counted.c.col = Buffer<std::int32_t>(engine.pool(), counted.c.nnz, stream);
  counted.c.val = Buffer<T>(engine.pool(), counted.c.nnz, stream);
}

template <class T>
void fill(Engine& engine, const Resident<T>& a, const Resident<T>& b, Counted<T>& counted, hipStream_t stream) {
  const Slots& slots = counted.record.found.slots[kNumeric];
  const Tally* bins = counted.record.found.bins[kNumeric];
  Fork fork(engine.pool(), stream);
  for (const int slot : launch_order(Phase::numeric)) {
    const std::int64_t rows = slots.begin[slot + 1] - slots.begin[slot];
    if (rows == 0) continue;
    Tally all;
    for (int k = 0; k < kBins; k++)
      if (slots.of_bin[k] == slot) all.add(bins[k]);
    with_slot(Phase::numeric, slot, [&](auto candidate, int kernel) {
      if (candidate.wants_tables(Phase::numeric, kernel) && counted.tables.size() == 0) {
        const std::size_t one = hash::numeric_table_bytes(all.bound_max, sizeof(T));
        const std::size_t wanted =
            std::min(kTableBytes,
                     one * static_cast<std::size_t>(std::min<std::int64_t>(rows, 2 * engine.info().multiprocessors)));
        counted.tables = Buffer<std::byte>(engine.pool(), static_cast<std::int64_t>(std::max(one, wanted)), stream);
      }
      candidate.template numeric<T>(
          {.a = a.m,
           .b = b.m,
           .rows = {counted.list, counted.slots, slot},
           .count = rows,
           .extent = extent_of(all, counted.record.found.falls == 0),
           .group = slots.group[slot],
           .group_decided = slots.decided[slot] != 0,
           .in_order = engine.deterministic(),
           .room = engine.policy().room.numeric,
           .b_row_avg = static_cast<double>(all.nprod) / static_cast<double>(std::max<std::int64_t>(all.a_nnz, 1)),
           .facts = counted.facts,
           .runs = counted.runs,
           .row_ptr = counted.c.row_ptr.data(),
           .col = counted.c.col.data(),
           .val = counted.c.val.data(),
           .tables = {counted.tables.data(), counted.tables.bytes()},
           .device = engine.info(),
           .stream = fork.next()},
          kernel);
    });
  }
  fork.join();
}

template <class T>
void fill_timed(Engine& engine, const Resident<T>& a, const Resident<T>& b, Counted<T>& counted, hipStream_t stream,
                Stats& stats) {
  StageClock clock(true, stream);
  fill(engine, a, b, counted, stream);
  clock.mark(&stats.numeric);
  clock.read();
  stats.policy = engine.policy().name, stats.device = engine.info().name;
  stats.nprod += counted.record.nprod(), stats.nnz = counted.c.nnz;
  stats.method = Method::two_phase;
  if (stats.method_reason.empty())
    stats.method_reason = method_reason(engine.policy(), counted.record.found.bins[kSymbolic], counted.c.cols);
  stats.binned = counted.record.found.slots[kNumeric].binned != 0;
  stats.bytes_c = bytes_of(counted.c);
  stats.bytes_temporary = std::max(stats.bytes_temporary, counted.bytes_temporary + counted.tables.size());
}

template <class T>
Product<T> multiply(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                    hipStream_t stream, Stats* stats) {
  Counted<T> counted = count(engine, a, b, stream, stats);
  allocate(engine, counted, memory_limit, stream);
  if (stats != nullptr)
    fill_timed(engine, a, b, counted, stream, *stats);
  else
    fill(engine, a, b, counted, stream);
  return std::move(counted.c);
}

#define ROWAN_INSTANTIATE(T)                                                                                   \
  template Counted<T> count(Engine&, const Resident<T>&, const Resident<T>&, hipStream_t, Stats*,              \
                            const std::function<void()>&);                                                     \
  template void count_rows(Engine&, const Resident<T>&, const Resident<T>&, const RowsToCount&, hipStream_t);  \
  template void allocate(Engine&, Counted<T>&, std::int64_t, hipStream_t);                                     \
  template void fill_timed(Engine&, const Resident<T>&, const Resident<T>&, Counted<T>&, hipStream_t, Stats&); \
  template void fill(Engine&, const Resident<T>&, const Resident<T>&, Counted<T>&, hipStream_t);               \
  template Product<T> multiply(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, hipStream_t, Stats*);
ROWAN_INSTANTIATE(float)
ROWAN_INSTANTIATE(double)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
