#pragma once
/// \file
/// The number types of matrices.

#include <cstdint>

namespace rowan {

/// The number of a column.
using Column = std::int32_t;

}  // namespace rowan
