#pragma once
// Shift runs on a device: rows whose products are the row before's moved by one column (grids). Where each product of a
// team goes is found once, from its first row (recipe); then a block multiplies tiles of 32 rows, a lane a row: for all
// lanes a product's factors and its place in C are the same numbers. A's and B's values of a tile are copied to shared
// memory, rows of B that consecutive entries of A meet once; no table, no atomics, and sums follow A's order.
#include "accumulators/common/device/task.hpp"
#include "accumulators/direct/candidate.hpp"

namespace rowan::device::inline ROWAN_BACKEND::direct {

inline constexpr int kTileRows = 32;             // a lane each
inline constexpr int kSumPitch = kTileRows + 1;  // sums of an entry of C; odd, so that columns meet different banks
inline constexpr int kMostShiftThreads = kShapes.shift.most_block;
inline constexpr std::size_t kShiftOwn = kShapes.shift.reserved_shared_bytes;
inline constexpr unsigned kProductBits = 11;  // a product's number, and an entry's of A
inline constexpr std::int64_t kMostPlaces = std::int64_t{1} << (32 - kProductBits);  // of factors of B
static_assert(rowan::direct::shift.max_nprod <= 1 << kProductBits);
static_assert(rowan::direct::shift.max_span <= std::int64_t{1} << (31 - kProductBits));  // sorted with a number

/// Values of a row are an odd number apart: lanes that read one entry of 32 rows meet different banks.
[[nodiscard]] constexpr std::int64_t pitch_of(std::int64_t entries) noexcept {
  return entries | 1;
}

/// Dynamic shared memory of a block, in elements, for the largest team of a launch.
struct ShiftSizes {
  std::int64_t a_entries = 0, c_entries = 0, products = 0;
  std::int64_t b_least = 0, b_most = 0;  // values of B: one pass over A's entries, all of them at once
  std::int64_t b_values = 0;             // as many as there is room for

  [[nodiscard]] constexpr std::size_t bytes(std::int64_t b, std::size_t value_bytes) const noexcept {
    const std::int64_t values = c_entries * kSumPitch + pitch_of(a_entries) * kTileRows + b;
    const std::int64_t numbers = products + 2 * c_entries + 1 + 4 * a_entries + 1;
    return static_cast<std::size_t>(a_entries) * sizeof(std::int64_t) + static_cast<std::size_t>(values) * value_bytes +
           static_cast<std::size_t>(numbers) * sizeof(std::int32_t);
  }
};

[[nodiscard]] constexpr ShiftSizes shift_sizes(std::int64_t nprod, std::int64_t entries, std::int64_t a_nnz,
                                               std::int64_t b_row, std::size_t value_bytes) noexcept {
  ShiftSizes s{.a_entries = a_nnz, .c_entries = entries, .products = nprod};
  // the recipe is made where values of B are afterwards
  const auto made = static_cast<std::int64_t>(
      static_cast<std::size_t>(next_power_of_two(nprod) + nprod) * sizeof(std::uint32_t) / value_bytes + 1);
  const std::int64_t least = (kTileRows - 1 + a_nnz) * pitch_of(b_row), most = kTileRows * a_nnz * pitch_of(b_row);
  s.b_least = least < made ? made : least;
  s.b_most = most < made ? made : most;
  return s;
}

template <class T>
void shift_numeric(const NumericLaunch<T>& launch);

/// The candidate. A run of shifted rows is counted once, by its first row, so there is no kernel for it here: `Counter`
/// counts it, another candidate whose symbolic kernels take every row.
template <class Counter>
struct ShiftCountedBy {
  static constexpr std::string_view kName = rowan::direct::shift.name;
  static constexpr int kSymbolicKernels = Counter::kSymbolicKernels;
  static constexpr int kNumericKernels = 1;
  static constexpr int symbolic_kernel(const SizeQuery& q) { return Counter::symbolic_kernel(q); }
  static constexpr int numeric_kernel(const SizeQuery&) { return 0; }
  static constexpr bool takes(Phase phase, const SizeQuery& q) {
    if (phase == Phase::symbolic) return true;
    if (kTileRows * q.a_nnz_max * pitch_of(q.b_row_max) > kMostPlaces) return false;
    const ShiftSizes s = shift_sizes(q.nprod_max, q.bound_max, q.a_nnz_max, q.b_row_max, q.value_bytes);
    return s.bytes(s.b_least, q.value_bytes) + kShiftOwn <= q.shared_limit;
  }
  static constexpr int symbolic_threads(int kernel) { return Counter::symbolic_threads(kernel); }
  static constexpr int numeric_threads(int) { return 1; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  static void symbolic(const SymbolicLaunch& l, int kernel) { Counter::symbolic(l, kernel); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int) {
    shift_numeric(l);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::direct
