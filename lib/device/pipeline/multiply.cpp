#include "lib/device/pipeline/multiply.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "lib/core/values.hpp"
#include "lib/device/pipeline/carver.hpp"
#include "lib/device/pipeline/heavy.hpp"
#include "lib/device/pipeline/one_phase.hpp"
#include "lib/device/pipeline/product_list.hpp"
#include "lib/device/runtime/fork.hpp"
#include "lib/device/runtime/host_mailbox.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

/// `same`: A's rows are B's. `abandoning`: hash may abandon rows.
Metadata carve(Carver& carver, std::int64_t rows, std::int64_t b_rows, bool runs, bool shifts, bool same,
               bool abandoning) {
  Metadata m{};
  m.zeroed = carver.take<Metadata::Zeroed>(1);
  m.before_chunk = carver.take<std::int64_t>(2 * chunks_of(rows));
  m.zeroed_bytes = carver.used();
  m.range = carver.take<BRow>(b_rows);
  m.c_rows = carver.take<CRow>(rows);
  m.relation = runs ? carver.take<std::uint8_t>(rows) : nullptr;
  m.b_relation = runs && !same ? carver.take<std::uint8_t>(b_rows) : m.relation;
  m.bundle_rows = runs ? carver.take<std::uint8_t>(rows) : nullptr;
  m.moved = shifts ? carver.take<std::uint8_t>(rows) : nullptr;
  m.shift_mark = shifts ? carver.take<ShiftMark>(rows) : nullptr;
  m.saved = runs ? carver.take<SavedRange>(rows) : nullptr;
  m.key = carver.take<std::uint8_t>(rows);
  m.list = carver.take<std::int32_t>(rows);
  m.abandoned = abandoning ? carver.take<std::int32_t>(rows) : nullptr;
  m.next_of_key = carver.take<std::int32_t>(kKeys);
  return m;
}

/// Calls start(candidate, launch, kernel) for each; where a candidate's kernels are launched together,
/// start(candidate, the first of their launches, rows of all of them).
template <class F>
void start_all(Phase phase, const std::vector<Start>& starts, const KernelQueues& queues, const std::int32_t* list,
               const Cancelled& cancelled, const F& start) {
  for (const Start& one : starts)
    with_queue(phase, one.launches.front().queue, [&](auto candidate, int kernel) {
      if constexpr (requires { candidate.launch_of(phase, kernel); }) {
        std::vector<RowsOfKernel> rows;
        for (const QueueLaunch& launch : one.launches)
          with_queue(phase, launch.queue, [&](auto, int its) {
            rows.push_back({its, queues.of(launch.queue, list, cancelled)});
          });
        start(candidate, one.launches.front(), std::span<const RowsOfKernel>(rows));
      } else {
        start(candidate, one.launches.front(), kernel);
      }
    });
}

/// How many words of bitmaps the symbolic phase's kernels may keep for the numeric phase. Those for which there is no
/// room are found again.
std::int64_t words_to_save(const KernelQueues& queues, const Tally* bins) {
  constexpr std::int64_t kMostWords = INT32_MAX;
  std::int64_t words = 0;
  for (int bin = 0; bin < kBins; bin++) {
    const int queue = queues.list.of_key[bin];
    if (queue == kNoQueue) continue;
    with_queue(Phase::symbolic, queue, [&](auto candidate, int kernel) {
      if constexpr (requires { candidate.words_to_save(kernel, bins[bin]); })
        words += candidate.words_to_save(kernel, bins[bin]);
    });
  }
  return std::min(words, kMostWords);
}

/// Memory for bitmaps that the symbolic phase saves for the numeric one, in `out`; none where no kernel saves any.
template <class T>
SavedBitmaps room_to_save(Engine& engine, CountedProduct<T>& out, hipStream_t stream) {
  const Metadata& m = out.at;
  if (m.saved == nullptr) return {};
  const std::int64_t words = words_to_save(out.record->queues[kSymbolic], out.record->bins[kSymbolic]);
  if (words == 0) return {};
  out.words = Buffer<SavedWord>(engine.pool(), words, stream);
  out.bytes_temporary += static_cast<std::int64_t>(out.words.bytes());
  return {.words = out.words.data(), .used = &m.zeroed->words_saved, .room = words, .of_row = m.saved};
}

