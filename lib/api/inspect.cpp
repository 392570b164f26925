// The decision record, told in names.
#include <cmath>

#include "lib/api/on_device.hpp"
#include "lib/api/shares.hpp"
#include "lib/api/state.hpp"
#include "lib/core/border.hpp"
#include "lib/host/report.hpp"
#include "lib/host/sampled.hpp"
#include "lib/host/sized_product.hpp"
#include "lib/host/small.hpp"
#include "lib/host/trial.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr int kRepeats = 3;

void predict_times(const Tree& costs, const FeatureVector& features, std::vector<CandidateReport>& candidates) {
  double fastest = 0;
  for (std::size_t id = 0; id < candidates.size(); id++) {
    const auto log_time = predict(costs, static_cast<CandidateId>(id), features);
    if (!log_time || !candidates[id].feasible) continue;
    const double time = candidates[id].predicted = std::exp(static_cast<double>(*log_time));
    if (fastest == 0 || time < fastest) fastest = time;
  }
  for (CandidateReport& c : candidates) c.predicted = fastest > 0 ? c.predicted / fastest : 0;
}

/// The one bin of a product whose rows multiply() would not measure. What is shown of the rows is measured all the
/// same.
void decide_as_sampled(const Decided& sampled, Decided& d) {
  const BinDecision& whole = sampled.record.decisions[0];
  d.record.binned = false, d.record.requested_method = Method::one_phase;
  d.record.bins = one_bin(d.measured.all);
  d.record.decisions = {{.bin = d.record.bins.bins[0],
                         .extent = extent_of(d.measured.all, d.measured),
                         .features = whole.features,
                         .symbolic = whole.numeric,
                         .numeric = whole.numeric}};
}

/// "raced with sort on blocks of rows"
std::vector<std::string> told_race(const Record& sampled) {
  std::string others;
  for (std::size_t k = 1; k < sampled.raced.size(); k++)
    others += (k == 1 ? "" : " and ") + std::string(kCandidates[sampled.raced[k]].name);
  if (others.empty()) return {};
  return {"raced with " + others + " on blocks of rows"};
}

BinReport told(const BinDecision& d, const Policy& policy, const std::string& force, const Record* sampled) {
  DecidedBin bin{.label = sampled != nullptr ? "all rows" : d.bin.key.label(),
                 .decision = sampled != nullptr ? Decision::sampled : Decision::numeric,
                 .features = d.features,
                 .choice = d.numeric,
                 .group_size = kCandidates[d.numeric.chosen].group_sizes.front(),
                 .empty = d.bin.key.empty(),
                 .feasible = {}};
  for (std::size_t id = 0; id < kCandidates.size(); id++) {
    const Candidate& c = kCandidates[id];
    // of those that take rows unmeasured, by what is known without
    const bool unmeasured = sampled != nullptr && c.max_unmeasured_span > 0;
    bin.feasible[id] = c.feasible(d.extent) && (!unmeasured || c.feasible(sampled->decisions[0].extent));
  }
  const bool copies = sampled != nullptr && !sampled->copies.empty();
  if (copies) bin.feasible[d.numeric.chosen] = true;  // it sorts what falls
  BinReport out = report(bin, policy, force);
  out.rows = d.bin.tally.rows, out.nprod = d.bin.tally.nprod;
  out.symbolic_candidate = std::string(kCandidates[d.symbolic.chosen].name);
  if (copies) out.why = {std::string(sampled->copies)};
  if (sampled != nullptr) out.how = told_race(*sampled);
  if (!d.bin.key.empty()) predict_times(policy.costs[1], d.features, out.candidates);
  return out;
}

