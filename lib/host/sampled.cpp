#include "lib/host/sampled.hpp"

#include "features/sample.hpp"
#include "lib/core/far.hpp"
#include "lib/core/single_entries.hpp"
#include "lib/host/block_race.hpp"
#include "lib/host/timer.hpp"

namespace rowan {
namespace {

bool may_sample(const Policy& policy) {
  const Tree& tree = policy.tree(Decision::sampled);
  return std::ranges::any_of(tree.ranked, [](std::uint8_t outcome) { return outcome != kMeasure; });
}

/// Whether sizes alone say that rows have so many products that measuring them costs little.
bool heavy(const Pattern& a, const Pattern& b) {
  constexpr double kHeavy = 4096;  // products of a row
  const auto pairs = static_cast<double>(a.nnz()) * static_cast<double>(b.nnz());
  return pairs > kHeavy * static_cast<double>(a.rows) * static_cast<double>(b.rows);
}

/// What is known of all rows without measuring one.
Extent widest(const Pattern& a, const Pattern& b, const UnmeasuredRows& rows, int workers) {
  return {.nprod_max = rows.longest,
          .bound_max = std::min(rows.longest, b.cols),
          .span_max = b.cols,
          .a_nnz_max = a.nnz(),
          .columns = b.cols,
          .b_rows = b.rows,
          .b_uses = a.nnz() / std::max<std::int64_t>(b.rows * workers, 1),
          .sorted_b = false,
          .near_b = is_far(b) && meets_same_lines(a, b),
          .widest_per_product = b.cols / std::max<std::int64_t>(rows.nprod, 1)};
}

/// Those that the policy ranks before "measure" and that take the rows, best first. Where nothing need be sorted, one
/// that sorts nothing is ahead of all (20 products A P of multigrid: 1.2 times as fast, up to 1.7), and the others race
/// it: on meshes and road-like graphs they are up to 1.7 times as fast nevertheless. Those for a B of few columns sort
/// nothing either, and have their preparation in their first blocks, so that they would lose a race that they win.
std::vector<CandidateId> able(const Policy& policy, const FeatureVector& features, const Extent& extent,
                              bool any_order) {
  constexpr CandidateId kSortsNothing = *candidate_named("dense-spa");
  const auto ranked = evaluate(policy.tree(Decision::sampled), features);
  const bool measured = ranked[0] == kMeasure, sorts = !measured && kCandidates[ranked[0]].max_columns == kNoLimit;
  std::vector<CandidateId> list;
  if (any_order && sorts && kCandidates[kSortsNothing].feasible_unmeasured(extent)) list.push_back(kSortsNothing);
  for (const std::uint8_t outcome : ranked) {
    if (outcome == kMeasure || list.size() == BlockRace::kMost) break;
    if (std::ranges::find(list, outcome) == list.end() && kCandidates[outcome].feasible_unmeasured(extent))
      list.push_back(outcome);
  }
  return list;
}

/// The sample's features, with what counting told.
FeatureVector counted(FeatureVector features, const Pattern& a, const UnmeasuredRows& rows) {
  const auto set = [&](Feature f, double value) { features[index(f)] = static_cast<float>(value); };
  const auto nprod = static_cast<double>(rows.nprod);
  set(Feature::nprod, nprod), set(Feature::nprod_avg, nprod / static_cast<double>(a.rows));
  set(Feature::nprod_max, static_cast<double>(rows.longest));
  set(Feature::b_row_avg, nprod / static_cast<double>(a.nnz()));
  return features;
}

/// Chunks of rows of about `nprod` products. Where each row of B has one entry, B is not looked at.
UnmeasuredRows cut(const Pattern& a, const Pattern& b, SingleEntries single_b, std::int64_t nprod, const Team& team) {
  const bool one_each = single_b != SingleEntries::no && b.nnz() == b.rows;
  return one_each ? cut_by_entries(a, team) : cut_unmeasured(a, b, nprod, team);
}

/// One bin of all rows for the first of `contestants`, though the policy would have had `requested`.
Decided decided(const Policy& policy, const FeatureVector& features, const Pattern& a, UnmeasuredRows rows,
                const Extent& extent, CandidateId requested, std::vector<CandidateId> contestants) {
  const CandidateId chosen = contestants[0];
  Decided d;
  Tally all{.rows = a.rows};
  all.nprod = all.bound = static_cast<Offset>(rows.nprod), all.nprod_max = static_cast<Offset>(rows.longest);
  all.bound_max = static_cast<Offset>(extent.bound_max), all.span_max = extent.columns;
  all.a_nnz = all.a_nnz_max = static_cast<Offset>(a.nnz());
  d.measured.a = d.measured.b = std::make_shared<const PatternFacts>();
  d.measured.all = all, d.measured.columns = extent.columns;
  d.record = {.policy = policy, .features = features, .sampled = true, .bins = one_bin(all), .decisions = {}};
  d.record.decisions.push_back(
      {.bin = d.record.bins.bins[0],
       .extent = extent,
       .features = features,
       .numeric = {requested, chosen, requested == chosen ? Instead::as_requested : Instead::limits}});
  if (rows.nprod >= kRacedFrom && contestants.size() > 1) d.record.raced = std::move(contestants);
  d.chunks = std::move(rows.chunks);
  return d;
}

/// Whether all rows of C are copies, of B's rows or of A's: no policy has anything better, and no row is looked at.
std::optional<Decided> decide_copies(const Pattern& a, const Pattern& b, SingleEntries single_b, const Policy& policy,
                                     const Team& team, Stats& stats) {
  const bool of_b = has_single_entries(a);
  if (!of_b && single_b < SingleEntries::never_fall) return std::nullopt;
  const Timer timer(stats.features);
  FeatureVector features = sample_features(a, b);
  UnmeasuredRows rows = cut(a, b, single_b, static_cast<std::int64_t>(features[index(Feature::nprod)]), team);
  if (rows.nprod == 0 || rows.nprod > kMaxOffset) return std::nullopt;
  features = counted(features, a, rows);
  Extent extent = widest(a, b, rows, team.size());
  extent.single_b = single_b, extent.a_nnz_max = of_b ? 1 : a.nnz();
  constexpr CandidateId kCopies = candidate_that(&Candidate::cheapest);
  Decided d = decided(policy, features, a, std::move(rows), extent, kCopies, {kCopies});
  d.record.copies = of_b ? "A's rows have one entry at most: copies of rows of B"
                         : "B's rows have one entry at most, and columns never fall: copies of rows of A";
  return d;
}

/// What the policy decides by a sample.
std::optional<Decided> decide_by_sample(const Pattern& a, const Pattern& b, SingleEntries single_b,
                                        const Settings& settings, const Team& team, Stats& stats) {
  const Policy& policy = settings.policy;
  if (!may_sample(policy) || heavy(a, b)) return std::nullopt;
  FeatureVector features;
  UnmeasuredRows rows;
  int workers = 1;
  {
    const Timer timer(stats.features);
    features = sample_features(a, b);
    // what is made of B each worker makes for itself
    if (features[index(Feature::nprod)] > static_cast<float>(kFewColumnsAlone)) workers = team.size();
    features[index(Feature::b_uses)] /= static_cast<float>(workers);
    if (evaluate(policy.tree(Decision::sampled), features)[0] == kMeasure) return std::nullopt;  // nothing was lost
    rows = cut(a, b, single_b, static_cast<std::int64_t>(features[index(Feature::nprod)]), team);
    if (rows.nprod == 0 || rows.nprod > kMaxOffset) return std::nullopt;
    features = counted(features, a, rows);
  }
  const Timer timer(stats.deciding);
  Extent extent = widest(a, b, rows, workers);
  extent.single_b = single_b;
  std::vector<CandidateId> contestants = able(policy, features, extent, settings.any_order);
  if (contestants.empty()) return std::nullopt;
  const CandidateId requested = evaluate(policy.tree(Decision::sampled), features)[0];
  Decided d = decided(policy, features, a, std::move(rows), extent, requested, std::move(contestants));
  d.record.any_order = settings.any_order;
  return d;
}

}  // namespace

std::optional<Decided> decide_sampled(const Pattern& a, const Pattern& b, const Settings& settings, const Team& team,
                                      Stats& stats) {
  if (!settings.options.force.empty() || a.rows == 0) return std::nullopt;
  const SingleEntries single_b = single_entries(b);
  std::optional<Decided> d = decide_copies(a, b, single_b, settings.policy, team, stats);
  if (!d) d = decide_by_sample(a, b, single_b, settings, team, stats);
  if (!d) return std::nullopt;
  stats.policy = settings.policy.name, stats.method = Method::one_phase, stats.sampled = true;
  stats.nprod = d->measured.all.nprod, stats.method_reason = d->record.copies;
  return d;
}

}  // namespace rowan