/// Memory for heavy rows, in `out`, where the symbolic phase has any.
template <class T>
void make_room_for_heavy(Engine& engine, CountedProduct<T>& out, hipStream_t stream) {
  const Tally& rows = out.record->bins[kSymbolic][kHeavyBin];
  if (rows.rows == 0) return;
  const HeavySizes sizes = heavy_sizes(rows);
  const auto cut = [&](Carver carver) {
    const HeavyRows heavy = cut_heavy_rows(carver, sizes);
    return std::pair(heavy, carver.used());
  };
  out.heavy_memory = Buffer<std::byte>(engine.pool(), cut(Carver()).second, stream);
  out.heavy = cut(Carver(out.heavy_memory.data())).first;
  out.heavy.cancelled = out.at.cancelled[kSymbolic];
  out.bytes_temporary += out.heavy_memory.size() + out.heavy.bytes_of_words();
}

/// Memory for tables, where one of the launches wants them: bytes_of(candidate, its rows).
template <class F>
Buffer<std::byte> tables_for(Engine& engine, Phase phase, const std::vector<Start>& starts, const F& bytes_of,
                             hipStream_t stream) {
  Buffer<std::byte> tables;
  for (const Start& start : starts)
    for (const QueueLaunch& l : start.launches)
      with_queue(phase, l.queue, [&](auto candidate, int kernel) {
        if (!candidate.wants_tables(phase, kernel)) return;
        tables = Buffer<std::byte>(engine.pool(), static_cast<std::int64_t>(bytes_of(candidate, l.rows)), stream);
      });
  return tables;
}

/// A phase's sums into the record, where `heavy` products make a row heavy.
void note_sums(Phase phase, const ToldSums& sums, std::int64_t heavy, DeviceRecord& record) {
  const auto p = static_cast<std::size_t>(phase);
  for (int i = 0; i < sums.count; i++) {
    record.bins[p][bin_of_key(sums.key[i], heavy)].add(sums.of[i]);
    record.rows_of_key[p][sums.key[i]] = sums.of[i].rows;
    record.has_shifts |= sums.of[i].in_shifts != 0;
    record.has_runs |= sums.of[i].in_runs != 0 || sums.of[i].in_shifts != 0;
  }
}

/// What the pass over a phase's rows makes where their sums are assumed.
AssumedList assumed_list(Phase phase, const Metadata& at) {
  const auto p = static_cast<std::size_t>(phase);
  return {.key = at.key, .listed = at.zeroed->listed[p], .list = at.list, .checksum = &at.zeroed->checksum[p]};
}

/// Decides which rows are heavy (rules.heavy), and the symbolic phase. `heavy_bytes`: that heavy rows may take; 0: no
/// row is heavy.
void decide_symbolic(const Engine& engine, Rules& rules, std::int64_t heavy_bytes, const ToldSums& sums,
                     DeviceRecord& record) {
  record.sorted_b = sums.flag == 0;
  if (heavy_bytes != 0)
    rules.heavy = choose_heavy(heavy_tally(sums), {.multiprocessors = engine.info().multiprocessors,
                                                   .shared_limit = engine.info().shared_limit,
                                                   .bytes = heavy_bytes,
                                                   .in_order = engine.deterministic(),
                                                   .sorted_b = record.sorted_b});
  note_sums(Phase::symbolic, sums, rules.heavy, record);
  decide_kernels(engine, Phase::symbolic, rules, record);
}

}  // namespace

void list_queues(const KernelQueues& queues, Phase phase, std::int64_t rows, const Metadata& at, hipStream_t stream) {
  if (queues.listed() && !queues.by_key)
    list_by_queue(rows, at.key, queues.list, at.zeroed->by_queue[static_cast<std::size_t>(phase)], at.list, stream);
}

