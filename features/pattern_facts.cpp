#include "features/pattern_facts.hpp"

#include <algorithm>
#include <mutex>

#include <hwy/base.h>

#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kGrain = 1 << 11;  // rows a task: what they hold stays in the cache for its second reading
// Below, what is known of all rows is in the second-level cache, and leaving ranges out saves little.
constexpr std::int64_t kManyRows = 1 << 16;

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

// A row and its ends.
struct Row {
  std::int32_t lo = 0, hi = -1;
  std::int64_t length = 0;
};

// By how many columns, 0 or 1, row i is its predecessor moved; -1 where it is not. The ends are compared first: rows
// that differ nearly always differ there.
HWY_INLINE int move_from(const Row& before, const Row& here, const std::int32_t* col) {
  const std::int32_t move = here.lo - before.lo;
  if (here.length != before.length || here.length == 0) return -1;
  if ((move != 0 && move != 1) || here.hi - before.hi != move) return -1;
  const std::int32_t* const previous = col - here.length;
  for (std::int64_t k = 1; k + 1 < here.length; k++)
    if (col[k] - previous[k] != move) return -1;
  return move;
}

// Rows first .. last, each the one before moved by `move`.
void set_run(RowRun* run, std::int64_t first, std::int64_t last, int move) {
  for (std::int64_t i = first; i < last; i++) {
    const auto n = static_cast<std::uint8_t>(std::min<std::int64_t>(last - i + 1, 255));
    (move == 0 ? run[i].rows : run[i].shifts) = n;
  }
}

constexpr std::int64_t kAtOnce = 8;  // rows of a run that are compared at once, from its ninth on

// Whether rows i .. i + kAtOnce are each the one before, of n entries, moved by `move`. No branch for a row or an
// entry.
HWY_INLINE bool all_move(const Pattern& m, std::int64_t i, std::int64_t n, std::int32_t move) {
  std::int64_t other = 0;
  for (std::int64_t r = i; r < i + kAtOnce; r++) other |= (m.ptr[r + 1] - m.ptr[r]) ^ n;
  if (other != 0) return false;
  std::int32_t differ = 0;
  const std::int32_t *const col = m.col + m.ptr[i], *const before = col - n;
  for (std::int64_t k = 0; k < n * kAtOnce; k++) differ |= (col[k] - before[k]) ^ move;
  return differ == 0;
}

/// What is told of a block of rows.
struct Told {
  bool rising = true;
  std::int64_t longest = 0, linked = 0, far = 0;  // rows: linked are another row moved, far ones reach far
};

// What a block of rows look like, if they rise. A row that is the one before moved rises if that one does: only others
// are asked.
Told look_at(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts) {
  Told told;
  const int unit = facts.unit;
  RowFacts* const row = facts.row.data();
  RowRun* const run = facts.run.data();
  const std::int64_t reach = m.cols / 4;
  std::int64_t begin = m.ptr[from], group = from, unasked = from;
  int group_move = -1;
  Row before;
  const auto rise_up_to = [&](std::int64_t i) {
    if (unasked < i) told.rising = told.rising && rows_rise(m, unasked, i);
  };
  for (std::int64_t i = from; i < to;) {
    if (group_move >= 0 && i - group >= kAtOnce && i + kAtOnce <= to && all_move(m, i, before.length, group_move)) {
      rise_up_to(i);
      std::fill_n(run + i, kAtOnce, RowRun{.same = group_move == 0, .shifted = group_move == 1});
      for (const std::int64_t end = i + kAtOnce; i < end; i++) {
        before.lo += group_move, before.hi += group_move;
        row[i] = {before.lo >> unit, before.hi >> unit, before.length};
      }
      begin = m.ptr[i], unasked = i, told.linked += kAtOnce;
      continue;
    }
    const std::int64_t end = m.ptr[i + 1];
    Row here;
    here.length = end - begin;
    told.longest = std::max(told.longest, here.length);
    row[i] = {};
    if (here.length != 0) {
      here.lo = m.col[begin], here.hi = m.col[end - 1];
      row[i] = {here.lo >> unit, here.hi >> unit, here.length};
    }
    const int move = i == from ? -1 : move_from(before, here, m.col + begin);
    run[i] = {.same = move == 0, .shifted = move == 1};
    told.linked += move >= 0 ? 1 : 0, told.far += here.hi - std::int64_t{here.lo} >= reach ? 1 : 0;
    if (move != group_move) {
      if (group_move >= 0) set_run(run, group, i - 1, group_move);
      group = i - 1, group_move = move;
    }
    before = here;
    begin = end, i++;
  }
  if (group_move >= 0) set_run(run, group, to - 1, group_move);
  rise_up_to(to);
  return told;
}

void find_ranges(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts) {
  for (std::int64_t i = from; i < to; i++) {
    if (m.length(i) == 0) continue;
    const auto [lo, hi] = std::minmax_element(m.col + m.ptr[i], m.col + m.ptr[i + 1]);
    facts.row[i] = {*lo >> facts.unit, *hi >> facts.unit, m.length(i)};
  }
}

}  // namespace

PatternFacts pattern_facts(const Pattern& m, const Team& team) {
  PatternFacts facts;
  facts.row = Array<RowFacts>(m.rows);
  facts.run = Array<RowRun>(m.rows);
  while (m.cols >> facts.unit >= std::int64_t{RowFacts::kNoColumn}) facts.unit++;
  std::mutex telling;
  Told all;
  team.for_blocks(m.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    const Told mine = look_at(m, from, to, facts);
    const std::lock_guard lock(telling);
    all.rising = all.rising && mine.rising, all.longest = std::max(all.longest, mine.longest);
    all.linked += mine.linked, all.far += mine.far;
  });
  facts.sorted = all.rising, facts.longest = all.longest;
  if (facts.longest > INT32_MAX) throw Error(ErrorCode::overflow, "a row has more than 2147483647 entries");
  if (!facts.sorted)
    team.for_blocks(m.rows, kGrain, [&](std::int64_t from, std::int64_t to) { find_ranges(m, from, to, facts); });
  facts.scattered = all.rising && m.rows >= kManyRows && all.far > m.rows - m.rows / 8 && all.linked < m.rows / 8;
  if (!facts.scattered) return facts;
  facts.length = Array<std::uint8_t>(m.rows);
  team.for_blocks(m.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; i++)
      facts.length[i] = static_cast<std::uint8_t>(std::min<std::uint64_t>(facts.row[i].word & 0xffff, 255));
  });
  return facts;
}

}  // namespace rowan
