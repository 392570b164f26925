#pragma once
// Runs of equal rows, the grouping before binning: the first row of a run is counted for all of them, and neighbours
// are multiplied as teams, which read B's rows and look columns up once (FINDINGS: row runs). Runs are cut every
// kRunRows rows, so that every row finds its run's first one near by.
#include <cstdint>

#include "lib/device/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// How a row's pattern relates to the row's before; 0: not at all.
inline constexpr std::uint8_t kSameAsPrevious = 1, kShiftedFromPrevious = 2;

inline constexpr std::int64_t kRunRows = 48;  // what teams of 1, 2, 3 and 4 rows all divide
inline constexpr int kTeamRows = 4;           // at most; six accumulators a lane and more fill the registers

/// Whether the row is of the same run as the row before it.
[[nodiscard]] constexpr bool goes_on(const std::uint8_t* relation, std::int64_t row) noexcept {
  return relation[row] == kSameAsPrevious && row % kRunRows != 0;
}

/// Copies the count of every run's first row to the others, and makes teams: team[i] becomes how many rows from row i
/// on are multiplied together, 0 where row i is of a team that began before it.
void make_teams(std::int64_t rows, const std::uint8_t* relation, std::int64_t* nnz, std::uint8_t* team,
                hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