void decide_kernels(const Engine& engine, Phase phase, const Rules& rules, DeviceRecord& record) {
  const auto p = static_cast<std::size_t>(phase);
  record.queues[p] = decide_queues(phase, rules, engine.policy().trees, record.bins[p], record.sorted_b);
  record.queues[p].find_by_key(record.rows_of_key[p]);
  record.starts[p].clear();
}

void check_sizes(std::int64_t need, std::int64_t limit, std::int64_t nnz) {
  if (limit == 0 || need <= limit) return;
  throw Error(ErrorCode::memory_limit, "C has " + std::to_string(nnz) + " entries and needs " + std::to_string(need) +
                                           " bytes of device memory with its temporaries; the limit is " +
                                           std::to_string(limit));
}

const std::vector<Start>& starts_in(DeviceRecord& record, Phase phase, std::int64_t b_nnz) {
  const auto p = static_cast<std::size_t>(phase);
  std::vector<Start>& starts = record.starts[p];
  if (starts.empty())
    if (std::vector<Start> made = starts_of(phase, record.queues[p], record.bins[p], b_nnz); !made.empty())
      starts = std::move(made);  // a shared record that needs none is not written to
  return starts;
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
MeasuredProduct measure_product(Engine& engine, const Resident<T>& a, const Resident<T>& b, hipStream_t stream,
                                Stats* stats, std::int64_t heavy_bytes, Sums* sums) {
  const std::int64_t rows = a.m.rows;
  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  // Runs save work, and no result depends on them: where the rows whose sums are assumed had none, none are looked for.
  const PastSums* const assumed = sums == nullptr ? nullptr : sums->assumed;
  const bool runs = engine.uses_runs() && (assumed == nullptr || assumed->record->has_runs),
             shifts = engine.uses_shifts() && (assumed == nullptr || assumed->record->has_shifts);
  const bool same = a.m.col == b.m.col && a.m.ptr == b.m.ptr && a.m.rows == b.m.rows;
  const auto cut = [&](Carver carver) {
    Metadata m = carve(carver, rows, b.m.rows, runs, shifts, same, engine.policy().tables.collisions != 0);
    return std::pair(m, carver.used());
  };
  MeasuredProduct out;
  out.memory = Buffer<std::byte>(engine.pool(), cut(Carver()).second, stream);
  out.at = cut(Carver(out.memory.data())).first;
  out.row_ptr = Buffer<std::int64_t>(engine.pool(), rows + 1, stream);
  Metadata& m = out.at;

  constexpr auto kWord = static_cast<std::int64_t>(sizeof(std::uint64_t));
  measure_ranges(b.m, b.nnz, m.range, m.b_relation,
                 {reinterpret_cast<std::uint64_t*>(m.zeroed), m.zeroed_bytes / kWord}, stream);
  if (runs && !same) measure_runs(a.m, a.nnz, m.relation, stream);
  measure_rows(a.m, a.nnz, m.range, m.relation, out.row_ptr.data(), m.c_rows, m.moved, &m.zeroed->unsorted_rows,
               stream);
  clock.mark(&times.features);

  out.rules = engine.rules(b.m.cols, sizeof(T));
  const bool samples = assumed == nullptr && engine.may_use_one_phase();
  if (!engine.may_use_heavy()) heavy_bytes = 0;
  Fork fork(engine.pool(), stream, samples ? 2 : 1);  // the sample takes as long as the sums
  std::optional<HostMailbox<ToldSums>> own_sums;
  HostMailbox<ToldSums>& told = sums != nullptr ? sums->symbolic : own_sums.emplace(engine.pool(), stream);
  HostMailbox<sort::ShortSample> sampled(engine.pool(), stream);
  const RowSource source{.a = a.m,
                         .number = out.row_ptr.data(),
                         .says = RowNumber::products,
                         .c_rows = m.c_rows,
                         .relation = m.relation,
                         .moved = m.moved,
                         .shift_mark = m.shift_mark,
                         .bundle_rows = nullptr,
                         .saved = nullptr};
  const Borders borders = make_borders(Phase::symbolic, out.rules);
  if (assumed != nullptr) {
    AssumedList made = assumed_list(Phase::symbolic, m);
    made.heavy_apart = heavy_bytes != 0, made.saved = m.saved, made.flag = &m.zeroed->unsorted_rows;
    list_assumed(source, borders, assumed->rows[kSymbolic], made, stream);
  } else {
    tally_bins(source, borders,
               {.of_key = m.zeroed->symbolic,
                .key = m.key,
                .heavy_apart = heavy_bytes != 0,
                .flag = &m.zeroed->unsorted_rows,
                .told = told.sender(),
                .blocks_done = &m.zeroed->blocks_done[kSymbolic],
                .first_of_key = m.next_of_key,
                .checksum = &m.zeroed->checksum[kSymbolic]},
               stream, engine.info().multiprocessors);
    if (samples)
      sort::sample_short_rows(a.m, b.m, m.c_rows, &m.zeroed->sample, &m.zeroed->sample_blocks_done, sampled.sender(),
                              fork.next());
    list_by_key(rows, {m.key, m.next_of_key, m.list}, m.saved, stream);
  }
  fork.join();
  clock.mark(&times.binning);
  if (assumed != nullptr) {
    out.record = assumed->record;
    for (const int phase : {kSymbolic, kNumeric})
      m.cancelled[phase] = {&m.zeroed->checksum[phase], assumed->rows[phase].checksum};
    out.rules.heavy = assumed->heavy;
    out.method = {.reason = assumed->method_reason};
  } else {
    out.record = std::make_shared<DeviceRecord>();
    decide_symbolic(engine, out.rules, heavy_bytes, told.wait("waiting for what was found"), *out.record);
    const sort::ShortSample sample = samples ? sampled.wait("waiting for the sample") : sort::ShortSample{};
    out.method = choose_method(out.rules, engine.policy().trees, out.record->bins[kSymbolic], sample);
  }
  if (!out.record->has_runs) {  // then later stages do not look for them
    if (same) m.b_relation = nullptr;
    m.relation = m.bundle_rows = m.moved = nullptr, m.shift_mark = nullptr;
  }
  clock.mark(&times.deciding);
  clock.read();
  return out;
}

template <class T>
void count_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, const RowsToCount& rows,
                hipStream_t stream) {
  std::vector<Start> own;
  if (rows.starts == nullptr) own = starts_of(Phase::symbolic, rows.queues, rows.bins, b.nnz);
  const std::vector<Start>& starts = rows.starts != nullptr ? *rows.starts : own;
  const int multiprocessors = engine.info().multiprocessors;
  const auto tables = tables_for(
      engine, Phase::symbolic, starts,
      [=](auto candidate, const Tally& t) -> std::size_t {
        if constexpr (requires { candidate.symbolic_table_memory(t, multiprocessors); })
          return candidate.symbolic_table_memory(t, multiprocessors);
        return 0;
      },
      stream);
  AbandonedRows abandoned = rows.abandoned;
  abandoned.collisions = engine.policy().tables.collisions;
  Fork fork(engine.pool(), stream, std::ssize(starts));
  const auto launch = [&](const QueueLaunch& one, hipStream_t its) {
    return SymbolicLaunch{.a = a.m,
                          .b = b.m,
                          .rows = rows.queues.of(one.queue, rows.list, rows.cancelled),
                          .c_rows = rows.c_rows,
                          .nnz = rows.nnz,
                          .extent = row_extent_of(one.rows, rows.sorted_b),
                          .group = rows.queues.group[one.queue],
                          .runs = {.b_relation = rows.b_relation, .saved = rows.saved},
                          .abandoned = abandoned,
                          .heavy = rows.heavy,
                          .tables = {tables.data(), tables.bytes()},
                          .device = engine.info(),
                          .stream = its};
  };
  const QueueLaunch* abandoning = nullptr;
  std::int64_t abandoned_at_most = 0;
  start_all(Phase::symbolic, starts, rows.queues, rows.list, rows.cancelled,
            [&](auto candidate, const QueueLaunch& one, const auto& kernels) {
              candidate.symbolic(launch(one, fork.next()), kernels);
              if (kCandidates[detail::kIdOf<decltype(candidate)>].abandons_rows)
                abandoning = &one, abandoned_at_most += rows.queues.rows(one.queue);
            });
  fork.join();
  if (abandoning == nullptr || abandoned.list == nullptr) return;
  detail::for_candidates(DeviceCandidates{}, Phase::symbolic, [&](auto candidate, int) {
    if constexpr (requires { candidate.take_abandoned(launch(*abandoning, stream), abandoned_at_most); })
      candidate.take_abandoned(launch(*abandoning, stream), abandoned_at_most);
  });
}

