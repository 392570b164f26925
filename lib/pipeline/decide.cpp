#include "lib/pipeline/decide.hpp"

#include <bit>
#include <optional>

namespace rowan {
namespace {

Choice choose(const Tree& tree, const BinDecision& d, std::string_view force) {
  if (!force.empty()) {
    const CandidateId asked = *candidate_named(force);
    return {asked, feasible_or_fallback(asked, d.extent)};
  }
  const auto ranked = evaluate(tree, d.features);
  for (const CandidateId id : ranked)
    if (kCandidates[id].feasible(d.extent)) return {ranked[0], id};
  return {ranked[0], feasible_or_fallback(ranked[0], d.extent)};
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
          better_unsorted(d.bin.tally, *together))
        d.numeric.chosen = kWindow, changed = true;
  }
}

}  // namespace

Record decide_matrix(const Measured& measured, const Policy& policy) {
  Record record{.policy = policy, .features = features_of(measured.all, measured), .bins = {}, .decisions = {}};
  record.binned = evaluate(policy.tree(Decision::use_binning), record.features)[0] != 0;
  record.asked_method = static_cast<Method>(evaluate(policy.tree(Decision::method), record.features)[0]);
  return record;
}

void bin(Measured& measured, Record& record) {
  record.bins = record.binned ? std::move(measured.bins) : one_bin(measured.all);
}

void decide_bins(const Measured& measured, std::string_view force, Record& record, bool symbolic) {
  record.decisions.clear();
  for (const Bin& bin : record.bins.bins) {
    const Tally& t = bin.tally;
    BinDecision d{.bin = bin,
                  .extent = {.nprod_max = t.nprod_max,
                             .bound_max = t.bound_max,
                             .span_max = t.span_max,
                             .a_nnz_max = t.a_nnz_max,
                             .sorted_b = measured.b->sorted,
                             .runs = t.in_runs == t.rows,
                             .shifts = t.in_shifts == t.rows},
                  .features = features_of(t, measured)};
    // nothing to do, and nothing that any candidate would do: a direct row without entries
    if (!bin.key.empty()) d.numeric = choose(record.policy.tree(Decision::numeric), d, force);
    record.decisions.push_back(d);
  }
  if (force.empty()) join_alternating(measured, record);
  if (symbolic) decide_symbolic(force, record);
}

void decide_symbolic(std::string_view force, Record& record) {
  for (BinDecision& d : record.decisions)
    if (!d.bin.key.empty()) d.symbolic = choose(record.policy.tree(Decision::symbolic), d, force);
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
    d.numeric = choose(record.policy.tree(Decision::numeric), d, force);
  }
  if (force.empty()) join_alternating(measured, record);
}

}  // namespace rowan
