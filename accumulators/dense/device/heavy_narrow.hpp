#pragma once
// Heavy rows of few columns (dense/device/heavy.hpp): all blocks' products fall on the same few places, and would wait
// for each other in the device's cache. A block collects what its share adds to a row in shared memory first.
#include "accumulators/common/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

/// Whether rows that span so many columns are narrow.
[[nodiscard]] constexpr bool is_narrow(std::int64_t span) noexcept {
  return span <= kShapes.narrow.most_span;
}

/// Marks the columns of all products in the rows' bitmaps.
void mark_narrow(const SymbolicLaunch& launch);
/// Adds all products to C's values, which are zero. Returns false where rows of B may have a column twice, or the
/// device has not the shared memory: then nothing is added.
template <class T>
[[nodiscard]] bool add_narrow(const NumericLaunch<T>& launch);

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
