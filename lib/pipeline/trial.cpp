#include "lib/pipeline/trial.hpp"

#include <chrono>

namespace rowan {

template <class T>
BinTrial<T>::BinTrial(const Inputs<T>& in, const Decided& decided, std::size_t bin)
    : in_(in), decided_(decided), extent_(decided.record.decisions[bin].extent), nnz_(in.a().rows) {
  constexpr std::int64_t kMost = 65536;  // entries that are written before the buffer begins again: stays in the cache
  std::int64_t bound = 0, room = 0;
  const auto n = static_cast<std::int64_t>(decided.measured.rows.size());
  for (std::int64_t i = 0; i < n; i++) {
    if (static_cast<std::size_t>(decided.record.bins.of(i)) != bin) continue;
    if (rows_.empty() || rows_.back().last != i || bound > kMost) rows_.push_back({i, i}), bound = 0;
    rows_.back().last = i + 1;
    room = std::max(room, bound += decided.measured.rows[i].bound());
  }
  col_ = Array<std::int32_t>(room + kWriteSlack), val_ = Array<T>(room + kWriteSlack);
}

template <class T>
void BinTrial<T>::run(Phase phase, CandidateId id) {
  const Candidate& candidate = kCandidates[id];
  const Scratch scratch = workspace_.of(id, extent_, sizeof(T));
  for (const Rows& piece : rows_) {
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
      candidate.template numeric<T>()({.a = in_.a(),
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

template <class T>
std::vector<std::vector<double>> time_candidates(const Inputs<T>& in, const Decided& d, int repeats) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> seconds(d.record.decisions.size(), std::vector<double>(kCandidates.size()));
  for (std::size_t bin = 0; bin < seconds.size(); bin++) {
    BinTrial<T> trial(in, d, bin);
    for (int r = 0; r < repeats; r++)  // repeats outside: a slow moment of the machine meets all candidates
      for (std::size_t id = 0; id < kCandidates.size(); id++) {
        if (!kCandidates[id].feasible(d.record.decisions[bin].extent)) continue;
        trial.prepare(static_cast<CandidateId>(id));
        const auto start = Clock::now();
        trial.run(Phase::numeric, static_cast<CandidateId>(id));
        const double took = std::chrono::duration<double>(Clock::now() - start).count();
        seconds[bin][id] = r == 0 ? took : std::min(seconds[bin][id], took);
      }
  }
  return seconds;
}

template class BinTrial<float>;
template class BinTrial<double>;
template std::vector<std::vector<double>> time_candidates(const Inputs<float>&, const Decided&, int);
template std::vector<std::vector<double>> time_candidates(const Inputs<double>&, const Decided&, int);

}  // namespace rowan
