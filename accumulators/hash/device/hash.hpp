#pragma once
// Hash on a device (OpSparse, section 5.2; nsparse; DCU-nsparse, sections 5.1 and 5.4): rows by groups of lanes, by
// blocks, and by blocks with tables in global memory.
#include <algorithm>

#include "accumulators/hash/candidate.hpp"
#include "accumulators/hash/device/sizes.hpp"
#include "lib/binning/tally.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

void symbolic(const SymbolicLaunch& launch, int kernel);
template <class T>
void numeric(const NumericLaunch<T>& launch, int kernel);

/// Bytes of table memory for so many rows whose tables are beyond shared memory.
[[nodiscard]] std::size_t symbolic_table_memory(std::int64_t rows, std::int64_t bound, int multiprocessors);
template <class T>
[[nodiscard]] std::size_t numeric_table_memory(const TableRules& rules, std::int64_t rows, std::int64_t bound,
                                               int multiprocessors);
/// How the kernel of the numeric phase for such rows, so many of them, sorts its tables, in words.
[[nodiscard]] constexpr std::string_view sorted_by(const SizeQuery& q, std::int64_t rows) noexcept;

struct DeviceHash {
  static constexpr std::string_view kName = rowan::hash::candidate.name;
  static constexpr int kSymbolicKernels = static_cast<int>(kSymbolic.size()) + 1;
  static constexpr int kNumericKernels = static_cast<int>(kNumeric.size()) + 1;
  static constexpr int symbolic_kernel(const SizeQuery& q) { return hash::symbolic_kernel(q); }
  static constexpr int numeric_kernel(const SizeQuery& q) { return hash::numeric_kernel(q); }
  /// Threads that have a row: a group that walks a row of B is never larger.
  static constexpr int symbolic_threads(int kernel) {
    constexpr auto kSizes = kSymbolic;
    const auto k = static_cast<std::size_t>(kernel);
    return k < kSizes.size() ? kSizes[k].threads : kMostThreads;
  }
  static constexpr int numeric_threads(int kernel) {
    constexpr auto kSizes = kNumeric;
    const auto k = static_cast<std::size_t>(kernel);
    return k < kSizes.size() ? kSizes[k].threads : kMostThreads;
  }
  static constexpr bool wants_tables(Phase phase, int kernel) {
    return kernel + 1 == (phase == Phase::symbolic ? kSymbolicKernels : kNumericKernels);
  }
  static std::size_t symbolic_table_memory(const Tally& rows, int multiprocessors) {
    return hash::symbolic_table_memory(rows.rows, rows.bound_max, multiprocessors);
  }
  template <class T>
  static std::size_t numeric_table_memory(const TableRules& rules, const Tally& rows, int multiprocessors) {
    return hash::numeric_table_memory<T>(rules, rows.rows, rows.bound_max, multiprocessors);
  }
  static constexpr std::string_view sorted_by(const SizeQuery& q, std::int64_t rows) {
    return hash::sorted_by(q, rows);
  }
  static void symbolic(const SymbolicLaunch& l, int kernel) { hash::symbolic(l, kernel); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int kernel) {
    hash::numeric(l, kernel);
  }
};

/// Bytes of the table of a row with up to `bound` entries, in global memory.
[[nodiscard]] constexpr std::size_t symbolic_table_bytes(std::int64_t bound) noexcept {
  return static_cast<std::size_t>(next_power_of_two(2 * bound)) * sizeof(std::int32_t);
}
[[nodiscard]] constexpr std::size_t numeric_table_bytes(std::int64_t bound, std::size_t value_bytes) noexcept {
  return static_cast<std::size_t>(next_power_of_two(2 * bound)) * (sizeof(std::int32_t) + value_bytes) +
         static_cast<std::size_t>(next_power_of_two(bound)) * sizeof(std::uint64_t);
}

/// Memory for tables that is not exceeded but for a single one.
inline constexpr std::size_t kTableBytes = kShapes.hash.table_bytes;
/// Bytes for tables of `one` byte, which blocks use in turns.
[[nodiscard]] constexpr std::size_t bytes_in_turns(std::size_t one, std::int64_t rows, int multiprocessors) noexcept {
  constexpr int kTables = kShapes.hash.tables_a_multiprocessor;
  const std::int64_t at_once = std::min<std::int64_t>(rows, kTables * multiprocessors);
  return std::max(one, std::min(kTableBytes, one * static_cast<std::size_t>(at_once)));
}

inline std::size_t symbolic_table_memory(std::int64_t rows, std::int64_t bound, int multiprocessors) {
  return bytes_in_turns(symbolic_table_bytes(bound), rows, multiprocessors);
}

/// The library's sort: places of a row's table, 1.5 times the bound and no power of two (DCU-nsparse, section 5.4.2),
/// of all rows, so that arrays of them are aligned, and their bytes: words and sums, as they are and sorted.
[[nodiscard]] constexpr int library_table(std::int64_t bound) noexcept {
  constexpr int kSlotsPer100 = kShapes.hash.library_slots_per_100_products;
  return static_cast<int>(bound * kSlotsPer100 / 100);
}
[[nodiscard]] constexpr std::int64_t library_places(std::int64_t rows, std::int64_t bound) noexcept {
  constexpr std::int64_t kAligned = 64;
  return (rows * library_table(bound) + kAligned - 1) / kAligned * kAligned;
}
[[nodiscard]] constexpr std::size_t library_bytes(std::int64_t places, std::size_t value_bytes) noexcept {
  return static_cast<std::size_t>(places) * 2 * (sizeof(std::uint64_t) + value_bytes);
}
/// Whether rows beyond all tables in shared memory are few enough to be sorted by the library.
[[nodiscard]] constexpr bool sorts_by_library(const TableRules& rules, std::int64_t rows, std::int64_t bound,
                                              std::size_t value_bytes) noexcept {
  const auto most = static_cast<std::int64_t>(kTableBytes / library_bytes(1, value_bytes));
  return rows <= rules.library_rows && bound < most && library_places(rows, bound) <= most;
}

constexpr std::string_view sorted_by(const SizeQuery& q, std::int64_t rows) noexcept {
  constexpr auto kSizes = kNumeric;
  const auto kernel = static_cast<std::size_t>(numeric_kernel(q));
  if (kernel < kSizes.size()) return name_of(sort_of(kSizes[kernel], q.tables.sort));
  return sorts_by_library(q.tables, rows, q.bound_max, q.value_bytes) ? "library" : "bitonic, in global memory";
}

/// The numeric phase of rows beyond all tables in shared memory.
template <class T>
void in_global_memory(const NumericLaunch<T>& launch);

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