template <class T>
Inspection look(const Context::State& state, const CsrView<T>& a, const CsrView<T>& b, bool measure) {
  if (state.device) {
    if (measure) throw Error(ErrorCode::unsupported, "measure: accumulators are timed one by one on the host only");
    Inspection there =
        on_device(state, a, b, [](const auto& calls, const auto&... operands) { return calls.inspect(operands...); });
    if (state.device->devices > 1) there.shares = shares_of(state, a, b, there);
    return there;
  }
  Placement place = state.placing != nullptr && !measure ? state.placing->place(a, b, state.options) : Placement();
  if (place.device != nullptr) try {
      Inspection there = on_device(*place.device, state.options, a, b, [](const auto& calls, const auto&... operands) {
        return calls.inspect(operands...);
      });
      there.place_reason = place.reason;
      return there;
    } catch (const Error& e) {
      if (e.code() != ErrorCode::out_of_memory) throw;
      place.reason += std::string("; what is shown is the host's way, because ") + e.what();
    }
  const Settings settings = state.settings_of_multiply();
  const Team team(settings.options.threads);
  SizedProduct<T> sized(a, b, settings, team, EmptyRows::keep, sizeof(RowReport));
  Decided& d = sized.decided;
  // the record shows the whole vector, whether or not the policy asked for it
  if (d.measured.compression_ratio == 0)
    d.measured.compression_ratio = sample_compression(sized.in.a(), sized.in.b(), d.measured);
  Stats unused;
  const std::optional<Decided> sampled = decide_sampled(sized.in.a(), sized.in.b(), settings, team, unused);
  if (sampled)
    decide_as_sampled(*sampled, d);
  else
    decide_bins(d.measured, settings.options.force, d.record);
  const std::int64_t rows = sized.in.a().rows;
  if (d.record.requested_method == Method::two_phase)
    decide_again(d.measured, sized.row_ptr.data(), settings.options.force, d.record);

  Inspection result{.policy = std::string(settings.policy.name),
                    .policy_kind = std::string(settings.policy.kind),
                    .binned = d.record.binned,
                    .method = d.record.requested_method,
                    .method_reason = sampled ? std::string(sampled->record.copies) : std::string(),
                    .place_reason = place.reason,
                    .sampled = sampled.has_value(),
                    .small_product = settings.small_path && is_small(a, b, sized.stats.nprod),
                    .rows = rows,
                    .cols = sized.in.b().cols,
                    .nprod = sized.stats.nprod,
                    .nnz = sized.stats.nnz,
                    .features = named(features_of(d.measured.all, d.measured)),
                    .bins = {},
                    .row = Array<RowReport>(rows)};
  for (const BinDecision& bin : d.record.decisions)
    result.bins.push_back(told(bin, settings.policy, settings.options.force, sampled ? &sampled->record : nullptr));
  for (std::int64_t i = 0; i < rows; i++) {
    const CRow& w = d.measured.rows[i];
    const int bin = d.record.bins.of(i);
    const std::int64_t nnz = sized.row_ptr[i + 1] - sized.row_ptr[i];
    result.bins[static_cast<std::size_t>(bin)].nnz += nnz;
    result.row[i] = {.row = i,
                     .bin = bin,
                     .a_nnz = sized.in.a().length(i),
                     .nprod = w.nprod,
                     .nnz = nnz,
                     .span = w.span(),
                     .b_row_max = w.b_max,
                     .run = w.run.rows,
                     .shift = w.run.shifts};
  }
  if (measure) {
    const CandidateTimes times = time_candidates(sized.in, d, sized.stats.nnz, kRepeats);
    for (std::size_t id = 0; id < kCandidates.size(); id++) {
      for (std::size_t bin = 0; bin < times.bins.size(); bin++)
        result.bins[bin].candidates[id].seconds = times.bins[bin][id];
      result.forced.push_back(
          {.name = std::string(kCandidates[id].name), .feasible = times.forced[id] > 0, .seconds = times.forced[id]});
    }
  }
  return result;
}

}  // namespace

Inspection Context::inspect(const CsrView<float>& a, const CsrView<float>& b, bool measure) const try {
  return look(*state(), a, b, measure);
} catch (...) {
  rethrow_as_error();
}
Inspection Context::inspect(const CsrView<double>& a, const CsrView<double>& b, bool measure) const try {
  return look(*state(), a, b, measure);
} catch (...) {
  rethrow_as_error();
}

}  // namespace rowan
