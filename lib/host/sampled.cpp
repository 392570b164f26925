#include "lib/host/sampled.hpp"

#include "features/sample.hpp"
#include "lib/core/far.hpp"
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
Extent widest(const Pattern& a, const Pattern& b, const UnmeasuredRows& rows) {
  return {.nprod_max = rows.longest,
          .bound_max = std::min(rows.longest, b.cols),
          .span_max = b.cols,
          .a_nnz_max = a.nnz(),
          .columns = b.cols,
          .b_rows = b.rows,
          .sorted_b = false,
          .near_b = is_far(b) && meets_same_lines(a, b),
          .widest_per_product = b.cols / std::max<std::int64_t>(rows.nprod, 1)};
}

/// Those that the policy ranks before "measure" and that take the rows, best first.
std::vector<CandidateId> able(const Policy& policy, const FeatureVector& features, const Extent& extent) {
  std::vector<CandidateId> list;
  for (const std::uint8_t outcome : evaluate(policy.tree(Decision::sampled), features)) {
    if (outcome == kMeasure || list.size() == BlockRace::kMost) break;
    if (kCandidates[outcome].feasible_unmeasured(extent)) list.push_back(outcome);
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

}  // namespace

std::optional<Decided> decide_sampled(const Pattern& a, const Pattern& b, const Settings& settings, const Team& team,
                                      Stats& stats) {
  if (!settings.options.force.empty() || !may_sample(settings.policy) || a.rows == 0 || heavy(a, b))
    return std::nullopt;
  const Policy& policy = settings.policy;
  FeatureVector features;
  UnmeasuredRows rows;
  {
    const Timer timer(stats.features);
    features = sample_features(a, b);
    if (evaluate(policy.tree(Decision::sampled), features)[0] == kMeasure) return std::nullopt;  // nothing was lost
    rows = cut_unmeasured(a, b, static_cast<std::int64_t>(features[index(Feature::nprod)]), team);
    if (rows.nprod == 0 || rows.nprod > kMaxOffset) return std::nullopt;
    features = counted(features, a, rows);
  }
  const Timer timer(stats.deciding);
  const Extent extent = widest(a, b, rows);
  std::vector<CandidateId> contestants = able(policy, features, extent);
  if (contestants.empty()) return std::nullopt;
  const CandidateId requested = evaluate(policy.tree(Decision::sampled), features)[0], chosen = contestants[0];

  Decided d;
  Tally all{.rows = a.rows};
  all.nprod = all.bound = static_cast<Offset>(rows.nprod), all.nprod_max = static_cast<Offset>(rows.longest);
  all.bound_max = static_cast<Offset>(extent.bound_max), all.span_max = b.cols;
  all.a_nnz = all.a_nnz_max = static_cast<Offset>(a.nnz());
  d.measured.a = d.measured.b = std::make_shared<const PatternFacts>();
  d.measured.all = all, d.measured.columns = b.cols;
  d.record = {.policy = policy, .features = features, .sampled = true, .bins = one_bin(all), .decisions = {}};
  d.record.decisions.push_back(
      {.bin = d.record.bins.bins[0],
       .extent = extent,
       .features = features,
       .numeric = {requested, chosen, requested == chosen ? Instead::as_requested : Instead::limits}});
  if (rows.nprod >= kRacedFrom && contestants.size() > 1) d.record.raced = std::move(contestants);
  d.chunks = std::move(rows.chunks);
  stats.policy = policy.name, stats.method = Method::one_phase, stats.sampled = true, stats.nprod = rows.nprod;
  return d;
}

}  // namespace rowan
