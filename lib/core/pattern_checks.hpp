#pragma once
// What validate() asks of all row pointers and columns, as fast as they can be read.
#include <cstdint>

#include <rowan/types.hpp>

namespace rowan {

/// Whether any of n + 1 row pointers is less than the one before it. O(n).
[[nodiscard]] bool any_falls(const std::int64_t* ptr, std::int64_t n);
[[nodiscard]] bool any_falls(const std::int32_t* ptr, std::int64_t n);
/// Whether any of n columns is outside [0, cols), cols < 2^31. O(n).
[[nodiscard]] bool any_outside(const Column* col, std::int64_t n, std::int64_t cols);

}  // namespace rowan
