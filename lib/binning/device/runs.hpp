#pragma once
// Runs, the grouping before binning. Of equal rows the first of a run is counted for all of them, and neighbours are
// multiplied as teams, which read B's rows and look columns up once (FINDINGS: row runs). Runs are cut every kRunRows
// rows, so that every row finds its run's first one near by. Of rows whose products are the row before's moved by one
// column (grids) a team's first is counted for all of it, and all are multiplied by one recipe (FINDINGS: shift runs).
#include <cstdint>

#include "lib/core/row_work.hpp"
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

/// What a row is of a shift team, in a byte: 0 of none, the first row how many rows the team has, the others
/// kMostShifts and how far behind the first they are. No row of a run of equal rows is of a shift team.
inline constexpr int kMostShifts = 128, kLeastShifts = static_cast<int>(kShiftRun);
[[nodiscard]] constexpr bool follows(std::uint8_t place) noexcept {
  return place > kMostShifts;
}

/// Makes shift teams. `place`: 1 for rows whose products are the row before's moved by one column, else 0
/// (features/device/measure.hpp); becomes what stands above. Runs are cut every 1024 rows.
void make_shift_teams(std::int64_t rows, std::uint8_t* place, hipStream_t stream);

/// Copies the count of every run's and shift team's first row to the others (`place`: null where there are no shift
/// teams), and makes teams of equal rows: team[i] becomes how many rows from row i on are multiplied together, 0 where
/// row i is of a team that began before it.
void make_teams(std::int64_t rows, const std::uint8_t* relation, const std::uint8_t* place, std::int64_t* nnz,
                std::uint8_t* team, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