template <class T>
CountedProduct<T> take_over(MeasuredProduct& measured, std::int64_t columns) {
  CountedProduct<T> out;
  out.c.rows = measured.row_ptr.size() - 1, out.c.cols = columns;
  out.c.row_ptr = std::move(measured.row_ptr);
  out.memory = std::move(measured.memory);
  out.bytes_temporary = out.memory.size();
  out.at = measured.at;
  out.record = std::move(measured.record);
  return out;
}

template <class T>
void count_entries(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& out,
                   const SavedBitmaps& saved, hipStream_t stream) {
  const Metadata& m = out.at;
  make_room_for_heavy(engine, out, stream);
  RowsToCount rows = rows_to_count(*out.record, m, out.c.row_ptr.data());
  rows.starts = &starts_in(*out.record, Phase::symbolic, b.nnz);
  rows.saved = saved, rows.heavy = out.heavy;
  std::optional<ZeroWords> words;
  if (rows.heavy.size.rows != 0) {
    words.emplace(engine.pool(), rows.heavy.word_count(), stream);
    rows.heavy.words = words->words();
  }
  count_rows(engine, a, b, rows, stream);
  if (words) words->launched();
}

template <class T>
void decide_numeric(Engine& engine, const Resident<T>& a, CountedProduct<T>& out, const Rules& rules,
                    const NumericRows& wanted, hipStream_t stream, StageClock& clock, Stats& times) {
  const Metadata& m = out.at;
  const PastSums* const assumed = wanted.sums == nullptr ? nullptr : wanted.sums->assumed;
  std::optional<HostMailbox<ToldSums>> own_sums;
  HostMailbox<ToldSums>& told = wanted.sums != nullptr ? wanted.sums->numeric : own_sums.emplace(engine.pool(), stream);
  const RowSource source{.a = a.m,
                         .number = out.c.row_ptr.data(),
                         .says = RowNumber::entries,
                         .c_rows = m.c_rows,
                         .relation = m.relation,
                         .moved = nullptr,
                         .shift_mark = m.shift_mark,
                         .bundle_rows = m.bundle_rows,
                         .saved = wanted.saved};
  const Borders borders = make_borders(Phase::numeric, rules);
  if (assumed != nullptr) {
    AssumedList made = assumed_list(Phase::numeric, m);
    made.earlier = &m.zeroed->checksum[kSymbolic];
    made.chunk_state = reinterpret_cast<unsigned long long*>(m.before_chunk);
    made.chunk_checksum = reinterpret_cast<std::uint64_t*>(m.before_chunk + chunks_of(a.m.rows));
    made.next_chunk = &m.zeroed->next_chunk;
    made.answer = wanted.sums->as_assumed.sender();
    Buffer<std::int64_t> row_ptr(engine.pool(), a.m.rows + 1, stream);
    made.row_ptr = row_ptr.data();
    list_assumed(source, borders, assumed->rows[kNumeric], made, stream);
    out.c.row_ptr = std::move(row_ptr);
  } else {
    tally_bins(source, borders,
               {.of_key = m.zeroed->numeric,
                .key = m.key,
                .told = told.sender(),
                .blocks_done = &m.zeroed->blocks_done[kNumeric],
                .first_of_key = m.next_of_key,
                .before_chunk = wanted.row_pointers ? m.before_chunk : nullptr,
                .checksum = &m.zeroed->checksum[kNumeric]},
               stream, engine.info().multiprocessors);
    const ListByKey list{m.key, m.next_of_key, m.list};
    if (wanted.row_pointers)
      list_and_point(a.m.rows, list, out.c.row_ptr.data(), m.before_chunk, stream);
    else
      list_by_key(a.m.rows, list, nullptr, stream);
  }
  clock.mark(&times.binning);
  if (wanted.before_wait) wanted.before_wait();
  if (assumed == nullptr) {  // else the record has what follows from them
    note_sums(Phase::numeric, told.wait("waiting for C's size"), rules.heavy, *out.record);
    decide_kernels(engine, Phase::numeric, rules, *out.record);
  }
  list_queues(out.record->queues[kNumeric], Phase::numeric, a.m.rows, m, stream);
  out.list = m.list;
  clock.mark(&times.deciding);
}

