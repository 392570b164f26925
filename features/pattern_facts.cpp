#include "features/pattern_facts.hpp"

#include <algorithm>
#include <atomic>

#include <hwy/base.h>

#include <rowan/error.hpp>

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

// By how many columns, 0 or 1, row i is its predecessor moved; -1 where it is not. The ends are compared first: rows
// that differ nearly always differ there.
HWY_INLINE int move_from(const RowFacts& before, const RowFacts& here, const std::int32_t* col) {
  const std::int32_t move = here.lo - before.lo;
  if (here.length != before.length || here.length == 0) return -1;
  if ((move != 0 && move != 1) || here.hi - before.hi != move) return -1;
  const std::int32_t* const previous = col - here.length;
  for (std::int32_t k = 1; k + 1 < here.length; k++)
    if (col[k] - previous[k] != move) return -1;
  return move;
}

// Rows first .. last, each the one before moved by `move`.
void set_run(RowFacts* row, std::int64_t first, std::int64_t last, int move) {
  for (std::int64_t i = first; i < last; i++) {
    const auto n = static_cast<std::uint8_t>(std::min<std::int64_t>(last - i + 1, 255));
    (move == 0 ? row[i].run.rows : row[i].run.shifts) = n;
  }
}

// What a block of sorted rows look like; returns the longest.
std::int64_t look_at(const Pattern& m, std::int64_t from, std::int64_t to, RowFacts* row) {
  std::int64_t longest = 0, begin = m.ptr[from], group = from;
  int group_move = -1;
  RowFacts before;
  for (std::int64_t i = from; i < to; i++) {
    const std::int64_t end = m.ptr[i + 1], n = end - begin;
    longest = std::max(longest, n);
    RowFacts here;
    here.length = static_cast<std::int32_t>(n);
    if (n != 0) here.lo = m.col[begin], here.hi = m.col[end - 1];
    const int move = i == from ? -1 : move_from(before, here, m.col + begin);
    here.run.same = move == 0, here.run.shifted = move == 1;
    if (move != group_move) {
      if (group_move >= 0) set_run(row, group, i - 1, group_move);
      group = i - 1, group_move = move;
    }
    row[i] = before = here;
    begin = end;
  }
  if (group_move >= 0) set_run(row, group, to - 1, group_move);
  return longest;
}

void find_ranges(const Pattern& m, std::int64_t from, std::int64_t to, RowFacts* row) {
  for (std::int64_t i = from; i < to; i++) {
    if (row[i].length == 0) continue;
    const auto [lo, hi] = std::minmax_element(m.col + m.ptr[i], m.col + m.ptr[i + 1]);
    row[i].lo = *lo, row[i].hi = *hi;
  }
}

}  // namespace

PatternFacts pattern_facts(const Pattern& m, const Team& team) {
  PatternFacts facts;
  facts.row = Array<RowFacts>(m.rows);
  facts.run = Array<RowRun>(m.rows);
  std::atomic<bool> sorted = true;
  std::atomic<std::int64_t> longest = 0;
  team.for_blocks(m.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    if (!rows_rise(m, from, to)) sorted = false;
    const std::int64_t mine = look_at(m, from, to, facts.row.data());
    for (std::int64_t i = from; i < to; i++) facts.run[i] = facts.row[i].run;
    for (std::int64_t seen = longest; mine > seen && !longest.compare_exchange_weak(seen, mine);) {
    }
  });
  facts.sorted = sorted, facts.longest = longest;
  if (facts.longest > INT32_MAX) throw Error(ErrorCode::overflow, "a row has more than 2147483647 entries");
  if (!facts.sorted)
    team.for_blocks(m.rows, kGrain,
                    [&](std::int64_t from, std::int64_t to) { find_ranges(m, from, to, facts.row.data()); });
  return facts;
}

}  // namespace rowan
