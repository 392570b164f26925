#pragma once
// Rank on a device: a bitmap over the row's span says which columns there are; the number of bits below a column's is
// its place in C's row. A perfect hash, already sorted: no keys, no probes. Narrow rows have a wave each and sum in
// shared memory; the others a block each, by windows over their span, and sum in place in C (docs/devices.md:
// dense-rank).
#include <algorithm>

#include "accumulators/common/device/staged.hpp"
#include "accumulators/common/device/task.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/device/bits.hpp"
#include "accumulators/dense/device/heavy.hpp"
#include "lib/binning/tally.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

inline constexpr std::int64_t kNarrowSpan = kShapes.rank.narrow_span, kNarrowProducts = kShapes.rank.narrow_products;
inline constexpr int kLanes = 32;                                 // that have a narrow row
inline constexpr int kNarrowThreads = kShapes.rank.narrow_block;  // of a block of narrow rows

/// A block a row, by windows of so many columns. Rows that a small window holds have small blocks: more of them at a
/// time, and more of each thread's time is products.
using BlockShape = tuning::BlockShape;
inline constexpr BlockShape kMiddleBlock = kShapes.rank.middle_block.value, kWideBlock = kShapes.rank.wide_block.value,
                            kWidestBlock = kShapes.rank.widest_block.value;
inline constexpr std::int64_t kMiddleProducts = kShapes.rank.middle_products;  // above, a row has a wide block
inline constexpr std::size_t kNarrowShared = kShapes.rank.narrow_shared_bytes;
inline constexpr int kProductsASavedWord = kShapes.rank.products_a_saved_word;

/// Whether rows of B fill a wide or a middle block well enough to be added in turn, and the longest row, a chain of a
/// barrier for each row of B, ends before all others are done.
[[nodiscard]] constexpr bool fill_turns(bool wide, double b_row_avg, std::int64_t nprod,
                                        std::int64_t a_nnz_max) noexcept {
  constexpr auto kRank = kShapes.rank;
  return b_row_avg >= (wide ? kRank.full_turn : kRank.full_middle_turn) &&
         nprod >= (wide ? kRank.products_a_turn : kRank.products_a_middle_turn) * a_nnz_max;
}

/// Shared memory of a block of narrow rows in the numeric phase: bits, ranks, sums.
[[nodiscard]] constexpr std::size_t narrow_bytes(std::int64_t span, std::int64_t bound,
                                                 std::size_t value_bytes) noexcept {
  const auto words = static_cast<std::size_t>((span + kBits - 1) / kBits + 1);
  return kNarrowThreads / kLanes * (2 * words * sizeof(unsigned) + (static_cast<std::size_t>(bound) + 1) * value_bytes);
}

/// Shared memory of a block that counts rows wider than a wide block's window: bits, entries of A. There are devices
/// that do not have it.
[[nodiscard]] constexpr std::size_t widest_bytes() noexcept {
  constexpr std::size_t kRest = 2048;
  return static_cast<std::size_t>(kWidestBlock.window / kBits) * sizeof(unsigned) +
         sizeof(StagedEntries<NoValue, kWidestBlock.threads>) + kRest;
}

void symbolic(const SymbolicLaunch& launch, int kernel);
/// Counts the rows that others have abandoned, at most so many.
void count_abandoned(const SymbolicLaunch& launch, std::int64_t most);
template <class T>
void numeric(const NumericLaunch<T>& launch, int kernel);

struct DeviceRank {
  static constexpr std::string_view kName = rowan::dense::rank.name;
  static constexpr int kNarrow = 0, kMiddle = 1, kWide = 2;
  static constexpr int kHeavy = 3;   // only of rows that the pipeline found heavy (heavy.hpp)
  static constexpr int kWidest = 4;  // only counts
  static constexpr int kSymbolicKernels = 5;
  static constexpr int kNumericKernels = 4;
  static constexpr int symbolic_kernel(const SizeQuery& q) {
    if (q.span_max <= kNarrowSpan && q.nprod_max <= kNarrowProducts) return kNarrow;
    if (q.span_max <= kMiddleBlock.window && q.nprod_max <= kMiddleProducts) return kMiddle;
    return q.span_max > kWideBlock.window && widest_bytes() <= q.shared_limit ? kWidest : kWide;
  }
  static constexpr int numeric_kernel(const SizeQuery& q) {
    const int kernel = symbolic_kernel(q);
    if (kernel == kWidest) return kWide;
    return kernel == kNarrow && narrow_bytes(q.span_max, q.bound_max, q.value_bytes) > kNarrowShared ? kMiddle : kernel;
  }
  static constexpr int symbolic_threads(int kernel) {
    return kernel == kNarrow   ? kLanes
           : kernel == kMiddle ? kMiddleBlock.threads
           : kernel == kWidest ? kWidestBlock.threads
                               : kWideBlock.threads;  // heavy: as many
  }
  static constexpr int numeric_threads(int kernel) { return symbolic_threads(kernel); }
  static constexpr bool wants_tables(Phase, int) { return false; }
  /// Room for the bitmaps that blocks save for the numeric phase, two words in each of so many.
  static constexpr std::int64_t words_to_save(int kernel, const Tally& rows) {
    if (kernel != kMiddle && kernel != kWide && kernel != kWidest) return 0;
    constexpr std::int64_t kProducts = 2 * kProductsASavedWord;
    constexpr std::int64_t kMost = kShapes.rank.most_saved_bytes / static_cast<std::int64_t>(sizeof(SavedWord));
    return std::min({rows.span / (2 * kBits) + rows.rows, rows.nprod / kProducts, kMost});
  }
  static void symbolic(const SymbolicLaunch& l, int kernel) {
    kernel == kHeavy ? count_heavy(l) : dense::symbolic(l, kernel);
  }
  static void take_abandoned(const SymbolicLaunch& l, std::int64_t most) { count_abandoned(l, most); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int kernel) {
    kernel == kHeavy ? fill_heavy(l) : dense::numeric(l, kernel);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
