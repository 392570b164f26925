// One worker writes C's columns where they stay, in an array that is cut to size. Several write each chunk's where it
// begins if no two products fall together, and copy them when all are counted.
#include "lib/host/replay/thin_product.hpp"

#include <atomic>

#include "accumulators/common/positions.hpp"
#include "lib/host/block_race.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/replay/thin_kernels.hpp"
#include "lib/host/sampled.hpp"

namespace rowan {

using replay::kThinSlack;

namespace {

using Clock = std::chrono::steady_clock;

/// Where each chunk's columns are written; the last number is where they end.
std::vector<std::int64_t> beginnings(const std::vector<Chunk>& chunks) {
  std::vector<std::int64_t> begin{0};
  for (const Chunk& c : chunks) begin.push_back(begin.back() + c.bound + kThinSlack);
  return begin;
}

/// Bytes at most.
std::int64_t bytes_of(const Pattern& a, const Pattern& b, std::int64_t room, int workers) {
  const std::int64_t columns = room * static_cast<std::int64_t>(sizeof(Column)) * (workers > 1 ? 2 : 1);
  return columns + (a.rows + 1) * static_cast<std::int64_t>(sizeof(Offset)) +
         workers * static_cast<std::int64_t>(replay::thin_scratch_bytes(b.cols));
}

Array<Column> side_by_side(Array<Column> apart, const std::vector<std::int64_t>& begin, const ThinPattern& made,
                           const Team& team) {
  const auto chunks = static_cast<std::int64_t>(made.chunks.size());
  const std::int64_t* const ptr = made.row_ptr.data();
  Array<Column> all(ptr[made.row_ptr.size() - 1]);
  team.for_blocks(chunks, 16, [&](std::int64_t from, std::int64_t to) {
    for (auto n = static_cast<std::size_t>(from); n < static_cast<std::size_t>(to); n++) {
      const Chunk& c = made.chunks[n];
      std::copy_n(apart.data() + begin[n], ptr[c.last] - ptr[c.first], all.data() + ptr[c.first]);
    }
  });
  return all;
}

}  // namespace

std::optional<ThinPattern> thin_pattern_of(const Pattern& a, const Pattern& b, const Settings& settings,
                                           const Team& whole_team, Budget& budget) {
  Stats stats;
  std::optional<Decided> decided = decide_sampled(a, b, settings, whole_team, stats);
  if (!decided || b.cols > kMostPositions) return std::nullopt;
  ThinPattern made;
  made.chunks = std::move(decided->chunks), made.nprod = stats.nprod;
  const std::vector<std::int64_t> begin = beginnings(made.chunks);
  const bool together = stats.nprod > kSampledAlone && whole_team.size() > 1 &&
                        budget.fits(bytes_of(a, b, begin.back(), whole_team.size()));
  const Team team = together ? whole_team : Team(1);
  if (!budget.fits(bytes_of(a, b, begin.back(), team.size()))) return std::nullopt;
  Block block = Block::try_reserve(static_cast<std::size_t>(begin.back()) * sizeof(Column));
  if (block.data() == nullptr) return std::nullopt;
  Array<Column> col(std::move(block), static_cast<std::size_t>(begin.back()));
  Array<Offset> row_ptr(a.rows + 1);

  Monitor monitor(settings.options);
  monitor.begin(a.rows);
  std::atomic<std::size_t> next = 0;
  team.run([&](int) {
    Array<std::byte> positions;
    BlockRace race;        // of markers and sorting
    std::int64_t end = 0;  // of what one worker has written
    for (std::size_t n; (n = next++) < made.chunks.size();) {
      monitor.check();
      if (positions.size() == 0) positions = Array<std::byte>::zeroed(replay::thin_scratch_bytes(b.cols));
      const Chunk& c = made.chunks[n];
      const std::size_t who = race.next(2);
      const auto start = Clock::now();
      end += replay::thin_pattern({a, b, c.first, c.last, positions.data(), row_ptr.data() + 1,
                                   col.data() + (together ? begin[n] : end), who == 1});
      const std::chrono::duration<double> took = Clock::now() - start;
      race.took(who, took.count(), c.bound + c.last - c.first);
      monitor.done(c.last - c.first);
    }
  });
  row_ptr[0] = 0;
  for (std::int64_t i = 0; i < a.rows; i++) row_ptr[i + 1] = static_cast<Offset>(row_ptr[i] + row_ptr[i + 1]);
  const std::int64_t nnz = row_ptr[a.rows];
  made.row_ptr = widened(std::move(row_ptr));
  if (!together) col.shrink(nnz);
  made.col = together ? side_by_side(std::move(col), begin, made, team) : std::move(col);
  return made;
}

}  // namespace rowan