// 1. Before: row_ptr has the products of every row. The host knows the symbolic phase's bins and queues.
// 2. Into the stream, without a wait: row_ptr becomes entries of the queues' rows, then of their followers; rows are
//    summed up in the numeric phase's bins; rows are listed, and row_ptr becomes C's row pointers, while the host
//    decides.
// 3. The second wait, for those bins: the host decides by them, and their entries are nnz(C).
// Nothing is rolled back: what throws frees its memory in the stream's order.
template <class T>
CountedProduct<T> count_product(Engine& engine, const Resident<T>& a, const Resident<T>& b, MeasuredProduct&& measured,
                                hipStream_t stream, Stats* stats, const std::function<void()>& before_wait,
                                Sums* sums) {
  const std::int64_t rows = a.m.rows;
  Stats unused;
  Stats& times = stats != nullptr ? *stats : unused;
  StageClock clock(stats != nullptr, stream);
  auto out = take_over<T>(measured, b.m.cols);
  out.method = MethodChoice{.reason = measured.method.reason};
  const Metadata& m = out.at;

  const SavedBitmaps saved = room_to_save(engine, out, stream);
  list_queues(out.record->queues[kSymbolic], Phase::symbolic, rows, m, stream);
  clock.mark(&times.binning);
  count_entries(engine, a, b, out, saved, stream);
  out.heavy.cancelled = m.cancelled[kNumeric];
  clock.mark(&times.symbolic);
  decide_numeric(engine, a, out, measured.rules,
                 {.row_pointers = true, .saved = saved.of_row, .before_wait = before_wait, .sums = sums}, stream, clock,
                 times);
  out.c.nnz = out.record->nnz();
  clock.read();
  return out;
}

