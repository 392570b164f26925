#pragma once
// A candidate for rows that share their features: hosts and devices choose alike, each with its own "feasible".
#include <cstdint>
#include <string_view>

#include "accumulators/candidates.hpp"
#include "models/policy.hpp"

namespace rowan {

/// Why what is chosen is not what was requested.
enum class Instead : std::uint8_t {
  as_requested,
  limits,       // the rows are beyond the requested candidate's limits, or this backend does not have it
  only_counts,  // it has no numeric phase
  isolated,     // its rows would be isolated between another candidate's
  memory,       // it would work in more memory than there is
};

/// How inspect ends the sentence that the requested candidate's name begins.
[[nodiscard]] constexpr std::string_view reason(Instead why) noexcept {
  switch (why) {
    case Instead::as_requested:
      return "";
    case Instead::limits:
      return "cannot take these rows";
    case Instead::only_counts:
      return "only counts";
    case Instead::isolated:
      return "would get too few rows together";
    case Instead::memory:
      return "would work in more memory than the limit leaves";
  }
  return "";
}

/// By default kCandidates[0] for rows without products: there is nothing to do, whoever does it.
struct Choice {
  CandidateId requested = 0;
  CandidateId chosen = 0;
  Instead instead = Instead::as_requested;

  [[nodiscard]] constexpr bool operator==(const Choice&) const noexcept = default;
};

/// Why `requested` is refused rows that exceed no memory limit.
[[nodiscard]] constexpr Instead refusal(Phase phase, CandidateId requested) noexcept {
  return phase == Phase::numeric && kCandidates[requested].counts_only ? Instead::only_counts : Instead::limits;
}

/// The candidates that a policy's tree ranks for these features, or the forced one alone.
[[nodiscard]] constexpr Ranking ranking(const Tree& tree, const FeatureVector& features,
                                        std::optional<CandidateId> forced) noexcept {
  if (!forced) return evaluate(tree, features);
  Ranking one;
  one.outcome[one.count++] = *forced;
  return one;
}

/// The first of the ranking that is feasible(id), else the first one along the fallbacks of ranked[0] that is; where
/// there is none, otherwise(). why(requested) is asked where that is another one.
template <class Feasible, class Why, class Otherwise>
[[nodiscard]] constexpr Choice choose(const Ranking& ranked, const Feasible& feasible, const Why& why,
                                      const Otherwise& otherwise) noexcept {
  const CandidateId requested = ranked[0];
  std::optional<CandidateId> chosen;
  for (const CandidateId id : ranked)
    if (!chosen && feasible(id)) chosen = id;
  if (!chosen) chosen = along_fallbacks(requested, feasible);
  if (!chosen) chosen = otherwise();
  return {requested, *chosen, *chosen == requested ? Instead::as_requested : why(requested)};
}

/// The policy's decision for a phase.
[[nodiscard]] constexpr Decision decision_of(Phase phase) noexcept {
  return phase == Phase::symbolic ? Decision::symbolic : Decision::numeric;
}

}  // namespace rowan
