#pragma once
// A number for a pattern, the same in every process: matrices that a training set holds twice have it twice. It has no
// key, so patterns that share it can be made: where that would do harm, lib/api/digest.
#include <cstdint>

#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"

namespace rowan {

/// Of the shape, the row pointers and the columns; the same on any number of threads. Reads rows + 1 pointers and `nnz`
/// columns, whatever the pointers say. O(rows + nnz), at about the speed of memory.
[[nodiscard]] std::uint64_t fingerprint(const Pattern& m, std::int64_t nnz, const Team& team);

}  // namespace rowan
