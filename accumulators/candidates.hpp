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
    direct::repeat,
    sort::candidate,
    sort::vector,
    sort::merge,
    dense::window,
    dense::run,
    dense::rank,
    dense::spa,
    dense::narrow,
    dense::dense_b,
    hash::candidate,
    hash::registers,
};
// clang-format on

/// Index into kCandidates.
using CandidateId = std::uint8_t;

/// Some families, in the order of their first members.
struct Families {
  std::array<std::string_view, kCandidates.size()> name{};
  std::size_t count = 0;
  [[nodiscard]] constexpr const std::string_view* begin() const noexcept { return name.data(); }
  [[nodiscard]] constexpr const std::string_view* end() const noexcept { return name.data() + count; }
};
/// Those that no member is named after: "dense". All other families' names are candidates' names.
inline constexpr Families kFamilies = [] {
  Families all;
  for (const Candidate& c : kCandidates) {
    bool known = false;
    for (const Candidate& other : kCandidates) known |= other.name == c.family;
    for (const std::string_view family : all) known |= family == c.family;
    if (!known) all.name[all.count++] = c.family;
  }
  return all;
}();

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

/// The one candidate that says so of itself.
[[nodiscard]] constexpr CandidateId candidate_that(bool Candidate::*says) noexcept {
  CandidateId id = 0;
  while (!(kCandidates[id].*says)) id++;
  return id;
}

/// Takes the rows that no other candidate can, on hosts and devices.
inline constexpr CandidateId kLastResort = candidate_that(&Candidate::last_resort);

/// `id` where `takes` lets it through, else the first along its fallbacks that it does; empty where there is none.
template <class Takes>
[[nodiscard]] constexpr std::optional<CandidateId> along_fallbacks(CandidateId id, const Takes& takes) noexcept {
  std::optional<CandidateId> next = id;
  while (next && !takes(*next)) next = candidate_named(kCandidates[*next].fallback);
  return next;
}

}  // namespace rowan
