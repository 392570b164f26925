#pragma once
// Rows of C that are nearly one row of B.
#include <cstdint>

#include "accumulators/candidate.hpp"

namespace rowan {

/// A row of B is dominant if at most one product in this many, of a row of C, is not its own.
inline constexpr std::int64_t kDominantShare = 8;

[[nodiscard]] constexpr bool has_dominant_row(const CRow& row) noexcept {
  return (row.nprod - row.b_max) * kDominantShare <= row.nprod;
}

}  // namespace rowan
