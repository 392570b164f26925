#pragma once
// Heavy rows of few columns (dense/device/heavy.hpp): all blocks' products fall on the same few places, and would wait
// for each other in the device's cache. A block collects what its share adds to a row in shared memory first.
#include "accumulators/common/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

/// Lanes of a group that adds a row of B, at most.
inline constexpr int kMostGroupLanes = 32;
/// Bytes of shared memory that a block has besides sums.
inline constexpr std::size_t kNarrowBlockShared = 1024;

/// Whether rows that span so many columns are narrow: each group of lanes has room for a sum a column.
[[nodiscard]] constexpr bool is_narrow(std::int64_t span, std::size_t shared_limit) noexcept {
  constexpr std::int64_t kFewestGroups = kShapes.narrow.block / kMostGroupLanes;
  const std::int64_t columns = (span + BitGroup::kColumns - 1) / BitGroup::kColumns * BitGroup::kColumns;
  const auto sums = static_cast<std::size_t>(kFewestGroups * columns) * sizeof(double);
  return span <= kShapes.narrow.most_span && sums + kNarrowBlockShared <= shared_limit;
}

/// Marks the columns of all products in the rows' bitmaps.
void mark_narrow(const SymbolicLaunch& launch);
/// Adds all products to C's values, which are zero. Returns false where rows of B may have a column twice: then nothing
/// is added.
template <class T>
[[nodiscard]] bool add_narrow(const NumericLaunch<T>& launch);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
