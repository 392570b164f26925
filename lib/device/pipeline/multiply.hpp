#pragma once
// The device pipeline, top to bottom: features, bins, decide, symbolic, bins, scan, decide, allocate, numeric. Two
// waits of the host: for the bins, so that only kernels which have rows are launched, and for C's size and its bins;
// one, at the end, where it assumes what they are (speculate.hpp).
// One phase (one_phase.hpp) goes its own way after the first.
// Everything else is in the stream's order.
#include <functional>
#include <memory>
#include <optional>

#include "features/device/measure.hpp"
#include "lib/device/pipeline/engine.hpp"
#include "lib/device/pipeline/speculate.hpp"
#include "lib/device/pipeline/stages.hpp"
#include "lib/device/pipeline/starts.hpp"
#include <rowan/options.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// A matrix in device memory; how many entries it has, the host must know.
template <class T>
struct Resident {
  Operand<T> m;
  std::int64_t nnz = 0;
};

/// C in device memory.
template <class T>
struct Product {
  std::int64_t rows = 0, cols = 0, nnz = 0;
  Buffer<std::int64_t> row_ptr;
  Buffer<Column> col;
  Buffer<T> val;
};

inline constexpr int kSymbolic = static_cast<int>(Phase::symbolic), kNumeric = static_cast<int>(Phase::numeric);

/// The decision record of one multiply on a device.
struct DeviceRecord {
  // by phase
  Tally bins[2][kBins];
  std::int64_t rows_of_key[2][kKeys] = {};
  KernelQueues queues[2];
  std::vector<Start> starts[2] = {};          // of queues; none until they are asked for (starts_in)
  bool sorted_b = true;                       // all rows of B that A meets rise strictly
  bool has_runs = false, has_shifts = false;  // rows in runs or shift runs; in the latter
  [[nodiscard]] std::int64_t nprod() const noexcept;
  [[nodiscard]] std::int64_t nnz() const noexcept;
};

/// Pieces of the one allocation of metadata (OpSparse, section 5.3).
struct Metadata {
  struct Zeroed {
    Tally symbolic[kKeys], numeric[kBins];
    sort::ShortSample sample;              // where the policy may ask for one phase
    std::int64_t by_queue[2][kMaxQueues];  // of phases' lists
    std::int64_t words_saved;
    std::uint64_t checksum[2];      // of rows, by phase
    std::int32_t listed[2][kKeys];  // rows, where sums are assumed
    std::int32_t unsorted_rows;     // nonzero where rows of B that A meets do not all rise strictly
    std::int32_t abandoned;
    std::uint32_t blocks_done[2], sample_blocks_done, next_chunk;
  };
  // what is zero at first, whole words
  Zeroed* zeroed;
  std::int64_t* before_chunk;  // entries, of every chunk of rows; room for what AssumedList has of each
  std::int64_t zeroed_bytes;   // from `zeroed` on
  BRow* range;
  CRow* c_rows;
  // runs.hpp; null where no policy uses runs, or there are none
  std::uint8_t *relation, *b_relation, *bundle_rows;
  std::uint8_t* moved;    // of every row, for its shift_mark
  ShiftMark* shift_mark;  // of every row
  SavedRange* saved;      // of every row
  std::uint8_t* key;      // of every row, in the phase at hand
  std::int32_t* list;
  std::int32_t* abandoned;  // by hash when it counted, Zeroed::abandoned rows; null where it never does
  // bins.hpp
  std::int32_t* next_of_key;
  Cancelled cancelled[2];  // by phase: of the rows that are listed
};

/// What is known of A B before any row is counted; the symbolic phase is decided.
struct MeasuredProduct {
  std::shared_ptr<DeviceRecord> record;  // of the symbolic phase; what others have, too, is not written to
  Rules rules;
  MethodChoice method;
  Buffer<std::byte> memory;
  Metadata at;                   // in `memory`
  Buffer<std::int64_t> row_ptr;  // products of row i in row_ptr[i], 0 behind the last; C's row pointers are made there
};

/// Features, bins, the first wait, decisions of the symbolic phase. Reads no values. `stats` (null: not wanted) gets
/// times, at the price of a wait. `heavy_bytes`: that may be spent on heavy rows; 0: no row is heavy. `sums`: where
/// they are afterwards, and what is assumed of them in place of the wait; null: not wanted, nothing.
template <class T>
[[nodiscard]] MeasuredProduct measure_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                              hipStream_t stream, Stats* stats, std::int64_t heavy_bytes,
                                              Sums* sums = nullptr);

/// C's pattern is known and its numeric phase decided; values can be computed again and again.
template <class T>
struct CountedProduct {
  Product<T> c;
  std::shared_ptr<DeviceRecord> record;
  MethodChoice method;  // one phase: short rows have no queue, fill() knows them all the same
  Buffer<std::byte> memory;
  Metadata at;                         // in `memory`
  const std::int32_t* list = nullptr;  // of the numeric phase's rows
  Buffer<SavedWord> words;             // bitmaps of runs
  Buffer<std::byte> heavy_memory;
  HeavyRows heavy;  // in `heavy_memory`
  Buffer<std::byte> tables;
  std::int64_t bytes_temporary = 0;
};

/// The stages from what measure_product() found up to the numeric phase; they read no values. `before_wait` is called
/// when everything is in the stream that the second wait is for. `sums` as above.
template <class T>
[[nodiscard]] CountedProduct<T> count_product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                              MeasuredProduct&& measured, hipStream_t stream, Stats* stats,
                                              const std::function<void()>& before_wait = {}, Sums* sums = nullptr);

// The steps that one phase and two have in common.

