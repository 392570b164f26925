#pragma once
// Merge on a device (register-aware, section 3.2; RMerge, Gremse 2015): rows of B, each of them sorted, are merged into
// a row of C by taking the least of their next columns, again and again. A few lanes have a row of C, or one alone;
// each keeps the next entries of some of the rows of B in its registers. No product is stored, and none is sorted.
#include <array>

#include "accumulators/common/device/task.hpp"
#include "accumulators/sort/candidate.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

/// Entries of a row of A that a kernel takes at most, one row of B each.
inline constexpr auto kMergedRows = kShapes.merge.entries_of_a.value;
static_assert(kMergedRows.back() == rowan::sort::merge.max_a_nnz);
/// Products of a row that has a wave with others of few products: a wave takes as long as the longest of its rows.
inline constexpr std::int64_t kFewMerged = kShapes.merge.few_products;

struct DeviceMerge {
  static constexpr std::string_view kName = rowan::sort::merge.name;
  static constexpr int kSymbolicKernels = 2 * static_cast<int>(kMergedRows.size());
  static constexpr int kNumericKernels = kSymbolicKernels;
  static constexpr int numeric_kernel(const SizeQuery& q) {
    constexpr auto kRows = kMergedRows;  // of its own: devices cannot see the host's
    int k = 0;
    while (q.a_nnz_max > kRows[static_cast<std::size_t>(k)]) k++;
    return q.nprod_max <= kFewMerged ? k : k + static_cast<int>(kRows.size());
  }
  static constexpr int symbolic_kernel(const SizeQuery& q) { return numeric_kernel(q); }
  // a row of B is one lane's
  static constexpr int symbolic_threads(int) { return 1; }
  static constexpr int numeric_threads(int) { return 1; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  static void symbolic(const SymbolicLaunch& launch, int kernel);
  template <class T>
  static void numeric(const NumericLaunch<T>& launch, int kernel);
};

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
