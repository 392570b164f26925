#pragma once
// Times of bins measured one by one, made to agree with the whole phases in which they run: there bins take turns row
// by row, and C goes to memory.
#include <array>
#include <span>

#include "accumulators/candidates.hpp"

namespace rowan {

/// Seconds by candidate; 0 where it was not measured.
using CandidateSeconds = std::array<double, kCandidates.size()>;

/// The candidate that does a bin's rows where `id` is wanted: along the fallbacks to one that was measured; hash where
/// none of them was.
[[nodiscard]] CandidateId measured_or_fallback(CandidateId id, const CandidateSeconds& bin) noexcept;

/// A factor for each candidate's times of bins, by which they add up to the whole phase with that candidate forced:
/// `forced`, with its fallbacks for rows that it cannot take. 1 where nothing tells.
[[nodiscard]] CandidateSeconds context_factors(std::span<const CandidateSeconds> bins, const CandidateSeconds& forced);

}  // namespace rowan
