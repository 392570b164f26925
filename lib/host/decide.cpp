#include "lib/host/decide.hpp"

#include <bit>
#include <optional>

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

Choice choose(const Tree& tree, const BinDecision& d, std::string_view force, const ScratchLimit& limit) {
  const auto first_allowed = [&](CandidateId wanted, const auto& others) {
    const bool feasible = kCandidates[wanted].feasible(d.extent);
    const Instead instead = feasible ? Instead::scratch : Instead::limits;
    if (feasible && limit.allows(kCandidates[wanted], d.extent)) return Choice{wanted, wanted};
    for (const CandidateId id : others)
      if (kCandidates[id].feasible(d.extent) && limit.allows(kCandidates[id], d.extent))
        return Choice{wanted, id, instead};
    for (std::optional<CandidateId> id = wanted; id; id = candidate_named(kCandidates[*id].fallback))
      if (kCandidates[*id].feasible(d.extent) && limit.allows(kCandidates[*id], d.extent))
        return Choice{wanted, *id, instead};
    const CandidateId id = smallest(d.extent, limit);
    return Choice{wanted, id, id == wanted ? Instead::as_wanted : instead};
  };
  if (!force.empty()) return first_allowed(*candidate_named(force), std::array<CandidateId, 0>{});
  const auto ranked = evaluate(tree, d.features);
  return first_allowed(ranked[0], ranked);
}

constexpr CandidateId kSort = *candidate_named("sort"), kWindow = *candidate_named("dense-window");

/// How many rows that `sort` gets follow one another, on average, where dense-window's are between them: from 64 pieces
/// of 64 rows. Empty where none are between.
std::optional<double> rows_together(const Record& record, std::int64_t rows) {
  constexpr std::int64_t kPiece = 64, kPieces = 64;
  std::int64_t sorted = 0, changes = 0;
  for (std::int64_t from = 0; from < rows; from += std::max(kPiece, rows / kPieces)) {
    std::optional<CandidateId> before;
    for (std::int64_t i = from; i < std::min(rows, from + kPiece); i++) {
      const BinDecision& d = record.decisions[static_cast<std::size_t>(record.bins.of(i))];
      if (d.bin.key.empty()) continue;
      const CandidateId id = d.numeric.chosen;
      sorted += id == kSort ? 1 : 0;
      changes += before && *before != id && (id == kSort || id == kWindow) && (*before == kSort || *before == kWindow);
      before = id;
    }
  }
  if (changes == 0) return std::nullopt;
  return 2.0 * static_cast<double>(sorted) / static_cast<double>(changes);
}

/// Whether a bin's rows, sorted `together` at a time, are better off in a window. Each stretch of them ends in a batch
/// that is not full, and a batch takes as many steps for one row as for one in each lane: k^2 + k for each four of 2^k
/// keys. A window looks through a word for 64 columns, four of which take about as long as a step. (Zen 4:
/// wing_nodal 12.2 -> 6.7 ms, pubmed_graph 10.6 -> 7.1, copter2 37.8 -> 30.7.)
bool better_unsorted(const Tally& t, double together) {
  constexpr double kWordsAStep = 4;
  const auto mean = static_cast<std::uint64_t>(t.nprod / t.rows);
  const auto k = static_cast<int>(std::bit_width(mean > 0 ? mean - 1 : 0));
  const double steps = (k * k + k) / 4.0 * static_cast<double>(std::uint64_t{1} << k) / together;
  const std::int64_t span = t.span / t.rows;
  return steps * kWordsAStep > static_cast<double>(span) / 64;
}

/// Bins are measured and chosen for each by itself, but `sort` lives on consecutive rows, which it takes together.
/// Where its rows and dense-window's alternate, those go to dense-window that cost more alone; what is left is more
/// alone than before.
void join_alternating(const Measured& measured, Record& record) {
  if (record.decisions.size() < 2) return;
  for (bool changed = true; changed;) {
    const auto together = rows_together(record, static_cast<std::int64_t>(measured.rows.size()));
    if (!together) return;
    changed = false;
    for (BinDecision& d : record.decisions)
      if (d.numeric.chosen == kSort && !d.bin.key.empty() && !d.bin.key.wide() &&
          kCandidates[kWindow].feasible(d.extent) && record.scratch.allows(kCandidates[kWindow], d.extent) &&
          better_unsorted(d.bin.tally, *together))
        d.numeric = {d.numeric.requested, kWindow, d.numeric.requested == kSort ? Instead::alone : Instead::limits},
        changed = true;
  }
}

}  // namespace

Extent extent_of(const Tally& t, const Measured& measured) noexcept {
  return extent_of(t, measured.b->sorted, measured.all.nprod);
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
    if (!bin.key.empty()) d.numeric = choose(record.policy.tree(Decision::numeric), d, force, record.scratch);
    record.decisions.push_back(d);
  }
  if (force.empty()) join_alternating(measured, record);
  if (symbolic) decide_symbolic(force, record);
}

void decide_symbolic(std::string_view force, Record& record) {
  for (BinDecision& d : record.decisions)
    if (!d.bin.key.empty()) d.symbolic = choose(record.policy.tree(Decision::symbolic), d, force, record.scratch);
}

void limit_scratch(Record& record, Phase phase, std::string_view force, ScratchLimit limit) {
  record.scratch = limit;
  const Decision decision = phase == Phase::symbolic ? Decision::symbolic : Decision::numeric;
  for (BinDecision& d : record.decisions)
    if (!d.bin.key.empty())
      (phase == Phase::symbolic ? d.symbolic : d.numeric) = choose(record.policy.tree(decision), d, force, limit);
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
    d.numeric = choose(record.policy.tree(Decision::numeric), d, force, record.scratch);
  }
  if (force.empty()) join_alternating(measured, record);
}

}  // namespace rowan
