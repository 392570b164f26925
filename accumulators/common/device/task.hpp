#pragma once
// What kernels of one phase work on.
#include <cstdint>

#include "accumulators/candidate.hpp"
#include "accumulators/common/device/heavy_rows.hpp"
#include "accumulators/hash/table_rules.hpp"
#include "lib/binning/device/rows.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/device/runtime/info.hpp"
#include "lib/device/runtime/shapes.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// The rows that one kernel takes: some of the list, in a few pieces, or where that is null rows from the first on.
struct RowList {
  static constexpr int kPieces = 6;
  const std::int32_t* list;
  std::int64_t count;
  // where pieces behind the first begin, and how far behind the piece before in the list
  std::int32_t begin[kPieces - 1] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}, skip[kPieces - 1] = {};
  Cancelled cancelled = {};

  constexpr std::int64_t operator[](std::int64_t i) const {
    if (list == nullptr) return i;
    std::int64_t at = i;
    ROWAN_UNROLL
    for (int k = 0; k < kPieces - 1; k++) at += i >= begin[k] ? skip[k] : 0;
    return list[at];
  }
  /// All rows once, too, for i from 0 on, but long and short ones mixed: lists have the longest first.
  constexpr std::int64_t mixed(std::int64_t i) const {
    constexpr std::int64_t kPrime = 2654435761;  // above any count, so without a common divisor
    return (*this)[list == nullptr ? i : i * kPrime % count];
  }
};

/// The rows of one of a candidate's kernels.
struct RowsOfKernel {
  int kernel;
  RowList rows;
};

/// Memory that kernels with tables beyond shared memory share out among their
/// blocks.
struct TableMemory {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};

/// What is known of runs (lib/binning/device/runs.hpp); null where no policy asks for them.
struct RunFacts {
  const std::uint8_t* b_relation = nullptr;   // of B's rows, each to the one before
  const std::uint8_t* bundle_rows = nullptr;  // of rows of A; numeric phase only
  const ShiftMark* shift_mark = nullptr;      // of rows of A; numeric phase only
  SavedBitmaps saved = {};                    // of first rows of runs; numeric phase: of all of theirs
};

/// What is known of rows before their kernel is chosen.
struct RowExtent : Extent {
  std::int64_t b_row_max = 0;  // entries of a row of B that they meet
};

/// Rows that hash abandons while it counts: dense-rank counts them again. Without a list none.
struct AbandonedRows {
  std::int32_t* list = nullptr;
  std::int32_t* count = nullptr;  // 0 at first
  int collisions = 0;             // for a product that are too many
};

struct SymbolicLaunch {
  Pattern a, b;
  RowList rows;
  const CRow* c_rows;  // of every row of C
  std::int64_t* nnz;   // out: entries of row i into nnz[i]
  RowExtent extent;    // of the rows
  int group;           // lanes that walk one row of B
  RunFacts runs;
  AbandonedRows abandoned;
  HeavyRows heavy;  // out, of heavy rows
  TableMemory tables;
  const Info& device;
  hipStream_t stream;
};

template <class T>
struct NumericLaunch {
  Operand<T> a, b;
  RowList rows;
  RowExtent extent;    // of them; bound_max is exact
  int group;           // lanes that walk one row of B
  bool group_decided;  // by the policy or by force: kernels keep to it
  bool in_order;       // sums are the textbook's, bit by bit
  int room;            // of hash tables: places for 100 entries
  TableRules table_rules;
  double bundle_rows_avg;  // rows of a bundle, on average; 1 where there are none
  double b_row_avg;        // entries of the rows of B that are met
  std::int64_t nprod;      // of all rows
  std::int64_t nnz;        // of all rows, in C
  const CRow* c_rows;
  RunFacts runs;
  HeavyRows heavy;  // of heavy rows
  const std::int64_t* row_ptr;
  Column* col;
  T* val;
  TableMemory tables;
  const Info& device;
  hipStream_t stream;
};

/// What decides which of its kernels a candidate takes for a bin.
struct SizeQuery {
  std::int64_t bound_max = 0;  // entries of a row of C: a bound in the symbolic
                               // phase, exact in the numeric one
  std::int64_t span_max = 0;
  std::size_t value_bytes = 8;
  std::size_t shared_limit = 0;
  std::int64_t nprod_max = 0;
  bool sorted_b = true;
  std::int64_t a_nnz_max = 0;
  std::int64_t b_row_max = 0;
  int room = 200;  // of hash tables: places for 100 entries
  TableRules tables = {};
};

[[nodiscard]] constexpr std::int64_t next_power_of_two(std::int64_t n) noexcept {
  std::int64_t p = 1;
  while (p < n) p *= 2;
  return p;
}

/// Lanes that walk one row of B, by the entries that it has on average (DCU-nsparse, section 5.1, decides by the
/// longest row). Longer ones are walked by all lanes (walk.hpp): by the longest row the lanes of skewed matrices stand
/// idle, a circuit took twice as long.
[[nodiscard]] constexpr int group_size(std::int64_t entries, std::int64_t rows_met, int most) noexcept {
  constexpr std::int64_t kEntriesALane = kShapes.walk.entries_a_lane;
  int lanes = 1;
  while (lanes < most && lanes * kEntriesALane * rows_met < entries) lanes *= 2;
  return lanes;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
