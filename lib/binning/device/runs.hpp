#pragma once
// Runs, the grouping before binning. Of equal rows the first of a run is counted for all of them, and neighbours are
// multiplied as teams, which read B's rows and look columns up once (docs/devices.md: dense-run). Runs are cut every
// kRunRows rows, so that every row finds its run's first one near by. Of rows whose products are the row before's moved
// by one column (grids) a team's first is counted for all of it, and all are multiplied by one recipe (docs/devices.md:
// shift runs).
#include <cstdint>

#include "lib/binning/rows.hpp"
#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// How a row's pattern relates to the row's before; 0: not at all.
inline constexpr std::uint8_t kSameAsPrevious = 1, kShiftedFromPrevious = 2;

inline constexpr std::int64_t kRunRows = 48;  // what teams of 1, 2, 3, 4, 6 and 8 rows all divide
inline constexpr int kTeamRows = 8;           // at most

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

/// A word of a row's bitmap that is not zero.
struct alignas(8) KeptWord {
  std::uint32_t bits;
  std::uint32_t place;  // bits in the words before it, and from kPlaceBits on which word of the row's span it is
  static constexpr int kPlaceBits = 16;
  static constexpr std::int64_t kMost = (1 << kPlaceBits) - 1;  // of bits, and of words of a span
  [[nodiscard]] constexpr int before() const { return static_cast<int>(place & ((1U << kPlaceBits) - 1)); }
  [[nodiscard]] constexpr int at() const { return static_cast<int>(place >> kPlaceBits); }
};
/// Where a run's words are; n is 0: nowhere.
struct KeptAt {
  std::int32_t from, n;
};
/// Bitmaps of runs that the symbolic phase keeps for the numeric phase, which else makes them again. Rows whose words
/// find no room are not kept.
struct KeptWords {
  KeptWord* words = nullptr;
  std::int64_t* used = nullptr;
  std::int64_t room = 0;
  KeptAt* of_row = nullptr;  // null: none are kept
};

/// Copies the count of every run's and shift team's first row to the others (`place`: null where there are no shift
/// teams), where a run's words are kept too (`kept`: null where none are), and makes teams of equal rows: team[i]
/// becomes how many rows from row i on are multiplied together, 0 where row i is of a team that began before it.
void make_teams(std::int64_t rows, const std::uint8_t* relation, const std::uint8_t* place, std::int64_t* nnz,
                std::uint8_t* team, KeptAt* kept, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
