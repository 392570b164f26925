#pragma once
// Row runs on a device: rank (rank.hpp) for a team of up to four rows of one pattern. Bits are marked and ranked once a
// team; consecutive rows of B of one pattern are walked as one, so that a column and its rank are looked up once for up
// to sixteen products. All lanes walk one group of B's rows at a time: its columns differ, sums need no atomics and
// follow A's order. A wave a team, or a block where the team's sums are many.
#include "accumulators/dense/device/rank.hpp"
#include "lib/binning/device/runs.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

inline constexpr int kTeamLanes = 32;                       // of a wave's team
inline constexpr int kTeamThreads = 128;                    // of a block, with a team a wave or one for all
inline constexpr std::size_t kTeamShared = 48 << 10;        // most that a block with a team a wave asks for
inline constexpr std::size_t kTeamBlockShared = 112 << 10;  // most that a block with one team asks for
inline constexpr std::size_t kTeamOwnShared = 2048;         // static: what walks and sums over a block need

/// A batch of A's entries: groups of equal rows of B, and A's values.
template <class T>
struct TeamBatch {
  static constexpr int kEntries = 32;
  T scale[kEntries * kTeamRows];
  std::int64_t from[kEntries];
  int n[kEntries], rows[kEntries], entry[kEntries];
  int groups;
};

/// Dynamic shared memory of a team: bits, ranks, sums. (Of doubles, where values are floats.)
[[nodiscard]] constexpr std::size_t team_bytes(std::int64_t span, std::int64_t bound,
                                               std::size_t value_bytes) noexcept {
  const auto words = static_cast<std::size_t>((span + kBits - 1) / kBits + 1);
  return 2 * words * sizeof(unsigned) + (static_cast<std::size_t>(bound) * kTeamRows + 1) * value_bytes +
         sizeof(TeamBatch<double>);
}

template <class T>
void run_numeric(const NumericLaunch<T>& launch, int kernel);

struct RunOnDevice {
  static constexpr std::string_view kName = rowan::dense::run.name;
  static constexpr int kWave = 0, kBlock = 1;
  static constexpr int kSymbolicKernels = OnDevice::kSymbolicKernels;  // rank's: runs are counted once anyway
  static constexpr int kNumericKernels = 2;
  static constexpr int symbolic_kernel(const SizeQuery& q) { return OnDevice::symbolic_kernel(q); }
  static constexpr int numeric_kernel(const SizeQuery& q) {
    return kTeamThreads / kTeamLanes * team_bytes(q.span_max, q.bound_max, q.value_bytes) <= kTeamShared ? kWave
                                                                                                         : kBlock;
  }
  /// Sums without atomics want rows of B without repeated columns; a team's are in shared memory.
  static constexpr bool takes(Phase phase, const SizeQuery& q) {
    if (phase == Phase::symbolic) return true;
    const std::size_t most = q.shared_limit < kTeamBlockShared ? q.shared_limit : kTeamBlockShared;
    return q.sorted_b && team_bytes(q.span_max, q.bound_max, q.value_bytes) + kTeamOwnShared <= most;
  }
  static constexpr int symbolic_threads(int kernel) { return OnDevice::symbolic_threads(kernel); }
  static constexpr int numeric_threads(int) { return kTeamLanes; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  static void symbolic(const SymbolicLaunch& l, int kernel) { dense::symbolic(l, kernel); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int kernel) {
    run_numeric(l, kernel);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
