#include "lib/device/pipeline/engine.hpp"

#include <charconv>

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

std::uint8_t forced_candidate(const std::string& force) {
  if (force.empty()) return kNotForced;
  const auto id = candidate_named(std::string_view(force).substr(0, force.find(':')), on_devices);
  if (id && on_devices(*id)) return *id;
  std::string all;
  for (std::size_t i = 0; i < kCandidates.size(); i++)
    if (on_devices(static_cast<CandidateId>(i))) all += (all.empty() ? "" : ", ") + std::string(kCandidates[i].name);
  throw Error(ErrorCode::invalid_argument, "force is \"" + force + "\", which devices do not have; they have " + all);
}

/// "hash:8": eight lanes walk one row of B; 0 where `force` does not say.
int forced_group(const std::string& force) {
  const std::size_t colon = force.find(':');
  if (colon == std::string::npos) return 0;
  const std::string text = force.substr(colon + 1);
  int lanes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), lanes);
  if (error == std::errc() && end == text.data() + text.size() && is_group(lanes)) return lanes;
  throw Error(
      ErrorCode::invalid_argument,
      "force is \"" + force + "\": lanes that walk one row of B are 1, 2, 4, 8, 16, 32 or 64, not \"" + text + "\"");
}

/// Whether the policy, or `force` in its place, may request a candidate that says so of itself.
bool may_request(const Policy& policy, std::uint8_t forced, bool Candidate::*says) {
  for (std::size_t i = 0; i < kCandidates.size(); i++) {
    const auto id = static_cast<CandidateId>(i);
    if (!on_devices(id) || !(kCandidates[id].*says)) continue;
    if (forced != kNotForced ? forced == id
                             : ranks(policy.tree(Decision::symbolic), id) || ranks(policy.tree(Decision::numeric), id))
      return true;
  }
  return false;
}

}  // namespace

Engine::Engine(int ordinal, const Policy& policy, const std::string& force, bool deterministic,
               const DeviceAllocator& allocator, bool small_path, bool races)
    : info_(device::info(ordinal)),
      pool_(ordinal, allocator),
      policy_(policy),
      forced_(forced_candidate(force)),
      forced_group_(forced_group(force)),
      short_rows_(may_request(policy, forced_, &Candidate::short_rows)),
      shifts_(may_request(policy, forced_, &Candidate::needs_shifts) || policy.uses(Feature::shift_ratio)),
      runs_(shifts_ || may_request(policy, forced_, &Candidate::needs_runs) || policy.uses(Feature::run_ratio)),
      one_phase_(forced_ == kNotForced && short_rows_ &&
                 ranks(policy.tree(Decision::method), static_cast<std::uint8_t>(Method::one_phase))),
      deterministic_(deterministic),
      small_path_(small_path),
      races_on_(races) {}

Rules Engine::rules(std::int64_t columns, std::size_t value_bytes) const noexcept {
  return {.forced = forced_,
          .forced_group = forced_group_,
          .columns = columns,
          .value_bytes = value_bytes,
          .shared_limit = info_.shared_limit,
          .wave = info_.wave,
          .short_rows = short_rows_,
          .room = {policy_.tables.slots_per_entry.symbolic, policy_.tables.slots_per_entry.numeric},
          .tables = policy_.tables};
}

}  // namespace rowan::device::inline ROWAN_BACKEND