template <class T>
CountedProduct<T> measure_and_count(Engine& engine, const Resident<T>& a, const Resident<T>& b, hipStream_t stream,
                                    Stats* stats, const std::function<void()>& before_wait) {
  return count_product(engine, a, b, measure_product(engine, a, b, stream, stats, heavy_room(0)), stream, stats,
                       before_wait);
}

template <class T>
void allocate(Engine& engine, CountedProduct<T>& counted, std::int64_t memory_limit, hipStream_t stream) {
  if (memory_limit != 0 && bytes_of(counted.c) + counted.bytes_temporary > memory_limit) {  // bitmaps are made again
    counted.bytes_temporary -= static_cast<std::int64_t>(counted.words.bytes());
    counted.words = {};
  }
  check_sizes(bytes_of(counted.c) + counted.bytes_temporary, memory_limit, counted.c.nnz);
  counted.c.col = Buffer<std::int32_t>(engine.pool(), counted.c.nnz, stream);
  counted.c.val = Buffer<T>(engine.pool(), counted.c.nnz, stream);
}

template <class T>
void fill_queues(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted,
                 hipStream_t stream, const bool* but) {
  const KernelQueues& queues = counted.record->queues[kNumeric];
  const Metadata& m = counted.at;
  std::vector<Start> some;
  if (but != nullptr) some = starts_of(Phase::numeric, queues, counted.record->bins[kNumeric], b.nnz, but);
  const std::vector<Start>& starts = but != nullptr ? some : starts_in(*counted.record, Phase::numeric, b.nnz);
  if (counted.tables.size() == 0)
    counted.tables = tables_for(
        engine, Phase::numeric, starts,
        [&](auto candidate, const Tally& rows) -> std::size_t {
          const TableRules& rules = engine.policy().tables;
          const int multiprocessors = engine.info().multiprocessors;
          if constexpr (requires { candidate.template numeric_table_memory<T>(rules, rows, multiprocessors); })
            return candidate.template numeric_table_memory<T>(rules, rows, multiprocessors);
          return 0;
        },
        stream);
  SavedBitmaps saved;
  if (counted.words.size() != 0) saved.words = counted.words.data(), saved.of_row = m.saved;
  Fork fork(engine.pool(), stream, std::ssize(starts));
  start_all(Phase::numeric, starts, queues, counted.list, m.cancelled[kNumeric],
            [&](auto candidate, const QueueLaunch& one, const auto& kernels) {
              const Tally& rows = one.rows;
              candidate.template numeric<T>({.a = a.m,
                                             .b = b.m,
                                             .rows = queues.of(one.queue, counted.list, m.cancelled[kNumeric]),
                                             .extent = row_extent_of(rows, counted.record->sorted_b),
                                             .group = queues.group[one.queue],
                                             .group_decided = queues.decided[one.queue] != 0,
                                             .in_order = engine.deterministic(),
                                             .room = engine.policy().tables.slots_per_entry.numeric,
                                             .table_rules = engine.policy().tables,
                                             .bundle_rows_avg = one.bundle_rows_avg(),
                                             .b_row_avg = static_cast<double>(rows.nprod) /
                                                          static_cast<double>(std::max<std::int64_t>(rows.a_nnz, 1)),
                                             .nprod = rows.nprod,
                                             .nnz = rows.bound,
                                             .c_rows = m.c_rows,
                                             .runs = {m.b_relation, m.bundle_rows, m.shift_mark, saved},
                                             .heavy = counted.heavy,
                                             .row_ptr = counted.c.row_ptr.data(),
                                             .col = counted.c.col.data(),
                                             .val = counted.c.val.data(),
                                             .tables = {counted.tables.data(), counted.tables.bytes()},
                                             .device = engine.info(),
                                             .stream = fork.next()},
                                            kernels);
            });
  fork.join();
  if (counted.heavy.size.rows != 0 && engine.deterministic()) {
    const auto list = list_products(engine, a, b, counted, Listed::heavy, 0, stream);
    fill_listed(engine, *list, a.m.val, b.m.val, counted.c.val.data(), stream);
  }
}

