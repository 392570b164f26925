#include "lib/host/in_context.hpp"

#include <algorithm>
#include <vector>

namespace rowan {
namespace {

/// How many fallbacks may stand behind a candidate: those with none are corrected first.
int depth(CandidateId id) {
  int n = 0;
  while (!kCandidates[id].fallback.empty()) id = *candidate_named(kCandidates[id].fallback), n++;
  return n;
}

}  // namespace

CandidateSeconds context_factors(std::span<const CandidateSeconds> bins, const CandidateSeconds& forced) {
  constexpr double kMost = 2;         // times as much or as little: more is a mistake in the measurement
  constexpr double kLeastShare = .2;  // of the forced phase: a smaller part says little about the candidate
  CandidateSeconds factors;
  factors.fill(1);
  std::vector<CandidateId> order;
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    if (forced[id] != 0) order.push_back(static_cast<CandidateId>(id));
  std::stable_sort(order.begin(), order.end(), [](CandidateId a, CandidateId b) { return depth(a) < depth(b); });
  for (const CandidateId id : order) {
    double own = 0, others = 0;
    for (const CandidateSeconds& bin : bins) {
      const CandidateId does = measured_or_fallback(id, bin);
      (does == id ? own : others) += bin[does] * factors[does];
    }
    if (own < kLeastShare * (own + others)) continue;
    factors[id] = std::clamp((forced[id] - others) / own, 1 / kMost, kMost);
  }
  return factors;
}

}  // namespace rowan
