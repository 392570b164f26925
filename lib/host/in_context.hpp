#pragma once
// Times of bins measured one by one, made to agree with the whole phases in which they run: there bins take turns row
// by row, and C goes to memory.
#include <array>
#include <span>

#include "accumulators/candidates.hpp"

namespace rowan {

/// Seconds by candidate; 0 where it was not measured.
using CandidateSeconds = std::array<double, kCandidates.size()>;

[[nodiscard]] constexpr bool was_measured(double seconds) noexcept {
  return seconds != 0;
}

/// The candidate that does a bin's rows where `id` is requested: along the fallbacks to one that was measured. `times`:
/// of the bin, by candidate.
template <class Times>
[[nodiscard]] constexpr CandidateId measured_or_fallback(CandidateId id, const Times& times) noexcept {
  return along_fallbacks(id, [&](CandidateId other) { return was_measured(times[other]); }).value_or(kLastResort);
}

/// A factor for each candidate's times of bins, by which they add up to the whole phase with that candidate forced:
/// `forced`, with its fallbacks for rows that it cannot take. 1 where nothing tells.
[[nodiscard]] CandidateSeconds context_factors(std::span<const CandidateSeconds> bins, const CandidateSeconds& forced);

}  // namespace rowan
