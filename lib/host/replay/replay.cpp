#include "lib/host/replay/replay.hpp"

#include <atomic>
#include <memory>

#include "accumulators/direct/candidate.hpp"
#include "lib/core/values.hpp"
#include "lib/host/assemble.hpp"
#include "lib/host/replay/kernels.hpp"
#include "lib/host/workspace.hpp"

namespace rowan {
namespace {

constexpr std::int64_t kReplayChunk = 65536;  // products: several chunks a worker, positions and rows of C in the cache
constexpr std::int64_t kOneWorker = 4 * kReplayChunk;  // up to here one worker is faster than waking another
constexpr std::int64_t kNarrow = 65536;                // entries of a row of C whose positions fit 16 bits

template <class T>
constexpr std::int64_t kLine = 64 / sizeof(T);  // values of a line of the cache

/// Where the first line begins, null where there is none: a vector of 64 bytes that is in two lines takes twice as
/// long.
template <class T>
T* first_line(Array<T>& values) {
  void* at = values.data();
  std::size_t left = static_cast<std::size_t>(values.size()) * sizeof(T);
  return static_cast<T*>(std::align(64, 0, at, left));
}

replay::PlannedRows rows_of(const Pattern& a, const Pattern& b, const Measured& m, const std::int64_t* row_ptr,
                            std::int64_t first, std::int64_t last) {
  return {a, b, m.rows.data(), m.b->run.data(), row_ptr, m.b->sorted, first, last, m.b->sorted && replay::has_masks()};
}

}  // namespace

std::optional<Replay> Replay::make(const Pattern& a, const Pattern& b, const Measured& m, const std::int64_t* row_ptr,
                                   const Column* col, const Team& team, Budget& budget) {
  Replay r;
  const auto pieces = cut(m.rows.data(), a.rows, kReplayChunk, team);
  const auto n = static_cast<std::int64_t>(pieces.size());
  std::vector<replay::PositionCount> counts(pieces.size());
  const auto rows = [&](std::int64_t c) {
    const auto& piece = pieces[static_cast<std::size_t>(c)];
    return rows_of(a, b, m, row_ptr, piece.first, piece.last);
  };
  team.for_blocks(n, 1, [&](std::int64_t c, std::int64_t) {
    counts[static_cast<std::size_t>(c)] = replay::count_positions(rows(c));
  });
  std::int64_t bytes = 0;
  for (std::size_t c = 0; c < pieces.size(); c++) {
    const replay::PositionCount& count = counts[c];
    const bool narrow = count.longest <= kNarrow;
    r.chunks_.push_back({pieces[c].first, pieces[c].last, bytes, narrow});
    bytes += (count.positions * (narrow ? 2 : 4) + count.mask_bytes + 63) / 64 * 64;
    r.run_entries_ = std::max(r.run_entries_, count.run_longest);
    r.run_a_entries_ = std::max(r.run_a_entries_, count.run_a_longest);
  }
  bytes += replay::kMaskSlack;
  const std::int64_t table_bytes = b.cols * static_cast<std::int64_t>(sizeof(std::uint32_t));
  if (!budget.fits(bytes + table_bytes)) return std::nullopt;
  Block block = Block::try_reserve(static_cast<std::size_t>(bytes));
  if (bytes != 0 && block.data() == nullptr) return std::nullopt;
  r.positions_ = Array<std::byte>(std::move(block), static_cast<std::size_t>(bytes));

  for (std::int64_t i = 0; i < a.rows; i++) {
    const CRow& row = m.rows[i];
    if (!replay::in_shifts(row)) continue;
    r.shifts_.add({.nprod_max = row.nprod, .bound_max = row.bound(), .span_max = row.span(), .a_nnz_max = a.length(i)});
  }

  const std::int64_t workers =
      std::clamp<std::int64_t>(budget.spare() / std::max<std::int64_t>(table_bytes, 1), 1, team.size());
  std::atomic<std::int64_t> next = 0;
  Team(static_cast<int>(workers)).run([&](int) {
    Array<std::uint32_t> position_of;
    for (std::int64_t c; (c = next++) < n;) {
      if (position_of.size() == 0) position_of = Array<std::uint32_t>(b.cols);
      const ReplayChunk& chunk = r.chunks_[static_cast<std::size_t>(c)];
      std::byte* const at = r.positions_.data() + chunk.begin;
      if (chunk.narrow)
        replay::write_positions(rows(c), col, position_of.data(), reinterpret_cast<std::uint16_t*>(at));
      else
        replay::write_positions(rows(c), col, position_of.data(), reinterpret_cast<std::uint32_t*>(at));
    }
  });
  return r;
}

template <class T>
void Replay::run(const Inputs<T>& in, const Measured& m, const std::int64_t* row_ptr, T* val, const Settings& settings,
                 const Team& whole_team) const {
  const Operand<T>&a = in.a(), &b = in.b();
  const auto shift_id = *candidate_named(direct::shift.name);
  Monitor monitor(settings.options);
  monitor.begin(a.rows);
  const bool streamed = row_ptr[a.rows] * static_cast<std::int64_t>(sizeof(T)) >= kStreamFrom;
  std::atomic<std::size_t> next = 0;
  const Team team = m.all.nprod <= kOneWorker ? Team(1) : whole_team;
  team.run([&](int) {
    Workspace workspace;
    Array<T> sums, run_values, stream_buffer;
    for (std::size_t n; (n = next++) < chunks_.size();) {
      const ReplayChunk& c = chunks_[n];
      monitor.check();
      if (sums.size() == 0 && run_entries_ != 0) {
        sums = Array<T>::zeroed(run_entries_ * kSummedRows + kLine<T>);
        run_values = Array<T>(run_a_entries_ * kSummedRows + kLine<T>);
        if (streamed) stream_buffer = Array<T>(run_entries_ * kSummedRows + replay::kStreamSlack);
      }
      replay::PlannedRows rows = rows_of(a, b, m, row_ptr, c.first, c.last);
      const void* positions = positions_.data() + c.begin;
      for (std::int64_t i = c.first; i < c.last; i = rows.last) {
        const replay::Segment segment = replay::segment_at(rows, i, c.last);
        rows.first = i, rows.last = segment.end;
        if (segment.shifts)
          direct::shift.numeric.of<T>()({.a = a,
                                         .b = b,
                                         .rows = rows.rows,
                                         .b_run = rows.b_run,
                                         .extent = shifts_,
                                         .scratch = workspace.of(shift_id, shifts_, sizeof(T)),
                                         .first = i,
                                         .last = segment.end,
                                         .nnz = nullptr,
                                         .col = nullptr,
                                         .val = val + row_ptr[i],
                                         .streamed = streamed});
        else
          positions = replay::run(replay::ReplayTask<T>{a, b, rows, positions, c.narrow, first_line(sums),
                                                        first_line(run_values), stream_buffer.data(), val});
      }
      monitor.done(c.last - c.first);
    }
  });
}

#define ROWAN_INSTANTIATE(T)                                                                                          \
  template void Replay::run(const Inputs<T>&, const Measured&, const std::int64_t*, T*, const Settings&, const Team&) \
      const;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
