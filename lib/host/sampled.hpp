#pragma once
// Products of which no row is measured: one candidate multiplies all rows, chosen from a sample of them. Where rows
// have few products, measuring them takes as long as multiplying them.
#include <optional>

#include "lib/host/decided.hpp"

namespace rowan {

/// Products up to which one worker is faster than waking another, where rows are not measured; and where every worker
/// makes something of a B of few columns first, of which a product takes a third (A·P of 91,125 products: 131 us, by
/// two workers 141 to 224).
inline constexpr std::int64_t kSampledAlone = 50000, kFewColumnsAlone = 150000;
/// The same by what multiplies all rows.
[[nodiscard]] constexpr std::int64_t alone_up_to(CandidateId chosen) noexcept {
  return kCandidates[chosen].max_columns == kNoLimit ? kSampledAlone : kFewColumnsAlone;
}
/// Products from which several candidates are raced: 32 chunks of the least size. With fewer the first of the
/// ranking does all.
inline constexpr std::int64_t kRacedFrom = 1 << 15;

/// One bin of all rows and what multiplies them, or nothing where the policy wants rows measured (as where an
/// accumulator is forced, or no candidate that it names is feasible). O(rows + nnz of A) and the sample.
[[nodiscard]] std::optional<Decided> decide_sampled(const Pattern& a, const Pattern& b, const Settings& settings,
                                                    const Team& team, Stats& stats);

}  // namespace rowan
