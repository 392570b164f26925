#include "lib/host/trial.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "lib/core/values.hpp"
#include "lib/host/phases.hpp"

namespace rowan {

template <class T>
BinTrial<T>::BinTrial(const Inputs<T>& in, const Decided& decided, std::size_t bin)
    : in_(in), decided_(decided), extent_(decided.record.decisions[bin].extent), nnz_(in.a().rows) {
  constexpr std::int64_t kMost = 65536;  // entries that are written before the buffer begins again: stays in the cache
  std::int64_t bound = 0, longest = 0;
  const auto n = static_cast<std::int64_t>(decided.measured.rows.size());
  for (std::int64_t i = 0; i < n; i++) {
    if (static_cast<std::size_t>(decided.record.bins.of(i)) != bin) continue;
    if (rows_.empty() || rows_.back().last != i || bound > kMost) rows_.push_back({i, i}), bound = 0;
    rows_.back().last = i + 1;
    longest = std::max(longest, bound += decided.measured.rows[i].bound());
  }
  col_ = Array<Column>(longest + kWriteSlack), val_ = Array<T>(longest + kWriteSlack);
}

template <class T>
void BinTrial<T>::run(Phase phase, CandidateId id) {
  const Candidate& candidate = kCandidates[id];
  const Scratch scratch = workspace_.of(id, extent_, sizeof(T));
  for (const TrialRows& piece : rows_) {
    if (phase == Phase::symbolic)
      candidate.symbolic({.a = in_.a(),
                          .b = in_.b(),
                          .rows = decided_.measured.rows.data(),
                          .b_run = decided_.measured.b->run.data(),
                          .extent = extent_,
                          .scratch = scratch,
                          .first = piece.first,
                          .last = piece.last,
                          .nnz = nnz_.data()});
    else
      candidate.numeric.of<T>()({.a = in_.a(),
                                 .b = in_.b(),
                                 .rows = decided_.measured.rows.data(),
                                 .b_run = decided_.measured.b->run.data(),
                                 .extent = extent_,
                                 .scratch = scratch,
                                 .first = piece.first,
                                 .last = piece.last,
                                 .nnz = nnz_.data(),
                                 .col = col_.data(),
                                 .val = val_.data()});
  }
}

namespace {

/// The minimum over `repeats` rounds of each, interleaved: a slow moment of the machine meets all candidates.
template <class Run>
void time_by_turns(const std::vector<CandidateId>& ids, int repeats, CandidateSeconds& seconds, const Run& run) {
  using Clock = std::chrono::steady_clock;
  for (int r = 0; r < repeats; r++)
    for (const CandidateId id : ids) {
      const auto start = Clock::now();
      run(id);
      const double took = std::chrono::duration<double>(Clock::now() - start).count();
      seconds[id] = r == 0 ? took : std::min(seconds[id], took);
    }
}

/// Whole phases with one candidate forced; those that would take too long by the bins' sum are that sum.
template <class T>
void time_forced(const Inputs<T>& in, Decided& decided, std::int64_t entries, int repeats, CandidateTimes& times) {
  constexpr double kHopeless = 10;
  double best = 0;
  for (const CandidateSeconds& bin : times.bins) {
    double least = 0;
    for (const double s : bin)
      if (s > 0 && (least == 0 || s < least)) least = s;
    best += least;
  }
  const std::optional<CStorage<T>> storage = CStorage<T>::reserve(entries);
  Array<Offset> row_ptr(in.a().rows + 1);
  row_ptr[0] = 0;
  std::vector<CandidateId> ids;
  for (std::size_t c = 0; c < kCandidates.size(); c++) {
    const auto id = static_cast<CandidateId>(c);
    if (std::none_of(times.bins.begin(), times.bins.end(), [&](const auto& bin) { return bin[id] > 0; })) continue;
    for (const CandidateSeconds& bin : times.bins) times.forced[id] += bin[measured_or_fallback(id, bin)];
    if (storage && times.forced[id] <= kHopeless * best) ids.push_back(id);
  }
  const std::vector<BinDecision> chosen = decided.record.decisions;
  const Options options{.threads = 1};
  std::array<std::optional<PhasePlan<T>>, kCandidates.size()> works;
  for (const CandidateId id : ids) {
    decide_bins(decided.measured, kCandidates[id].name, decided.record, false);
    works[id].emplace(in.a(), in.b(), decided, Phase::numeric, Team(1), kNoLimit / 2);
  }
  decided.record.decisions = chosen;
  time_by_turns(ids, repeats, times.forced, [&](CandidateId id) {
    Monitor monitor(options);
    monitor.begin(in.a().rows);
    static_cast<void>(fill_rows(*works[id], {row_ptr.data(), storage->col.data(), storage->val.data()}, monitor));
  });
}

}  // namespace

template <class T>
CandidateTimes time_candidates(const Inputs<T>& in, Decided& d, std::int64_t entries, int repeats) {
  CandidateTimes times;
  times.bins.resize(d.record.decisions.size());
  for (std::size_t bin = 0; bin < times.bins.size(); bin++) {
    if (d.record.decisions[bin].bin.key.empty()) continue;
    BinTrial<T> trial(in, d, bin);
    std::vector<CandidateId> ids;
    for (std::size_t id = 0; id < kCandidates.size(); id++)
      if (kCandidates[id].feasible(d.record.decisions[bin].extent)) ids.push_back(static_cast<CandidateId>(id));
    time_by_turns(ids, repeats, times.bins[bin], [&](CandidateId id) {
      trial.prepare(id);
      trial.run(Phase::numeric, id);
    });
  }
  time_forced(in, d, entries, repeats, times);
  const CandidateSeconds factors = context_factors(times.bins, times.forced);
  for (CandidateSeconds& bin : times.bins)
    for (std::size_t id = 0; id < factors.size(); id++) bin[id] *= factors[id];
  return times;
}

#define ROWAN_INSTANTIATE(T)  \
  template class BinTrial<T>; \
  template CandidateTimes time_candidates(const Inputs<T>&, Decided&, std::int64_t, int);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
