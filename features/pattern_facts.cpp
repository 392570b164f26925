#include "features/pattern_facts.hpp"

#include <atomic>
#include <cstring>

namespace rowan {
namespace {

constexpr std::int64_t kGrain = 1 << 11;  // rows a task: what they hold stays in the cache for its second reading

// Rising rows: all places where a column does not exceed the one before it must be row starts. Counting both sides
// keeps the pass over the columns free of branches and rows, so that it vectorises.
bool rows_rise(const Pattern& m, std::int64_t from, std::int64_t to) {
  const std::int64_t begin = m.ptr[from], end = m.ptr[to];
  std::int64_t falls = 0, at_starts = 0;
  for (std::int64_t k = begin + 1; k < end; k++) falls += m.col[k] <= m.col[k - 1] ? 1 : 0;
  std::int64_t previous = begin;
  for (std::int64_t i = from + 1; i < to; i++) {
    const std::int64_t start = m.ptr[i];
    if (start > previous && start < end) at_starts += m.col[start] <= m.col[start - 1] ? 1 : 0;
    previous = start > previous ? start : previous;
  }
  return falls == at_starts;
}

ColumnRange range_of(const Pattern& m, std::int64_t row, bool sorted) {
  const std::int64_t begin = m.ptr[row], end = m.ptr[row + 1];
  if (begin == end) return {0, -1};
  if (sorted) return {m.col[begin], m.col[end - 1]};
  const auto [lo, hi] = std::minmax_element(m.col + begin, m.col + end);
  return {*lo, *hi};
}

// Whether row i is row i - 1 moved by 0 or 1 columns; -1 where neither. The ends are compared first: rows that differ
// nearly always differ there.
int move_from_previous(const Pattern& m, std::int64_t i) {
  const std::int64_t n = m.length(i);
  if (n == 0 || n != m.length(i - 1)) return -1;
  const std::int32_t *before = m.col + m.ptr[i - 1], *here = m.col + m.ptr[i];
  const std::int32_t move = here[0] - before[0];
  if ((move != 0 && move != 1) || here[n - 1] - before[n - 1] != move) return -1;
  for (std::int64_t k = 1; k + 1 < n; k++)
    if (here[k] - before[k] != move) return -1;
  return move;
}

void find_runs(const Pattern& m, std::int64_t from, std::int64_t to, RowRun* run) {
  run[from] = {};
  for (std::int64_t i = from + 1; i < to; i++) {
    const int move = move_from_previous(m, i);
    run[i] = {.same = move == 0, .shifted = move == 1};
  }
  const auto longer = [](std::uint8_t n) { return static_cast<std::uint8_t>(n == 255 ? 255 : n + 1); };
  for (std::int64_t i = to - 1; i > from; i--) {
    if (run[i].same) run[i - 1].rows = longer(run[i].rows);
    if (run[i].shifted) run[i - 1].shifts = longer(run[i].shifts);
  }
}

}  // namespace

PatternFacts pattern_facts(const Pattern& m, const Team& team) {
  PatternFacts facts;
  facts.range = Array<ColumnRange>(m.rows);
  facts.run = Array<RowRun>(m.rows);
  std::atomic<bool> sorted = true;
  std::atomic<std::int64_t> longest = 0;
  team.for_blocks(m.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    if (!rows_rise(m, from, to)) sorted = false;
    std::int64_t mine = 0;
    for (std::int64_t i = from; i < to; i++) {
      facts.range[i] = range_of(m, i, true);
      mine = std::max(mine, m.length(i));
    }
    find_runs(m, from, to, facts.run.data());
    for (std::int64_t seen = longest; mine > seen && !longest.compare_exchange_weak(seen, mine);) {
    }
  });
  facts.sorted = sorted, facts.longest = longest;
  if (!facts.sorted)
    team.for_blocks(m.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; i++) facts.range[i] = range_of(m, i, false);
    });
  return facts;
}

}  // namespace rowan
