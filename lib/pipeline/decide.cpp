#include "lib/pipeline/decide.hpp"

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
}

}  // namespace rowan
