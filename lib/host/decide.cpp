#include "lib/host/decide.hpp"

#include <optional>

#include "lib/choose/alternating.hpp"
#include "lib/choose/extent.hpp"

namespace rowan {
namespace {

/// The candidate that works in least memory of those that can take the rows.
CandidateId smallest(const Extent& extent, const ScratchLimit& limit) {
  std::optional<CandidateId> least;
  for (std::size_t id = 0; id < kCandidates.size(); id++)
    if (kCandidates[id].feasible(extent) &&
        (!least || limit.needed(kCandidates[id], extent) < limit.needed(kCandidates[*least], extent)))
      least = static_cast<CandidateId>(id);
  return *least;  // the last of each chain of fallbacks takes any rows
}

/// The choice of a phase for a bin: candidates that are feasible within the limit on scratch, else the one that works
/// in least memory. `force`: as decide_bins().
Choice choice_for(Phase phase, const BinDecision& d, std::string_view force, const Record& record) {
  const ScratchLimit& limit = record.scratch;
  return choose(
      ranking(record.policy.tree(decision_of(phase)), d.features,
              force.empty() ? std::nullopt : candidate_named(force)),
      [&](CandidateId id) { return kCandidates[id].feasible(d.extent) && limit.allows(kCandidates[id], d.extent); },
      [&](CandidateId requested) {
        return kCandidates[requested].feasible(d.extent) ? Instead::memory : refusal(phase, requested);
      },
      [&] { return smallest(d.extent, limit); });
}

}  // namespace

Extent extent_of(const Tally& t, const Measured& measured) noexcept {
  Extent e = extent_of(t, measured.b->sorted, measured.all.nprod);
  e.columns = measured.columns, e.b_rows = measured.b_rows;
  e.b_uses = measured.all.a_nnz / std::max<std::int64_t>(measured.b_rows, 1);
  e.single_b = measured.single_b;
  return e;
}

Record decide_matrix(const Measured& measured, const Policy& policy) {
  Record record{.policy = policy, .features = features_of(measured.all, measured), .bins = {}, .decisions = {}};
  record.binned = evaluate(policy.tree(Decision::use_binning), record.features)[0] != 0;
  record.requested_method = static_cast<Method>(evaluate(policy.tree(Decision::method), record.features)[0]);
  return record;
}

void bin(Measured& measured, Record& record) {
  record.bins = record.binned ? std::move(measured.bins) : one_bin(measured.all);
}

void decide_bins(const Measured& measured, std::string_view force, Record& record, bool symbolic) {
  record.decisions.clear();
  for (const Bin& bin : record.bins.bins) {
    const Tally& t = bin.tally;
    BinDecision d{.bin = bin, .extent = extent_of(t, measured), .features = features_of(t, measured)};
    // nothing to do, and nothing that any candidate would do: a direct row without entries
    if (!bin.key.empty()) d.numeric = choice_for(Phase::numeric, d, force, record);
    record.decisions.push_back(d);
  }
  if (force.empty()) merge_alternating_bins(record, static_cast<std::int64_t>(measured.rows.size()));
  if (symbolic) decide_symbolic(force, record);
}

void decide_symbolic(std::string_view force, Record& record) {
  for (BinDecision& d : record.decisions)
    if (!d.bin.key.empty()) d.symbolic = choice_for(Phase::symbolic, d, force, record);
}

void limit_scratch(Record& record, Phase phase, std::string_view force, ScratchLimit limit) {
  record.scratch = limit;
  for (BinDecision& d : record.decisions)
    if (!d.bin.key.empty()) d.of(phase) = choice_for(phase, d, force, record);
}

void decide_again(const Measured& measured, const Offset* row_ptr, std::string_view force, Record& record) {
  std::vector<Tally> exact(record.decisions.size());
  const auto rows = static_cast<std::int64_t>(measured.rows.size());
  for (std::int64_t i = 0; i < rows; i++) {
    Tally& t = exact[static_cast<std::size_t>(record.bins.of(i))];
    const auto nnz = static_cast<Offset>(row_ptr[i + 1] - row_ptr[i]);
    t.bound += nnz, t.bound_max = std::max(t.bound_max, nnz);
  }
  for (std::size_t b = 0; b < exact.size(); b++) {
    BinDecision& d = record.decisions[b];
    if (d.bin.key.empty()) continue;
    Tally t = d.bin.tally;
    t.bound = exact[b].bound, t.bound_max = exact[b].bound_max;
    d.features = features_of(t, measured);
    d.numeric = choice_for(Phase::numeric, d, force, record);
  }
  if (force.empty()) merge_alternating_bins(record, static_cast<std::int64_t>(measured.rows.size()));
}

}  // namespace rowan
