#pragma once
// Measuring what the policy only predicts: every feasible candidate on every bin.
#include <vector>

#include "lib/host/decided.hpp"
#include "lib/host/in_context.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/workspace.hpp"

namespace rowan {

/// One bin's rows by any feasible candidate, as often as wanted, on one thread; what comes out is thrown away.
template <class T>
class BinTrial {
 public:
  BinTrial(const Inputs<T>& in, const Decided& decided, std::size_t bin);
  /// Memory beside the timed work: call it once before the first run of each candidate.
  void prepare(CandidateId id) { static_cast<void>(workspace_.of(id, extent_, sizeof(T))); }
  void run(Phase phase, CandidateId id);

 private:
  struct TrialRows {
    std::int64_t first, last;
  };

  const Inputs<T>& in_;
  const Decided& decided_;
  Extent extent_;
  std::vector<TrialRows> rows_;  // consecutive ones together
  Array<Offset> nnz_;
  Array<Column> col_;
  Array<T> val_;
  Workspace workspace_;
};

/// Wall times of the numeric phase on one thread, the least of some repeats; 0 where a candidate is not feasible.
struct CandidateTimes {
  std::vector<CandidateSeconds> bins;  // of each bin's rows, scaled to add up to `forced` (in_context.hpp)
  CandidateSeconds forced{};           // of all rows, its fallbacks for those that it cannot take; C goes to memory
};

/// Every feasible candidate on every bin alone, and on all rows. `entries`: of C; where those find no room, or take
/// more than ten times the fastest, `forced` is the bins' sum. The choices of `decided` are as before in the end.
template <class T>
[[nodiscard]] CandidateTimes time_candidates(const Inputs<T>& in, Decided& decided, std::int64_t entries, int repeats);

}  // namespace rowan