/// The start of C: what was measured and its memory, which `measured` gives up; its rules and method stay.
template <class T>
[[nodiscard]] CountedProduct<T> take_over(MeasuredProduct& measured, std::int64_t columns);

/// The symbolic phase's rows are counted, which are listed: row_ptr[i] becomes the entries of row i.
template <class T>
void count_entries(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& out,
                   const SavedBitmaps& saved, hipStream_t stream);

/// What becomes of rows' entries before the numeric phase.
struct NumericRows {
  bool row_pointers;                       // row_ptr, which has the entries of every row, becomes C's
  SavedRange* saved = nullptr;             // of every row: followers of runs get their leader's
  std::function<void()> before_wait = {};  // called when everything is in the stream that the host waits for
  Sums* sums = nullptr;                    // as of measure_product()
};
/// Sums of the numeric phase's bins, which the host waits for, decisions, and the list of the phase's rows. Followers
/// of runs get their leader's entries.
template <class T>
void decide_numeric(Engine& engine, const Resident<T>& a, CountedProduct<T>& out, const Rules& rules,
                    const NumericRows& wanted, hipStream_t stream, StageClock& clock, Stats& times);

/// A phase's queues, and where their rows are listed, by what the record has.
void decide_kernels(const Engine& engine, Phase phase, const Rules& rules, DeviceRecord& record);

/// A phase's launches: the record's, which are made the first time.
[[nodiscard]] const std::vector<Start>& starts_in(DeviceRecord& record, Phase phase, std::int64_t b_nnz);

/// Measures and counts.
template <class T>
[[nodiscard]] CountedProduct<T> measure_and_count(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                                  hipStream_t stream, Stats* stats,
                                                  const std::function<void()>& before_wait = {});

/// Lists the rows of a phase's queues, where they need a list and are not found in the one by key.
void list_queues(const KernelQueues& queues, Phase phase, std::int64_t rows, const Metadata& at, hipStream_t stream);

/// Rows by queue of the symbolic phase.
struct RowsToCount {
  const KernelQueues& queues;
  const Tally* bins;
  bool sorted_b;
  const std::int32_t* list;
  const CRow* c_rows;
  const std::uint8_t* b_relation;              // null where no policy asks for runs
  std::int64_t* nnz;                           // out: entries of row i into nnz[i]
  const std::vector<Start>* starts = nullptr;  // of the queues; null: they follow from them
  Cancelled cancelled = {};                    // of `list`
  SavedBitmaps saved = {};                     // out: words of runs
  AbandonedRows abandoned = {};                // out; without a list no row is given up
  HeavyRows heavy = {};                        // out; where there are any
};

[[nodiscard]] inline RowsToCount rows_to_count(const DeviceRecord& record, const Metadata& at, std::int64_t* nnz) {
  return {.queues = record.queues[kSymbolic],
          .bins = record.bins[kSymbolic],
          .sorted_b = record.sorted_b,
          .list = at.list,
          .c_rows = at.c_rows,
          .b_relation = at.b_relation,
          .nnz = nnz,
          .cancelled = at.cancelled[kSymbolic],
          .abandoned = {.list = at.abandoned, .count = &at.zeroed->abandoned}};
}

/// The kernels of the symbolic phase, the largest first (OpSparse, section 5.5).
template <class T>
void count_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, const RowsToCount& rows,
                hipStream_t stream);

/// Memory for C's columns and values. Throws Error{memory_limit} where C and its temporaries exceed a limit that is not
/// 0, Error{out_of_memory} where the device has no more.
template <class T>
void allocate(Engine& engine, CountedProduct<T>& counted, std::int64_t memory_limit, hipStream_t stream);

/// Throws Error{memory_limit} where `need` bytes exceed a limit that is not 0.
void check_sizes(std::int64_t need, std::int64_t limit, std::int64_t nnz);

template <class T>
[[nodiscard]] constexpr std::int64_t bytes_of_c(std::int64_t rows, std::int64_t nnz) {
  return nnz * static_cast<std::int64_t>(sizeof(Column) + sizeof(T)) + (rows + 1) * 8;
}
template <class T>
[[nodiscard]] std::int64_t bytes_of(const Product<T>& c) {
  return bytes_of_c<T>(c.rows, c.nnz);
}

/// Columns and values of the rows that have queues; `but`: not of those queues for which it holds (null: of all).
template <class T>
void fill_queues(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted,
                 hipStream_t stream, const bool* but = nullptr);

/// C's columns and values.
template <class T>
void fill(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted, hipStream_t stream);

/// The same, and what `stats` tells of the whole multiply; waits.
template <class T>
void fill_timed(Engine& engine, const Resident<T>& a, const Resident<T>& b, CountedProduct<T>& counted,
                hipStream_t stream, Stats& stats);

/// What `stats` tells of a whole multiply, times apart.
template <class T>
void add_to_stats(const Engine& engine, const CountedProduct<T>& counted, Stats& stats);

/// What was measured, multiplied in two phases: complete but for what `stream` still has to do.
template <class T>
[[nodiscard]] CountedProduct<T> two_phases(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                           MeasuredProduct&& measured, std::int64_t memory_limit, hipStream_t stream,
                                           Stats* stats, Sums& sums);

/// C = A B in one phase or two, as the policy asks, if it may be one, and memory allows: complete but for what `stream`
/// still has to do.
template <class T>
[[nodiscard]] CountedProduct<T> product(Engine& engine, const Resident<T>& a, const Resident<T>& b,
                                        std::int64_t memory_limit, hipStream_t stream, Stats* stats,
                                        bool may_be_one_phase = true);

/// C = A B.
template <class T>
[[nodiscard]] Product<T> multiply(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                                  hipStream_t stream, Stats* stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
