#pragma once
// From features to choices, and the record of both that inspect shows.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "features/measure.hpp"
#include "lib/binning/bins.hpp"
#include "models/policy.hpp"
#include <rowan/options.hpp>

namespace rowan {

/// Why what is done is not what was wanted.
enum class Instead : std::uint8_t {
  as_wanted,
  limits,   // the bin is beyond the wanted one's limits
  alone,    // `sort`'s rows would stand alone between dense-window's
  scratch,  // it would work in more memory than there is
};

/// What was wanted and what is done.
struct Choice {
  CandidateId requested = 0;
  CandidateId chosen = 0;
  Instead instead = Instead::as_wanted;
};

/// What a candidate may work in.
struct ScratchLimit {
  std::int64_t bytes = kNoLimit;
  std::size_t value_bytes = sizeof(double);

  [[nodiscard]] bool allows(const Candidate& candidate, const Extent& extent) const {
    return bytes == kNoLimit || needed(candidate, extent) <= bytes;
  }
  [[nodiscard]] std::int64_t needed(const Candidate& candidate, const Extent& extent) const {
    const ScratchBytes need = candidate.scratch(extent, value_bytes);
    return static_cast<std::int64_t>(need.zeroed + need.plain + need.persistent);
  }
};

/// What candidates are asked about the rows that `t` sums up, of a multiplication that was measured.
[[nodiscard]] Extent extent_of(const Tally& t, const Measured& measured) noexcept;

struct BinDecision {
  Bin bin;
  Extent extent;
  FeatureVector features{};
  Choice symbolic = {}, numeric = {};
};

/// The decision record of one multiply.
struct Record {
  Policy policy;
  FeatureVector features{};  // of the whole matrix
  bool binned = false;
  Method requested_method = Method::one_phase;
  Bins bins;
  std::vector<BinDecision> decisions;  // one for each of bins.bins
  ScratchLimit scratch = {};           // none until something did not fit

  [[nodiscard]] CandidateId chosen(Phase phase, std::int64_t row) const noexcept {
    const BinDecision& d = decisions[static_cast<std::size_t>(bins.of(row))];
    return phase == Phase::symbolic ? d.symbolic.chosen : d.numeric.chosen;
  }
};

/// Per matrix: bin or not, one phase or two.
[[nodiscard]] Record decide_matrix(const Measured& measured, const Policy& policy);

/// The bins that were measured, which go to the record, or one for all rows.
void bin(Measured& measured, Record& record);

/// Per bin and phase: the first candidate of the policy's ranking that is feasible, else the first one's fallback. In
/// the numeric phase bins of `sort` whose rows alternate with dense-window's, and would be sorted few at a time, go
/// there, too. `force` (empty: none) stands in the ranking's place. `symbolic`: that phase, too; it is half of
/// deciding, and most multiplications have none.
void decide_bins(const Measured& measured, std::string_view force, Record& record, bool symbolic = true);

/// The symbolic phase of bins that were decided without.
void decide_symbolic(std::string_view force, Record& record);

/// The choices of a phase again, among candidates that work in no more memory than that; the one that works in least
/// where all work in more. Later choices keep the limit.
void limit_scratch(Record& record, Phase phase, std::string_view force, ScratchLimit limit);

/// The numeric choices again, once the symbolic phase has counted C's rows into its row pointers.
void decide_again(const Measured& measured, const Offset* row_ptr, std::string_view force, Record& record);

}  // namespace rowan