template <class T>
void fill(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted, hipStream_t stream) {
  if (counted.method.method == Method::one_phase) fill_short_rows(engine, a, b, counted, {}, {}, stream);
  fill_queues(engine, a, b, counted, stream);
}

template <class T>
void fill_timed(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted,
                hipStream_t stream, Stats& stats) {
  StageClock clock(true, stream);
  fill(engine, a, b, counted, stream);
  clock.mark(&stats.numeric);
  clock.read();
  add_to_stats(engine, counted, stats);
}

template <class T>
void add_to_stats(const Engine& engine, const CountedProduct<T>& counted, Stats& stats) {
  stats.policy = engine.policy().name, stats.device = engine.info().name;
  stats.nprod += counted.record->nprod(), stats.nnz = counted.c.nnz;
  stats.method = counted.method.method;
  if (stats.method_reason.empty()) stats.method_reason = counted.method.reason;
  stats.binned = counted.record->queues[kSymbolic].binned;
  stats.bytes_c = bytes_of(counted.c);
  stats.bytes_temporary =
      std::max(stats.bytes_temporary, counted.bytes_temporary + static_cast<std::int64_t>(counted.tables.bytes()));
}

template <class T>
CountedProduct<T> two_phases(Engine& engine, const Resident<T>& a, const Resident<T>& b, MeasuredProduct&& measured,
                             std::int64_t memory_limit, hipStream_t stream, Stats* stats, Sums& sums) {
  CountedProduct<T> counted = count_product(engine, a, b, std::move(measured), stream, stats, {}, &sums);
  allocate(engine, counted, memory_limit, stream);
  if (stats != nullptr)
    fill_timed(engine, a, b, counted, stream, *stats);
  else
    fill(engine, a, b, counted, stream);
  return counted;
}

