#pragma once
// What was decided for one multiplication, and what led to it: what the phases follow and inspect shows.
#include <string_view>
#include <vector>

#include "lib/binning/bins.hpp"
#include "lib/choose/choose.hpp"
#include <rowan/options.hpp>

namespace rowan {

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

struct BinDecision {
  Bin bin;
  Extent extent;
  FeatureVector features{};
  Choice symbolic = {}, numeric = {};

  [[nodiscard]] const Choice& of(Phase phase) const noexcept { return phase == Phase::symbolic ? symbolic : numeric; }
  [[nodiscard]] Choice& of(Phase phase) noexcept { return phase == Phase::symbolic ? symbolic : numeric; }
};

/// The decision record of one multiply on the host.
struct Record {
  Policy policy;
  FeatureVector features{};             // of the whole matrix
  bool sampled = false;                 // nothing was measured of any row; `features` are a sample's
  std::vector<CandidateId> raced = {};  // sampled: contestants of a race, the chosen one first; or none
  bool any_order = false;               // Settings::any_order
  std::string_view copies = {};         // sampled: why all rows are copies, so that nothing is to be decided; or empty
  bool binned = false;
  Method requested_method = Method::one_phase;
  Bins bins;
  std::vector<BinDecision> decisions;  // one for each of bins.bins
  ScratchLimit scratch = {};           // none until something did not fit

  [[nodiscard]] CandidateId chosen(Phase phase, std::int64_t row) const noexcept {
    return decisions[static_cast<std::size_t>(bins.of(row))].of(phase).chosen;
  }
};

}  // namespace rowan
