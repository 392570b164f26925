#pragma once
// Measuring what the policy only predicts: every feasible candidate on every bin.
#include <vector>

#include "lib/pipeline/multiply.hpp"
#include "lib/pipeline/workspace.hpp"

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
  struct Rows {
    std::int64_t first, last;
  };

  const Inputs<T>& in_;
  const Decided& decided_;
  Extent extent_;
  std::vector<Rows> rows_;  // consecutive ones together
  Array<Offset> nnz_;
  Array<std::int32_t> col_;
  Array<T> val_;
  Workspace workspace_;
};

/// seconds[bin][candidate]: wall time of the numeric phase of the bin's rows on one thread, the least of `repeats`; 0
/// where the candidate is not feasible.
template <class T>
[[nodiscard]] std::vector<std::vector<double>> time_candidates(const Inputs<T>& in, const Decided& decided,
                                                               int repeats);

}  // namespace rowan
