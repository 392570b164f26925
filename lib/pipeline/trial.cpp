#include "lib/pipeline/trial.hpp"

#include <chrono>

#include "lib/pipeline/chunks.hpp"
#include "lib/pipeline/workspace.hpp"

namespace rowan {
namespace {

struct Rows {
  std::int64_t first, last;
};

/// The bin's rows as runs of consecutive ones, none with more than about `most` entries of C.
std::vector<Rows> rows_of(const Decided& d, std::size_t bin, std::int64_t most, std::int64_t& room) {
  std::vector<Rows> list;
  std::int64_t bound = 0;
  const auto n = static_cast<std::int64_t>(d.measured.rows.size());
  for (std::int64_t i = 0; i < n; i++) {
    if (static_cast<std::size_t>(d.record.bins.of(i)) != bin) continue;
    if (list.empty() || list.back().last != i || bound > most) list.push_back({i, i}), bound = 0;
    list.back().last = i + 1;
    room = std::max(room, bound += d.measured.rows[i].bound());
  }
  return list;
}

}  // namespace

template <class T>
std::vector<std::vector<double>> time_candidates(const Inputs<T>& in, const Decided& d, int repeats) {
  constexpr std::int64_t kMost = 65536;  // entries that are written before the buffer begins again: stays in the cache
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> seconds(d.record.decisions.size(), std::vector<double>(kCandidates.size()));
  Array<Offset> nnz(in.a().rows);
  for (std::size_t bin = 0; bin < seconds.size(); bin++) {
    std::int64_t room = 0;
    const std::vector<Rows> rows = rows_of(d, bin, kMost, room);
    Array<std::int32_t> col(room + kWriteSlack);
    Array<T> val(room + kWriteSlack);
    const Extent& extent = d.record.decisions[bin].extent;
    for (int r = 0; r < repeats; r++)  // repeats outside: a slow moment of the machine meets all candidates
      for (std::size_t id = 0; id < kCandidates.size(); id++) {
        if (!kCandidates[id].feasible(extent)) continue;
        Workspace workspace;
        const Scratch scratch = workspace.of(static_cast<CandidateId>(id), extent, sizeof(T));
        const auto start = Clock::now();
        for (const Rows& piece : rows)
          kCandidates[id].template numeric<T>()({.a = in.a(),
                                                 .b = in.b(),
                                                 .rows = d.measured.rows.data(),
                                                 .b_run = d.measured.b->run.data(),
                                                 .extent = extent,
                                                 .scratch = scratch,
                                                 .first = piece.first,
                                                 .last = piece.last,
                                                 .nnz = nnz.data(),
                                                 .col = col.data(),
                                                 .val = val.data()});
        const double took = std::chrono::duration<double>(Clock::now() - start).count();
        seconds[bin][id] = r == 0 ? took : std::min(seconds[bin][id], took);
      }
  }
  return seconds;
}

template std::vector<std::vector<double>> time_candidates(const Inputs<float>&, const Decided&, int);
template std::vector<std::vector<double>> time_candidates(const Inputs<double>&, const Decided&, int);

}  // namespace rowan
