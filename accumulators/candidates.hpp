#pragma once
// The candidate array: the trainer, inspect, --force and the tests are driven by it. A new accumulator is a line here.
#include <array>
#include <optional>

#include "accumulators/candidate.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/direct/candidate.hpp"
#include "accumulators/hash/candidate.hpp"
#include "accumulators/hash/registers.hpp"
#include "accumulators/sort/candidate.hpp"

namespace rowan {

/// In order of preference where nothing else tells.
// clang-format off
inline constexpr std::array kCandidates{
    direct::candidate,
    direct::shift,
    sort::candidate,
    sort::merge,
    dense::window,
    dense::run,
    dense::rank,
    hash::candidate,
    hash::registers,
};
// clang-format on

/// Index into kCandidates.
using CandidateId = std::uint8_t;

/// By its own name, else by its family's: the family's first member that the backend has, which `has` tells, and that
/// takes rows whatever their neighbours are. "dense" is dense-window on a host and dense-rank on a device.
template <class Has>
[[nodiscard]] constexpr std::optional<CandidateId> candidate_named(std::string_view name, const Has& has) noexcept {
  for (std::size_t i = 0; i < kCandidates.size(); i++)
    if (kCandidates[i].name == name) return static_cast<CandidateId>(i);
  for (std::size_t i = 0; i < kCandidates.size(); i++) {
    const Candidate& c = kCandidates[i];
    if (c.family == name && !c.needs_runs && !c.needs_shifts && has(static_cast<CandidateId>(i)))
      return static_cast<CandidateId>(i);
  }
  return std::nullopt;
}
/// The same on the host.
[[nodiscard]] constexpr std::optional<CandidateId> candidate_named(std::string_view name) noexcept {
  return candidate_named(name, [](CandidateId id) { return kCandidates[id].on_host; });
}

/// `id` where it is feasible, else the first feasible one along the fallbacks; each chain ends at one without limits.
[[nodiscard]] constexpr CandidateId feasible_or_fallback(CandidateId id, const Extent& extent) noexcept {
  while (!kCandidates[id].feasible(extent)) id = *candidate_named(kCandidates[id].fallback);
  return id;
}

}  // namespace rowan
