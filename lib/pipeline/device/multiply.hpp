#pragma once
// The device pipeline, top to bottom: features, bins, decide, symbolic, scan, allocate, numeric. One wait of the host:
// for C's size and the sums of its bins. Everything else is in the stream's order.
#include <functional>
#include <optional>

#include "lib/pipeline/device/engine.hpp"
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
  Buffer<std::int32_t> col;
  Buffer<T> val;
};

inline constexpr int kSymbolic = static_cast<int>(Phase::symbolic), kNumeric = static_cast<int>(Phase::numeric);

/// What the device finds out on the way; copied to the host in one piece.
struct Findings {
  Tally bins[2][kBins];  // by phase
  Slots slots[2];
  std::int64_t cursor[2][kMostSlots];
  std::int32_t falls;  // nonzero: B's rows do not all rise strictly
};

/// The decision record of one multiply on a device.
struct DeviceRecord {
  Findings found;
  [[nodiscard]] std::int64_t nprod() const noexcept;
  [[nodiscard]] std::int64_t nnz() const noexcept;
};

/// C's pattern is known and its numeric phase decided; values can be computed again and again.
template <class T>
struct Counted {
  Product<T> c;
  DeviceRecord record;
  Buffer<std::byte> metadata;              // the list of rows and the slots, which the numeric phase reads
  const std::int32_t* facts = nullptr;     // RowFacts, of every row
  const std::uint8_t* relation = nullptr;  // of every row to the one before; null where no policy asks for runs
  RunFacts runs;
  const std::uint8_t* key = nullptr;  // the numeric phase's bin of every row
  const std::int32_t* list = nullptr;
  Slots* slots = nullptr;
  Buffer<std::byte> tables;
  std::int64_t bytes_temporary = 0;
};

/// All stages up to the numeric phase; they read no values. `stats` (null: not wanted) gets times, at the price of a
/// wait. `before_wait` is called when everything is in the stream that the one wait is for.
template <class T>
[[nodiscard]] Counted<T> count(Engine& engine, const Resident<T>& a, const Resident<T>& b, hipStream_t stream,
                               Stats* stats, const std::function<void()>& before_wait = {});

/// Rows by slot of the symbolic phase.
struct RowsToCount {
  const std::int32_t* list;
  const Slots* slots;  // on the device
  const std::int32_t* facts;
  const std::uint8_t* b_relation;  // null where no policy asks for runs
  std::int64_t* nnz;               // out: entries of row i into nnz[i]
  const Slots* known = nullptr;    // the same slots where the host knows them: empty ones are not launched
};

/// The kernels of the symbolic phase, the largest first (OpSparse, section 5.5).
template <class T>
void count_rows(Engine& engine, const Resident<T>& a, const Resident<T>& b, const RowsToCount& rows,
                hipStream_t stream);

/// Memory for C's columns and values. Throws Error{memory_limit} where C and its temporaries exceed a limit that is not
/// 0, Error{out_of_memory} where the device has no more.
template <class T>
void allocate(Engine& engine, Counted<T>& counted, std::int64_t memory_limit, hipStream_t stream);

/// C's columns and values.
template <class T>
void fill(Engine& engine, const Resident<T>& a, const Resident<T>& b, Counted<T>& counted, hipStream_t stream);

/// The same, and what `stats` tells of the whole multiply; waits.
template <class T>
void fill_timed(Engine& engine, const Resident<T>& a, const Resident<T>& b, Counted<T>& counted, hipStream_t stream,
                Stats& stats);

/// C = A B.
template <class T>
[[nodiscard]] Product<T> multiply(Engine& engine, const Resident<T>& a, const Resident<T>& b, std::int64_t memory_limit,
                                  hipStream_t stream, Stats* stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
