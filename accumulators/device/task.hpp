#pragma once
// What kernels of one phase work on. Rows that one kernel takes stand together
// in a list: a slot of it.
#include <cstdint>

#include "accumulators/candidate.hpp"
#include "lib/device/info.hpp"
#include "lib/device/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kMostSlots = 32;
inline constexpr int kMostBins = 128;
inline constexpr std::uint8_t kNoSlot = 255;

/// Where the slots of a phase are in the list of rows. On the device: the
/// symbolic phase's slots are filled there, and no host waits for them.
struct Slots {
  std::int64_t begin[kMostSlots + 1];  // slot s is list[begin[s], begin[s + 1])
  std::int32_t group[kMostSlots];      // lanes that walk one row of B
  std::uint8_t decided[kMostSlots];    // whether the policy or force said how many
  std::uint8_t of_bin[kMostBins];      // kNoSlot: rows that no kernel has to look at
  std::uint8_t chosen[kMostBins];      // the candidate, for the record
  std::uint8_t asked[kMostBins];
  std::int32_t only;  // the slot that has all rows, else -1
  std::int32_t binned;
};

/// The rows of one slot.
struct RowList {
  const std::int32_t* rows;
  const Slots* slots;
  int slot;
  __device__ std::int64_t begin() const { return slots->begin[slot]; }
  __device__ std::int64_t end() const { return slots->begin[slot + 1]; }
  __device__ int group() const { return slots->group[slot]; }
};

/// Memory that kernels with tables beyond shared memory share out among their
/// blocks.
struct TableMemory {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
};

/// What is known of runs (lib/binning/device/runs.hpp); null where no policy asks for them.
struct RunFacts {
  const std::uint8_t* b_relation = nullptr;  // of B's rows, each to the one before
  const std::uint8_t* team = nullptr;        // of rows of A; numeric phase only
  const std::uint8_t* place = nullptr;       // of rows of A in shift teams; numeric phase only
};

/// What is known of rows before their kernel is chosen.
struct RowExtent : Extent {
  std::int64_t b_row_max = 0;  // entries of a row of B that they meet
};

struct SymbolicLaunch {
  Pattern a, b;
  RowList rows;
  const std::int32_t* facts;  // of every row: first and last column, longest row of B, products
  std::int64_t* nnz;          // out: entries of row i into nnz[i]
  std::int64_t bound_max;     // no row has more entries; all that the host knows of them
  RunFacts runs;
  TableMemory tables;
  const Info& device;
  hipStream_t stream;
};

template <class T>
struct NumericLaunch {
  Operand<T> a, b;
  RowList rows;
  std::int64_t count;  // rows in the slot
  RowExtent extent;    // of them; bound_max is exact
  int group;           // lanes that walk one row of B
  bool group_decided;  // by the policy or by force: kernels keep to it
  bool in_order;       // sums are the textbook's, bit by bit
  int room;            // of hash tables: places for 100 entries
  double b_row_avg;    // entries of the rows of B that are met
  const std::int32_t* facts;
  RunFacts runs;
  const std::int64_t* row_ptr;
  std::int32_t* col;
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
};

[[nodiscard]] constexpr std::int64_t next_power_of_two(std::int64_t n) noexcept {
  std::int64_t p = 1;
  while (p < n) p *= 2;
  return p;
}

/// Lanes that walk one row of B: a lane takes up to eight of the entries that it has on average (DCU-nsparse, section
/// 5.1, decides by the longest row). Longer ones are walked by all lanes (walk.hpp): by the longest row the lanes of
/// skewed matrices stand idle, a circuit took twice as long; with two entries a lane, grids took half as long again.
[[nodiscard]] constexpr int group_size(std::int64_t entries, std::int64_t rows_met, int most) noexcept {
  constexpr std::int64_t kEntriesALane = 8;
  int lanes = 1;
  while (lanes < most && lanes * kEntriesALane * rows_met < entries) lanes *= 2;
  return lanes;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