template <class T>
CountedProduct<T> product(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                          hipStream_t stream, Stats* stats, bool may_be_one_phase) {
  if (auto done = speculative_product(engine, a, b, memory_limit, stream, stats)) return std::move(*done);
  Sums sums(engine.pool(), stream, nullptr);
  MeasuredProduct measured = measure_product(engine, a, b, stream, stats, heavy_room(memory_limit), &sums);
  if (!may_be_one_phase) measured.method = {};
  if (auto done = one_phase(engine, a, b, measured, memory_limit, stream, stats)) {
    if (stats != nullptr) add_to_stats(engine, *done, *stats);
    return std::move(*done);
  }
  const std::int64_t heavy = measured.rules.heavy;
  CountedProduct<T> counted = two_phases(engine, a, b, std::move(measured), memory_limit, stream, stats, sums);
  note_product(engine, a, b, memory_limit, counted, heavy, sums);
  return counted;
}

template <class T>
Product<T> multiply(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                    hipStream_t stream, Stats* stats) {
  return std::move(product(engine, a, b, memory_limit, stream, stats).c);
}

#define ROWAN_INSTANTIATE(T)                                                                                          \
  template MeasuredProduct measure_product(Engine&, const Resident<T>&, const Resident<T>&, hipStream_t, Stats*,      \
                                           std::int64_t, Sums*);                                                      \
  template CountedProduct<T> count_product(Engine&, const Resident<T>&, const Resident<T>&, MeasuredProduct&&,        \
                                           hipStream_t, Stats*, const std::function<void()>&, Sums*);                 \
  template CountedProduct<T> two_phases(Engine&, const Resident<T>&, const Resident<T>&, MeasuredProduct&&,           \
                                        std::int64_t, hipStream_t, Stats*, Sums&);                                    \
  template CountedProduct<T> measure_and_count(Engine&, const Resident<T>&, const Resident<T>&, hipStream_t, Stats*,  \
                                               const std::function<void()>&);                                         \
  template CountedProduct<T> take_over(MeasuredProduct&, std::int64_t);                                               \
  template void count_entries(Engine&, const Resident<T>&, const Resident<T>&, CountedProduct<T>&,                    \
                              const SavedBitmaps&, hipStream_t);                                                      \
  template void decide_numeric(Engine&, const Resident<T>&, CountedProduct<T>&, const Rules&, const NumericRows&,     \
                               hipStream_t, StageClock&, Stats&);                                                     \
  template void count_rows(Engine&, const Resident<T>&, const Resident<T>&, const RowsToCount&, hipStream_t);         \
  template void allocate(Engine&, CountedProduct<T>&, std::int64_t, hipStream_t);                                     \
  template void fill_timed(Engine&, const Resident<T>&, const Resident<T>&, CountedProduct<T>&, hipStream_t, Stats&); \
  template void fill(Engine&, const Resident<T>&, const Resident<T>&, CountedProduct<T>&, hipStream_t);               \
  template void fill_queues(Engine&, const Resident<T>&, const Resident<T>&, CountedProduct<T>&, hipStream_t,         \
                            const bool*);                                                                             \
  template void add_to_stats(const Engine&, const CountedProduct<T>&, Stats&);                                        \
  template CountedProduct<T> product(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, hipStream_t,      \
                                     Stats*, bool);                                                                   \
  template Product<T> multiply(Engine&, const Resident<T>&, const Resident<T>&, std::int64_t, hipStream_t, Stats*);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
