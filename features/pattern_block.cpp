// Compiled for every instruction set: columns are compared a vector at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "features/pattern_block.cpp"
#include "features/pattern_block.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

// Rows rise if every column that does not exceed the one before it starts a row. Both are counted, so that the pass
// over the columns has neither branches nor rows, and vectorises.
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

// Whether row i is the one before moved by `move` columns. No branch for an entry.
HWY_INLINE bool is_moved(const Pattern& m, std::int64_t i, Column move) {
  const std::int64_t n = m.length(i);
  if (n != m.length(i - 1)) return false;
  const Column *const col = m.col + m.ptr[i], *const before = col - n;
  Column differ = 0;
  for (std::int64_t k = 0; k < n; k++) differ |= (col[k] - before[k]) ^ move;
  return differ == 0;
}

constexpr std::int64_t kTogether = 8;  // rows of a run that are compared together, from its ninth on

// Whether rows i .. i + kTogether are each the one before, of n entries, moved by `move`. No branch for a row or an
// entry.
HWY_INLINE bool all_moved(const Pattern& m, std::int64_t i, std::int64_t n, Column move) {
  std::int64_t other = 0;
  for (std::int64_t r = i; r < i + kTogether; r++) other |= (m.ptr[r + 1] - m.ptr[r]) ^ n;
  if (other != 0) return false;
  Column differ = 0;
  const Column *const col = m.col + m.ptr[i], *const before = col - n;
  for (std::int64_t k = 0; k < n * kTogether; k++) differ |= (col[k] - before[k]) ^ move;
  return differ == 0;
}

/// Reads the first and the last column of each row, once, some rows ahead of the row in question. Sets the rows' facts,
/// and finds out which rows may be the row before moved by 0 or 1 columns: those as long, whose both ends have moved
/// alike.
class RowEndScanner {
 public:
  RowEndScanner(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts, BlockFacts& block)
      : m_(m), from_(from), to_(to), scanned_(from), facts_(facts), block_(block), reach_(m.cols / 4) {}

  /// The first row from i on that may be the one before moved; the block's end where there is none.
  [[nodiscard]] std::int64_t next_candidate(std::int64_t i) {
    for (; i < to_; i++) {
      scan_to(i);
      const std::uint8_t* const at = candidate_.data() + (i - from_);
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, sizeof eight);
      if (i + 8 <= scanned_ && eight == 0)  // bytes from scanned_ on are not set
        i += 7;
      else if (*at != 0)
        break;
    }
    return i;
  }
  [[nodiscard]] bool is_candidate(std::int64_t i) {
    scan_to(i);
    return candidate_[static_cast<std::size_t>(i - from_)] != 0;
  }
  /// Rows i .. i + kTogether are each the one before moved by `move`: they need not be scanned.
  void set_moved(std::int64_t i, Column move) {
    const std::int64_t length = m_.length(i);
    const Column lo = m_.col[m_.ptr[i]], hi = m_.col[m_.ptr[i + 1] - 1];
    for (Column r = 0; r < kTogether; r++)
      facts_.row[i + r] = {(lo + r * move) >> facts_.unit, (hi + r * move) >> facts_.unit, length};
    scanned_ = std::max(scanned_, i + kTogether);
  }

 private:
  static constexpr std::int64_t kScan = 16;  // rows that are scanned together

  void scan_to(std::int64_t i) {
    if (i >= scanned_) scan(scanned_, std::min(to_, scanned_ + kScan));
  }
  // No branch on a row: rows of a mesh are as long as the one before one time in four.
  void scan(std::int64_t i, std::int64_t to) {
    const std::int64_t first = m_.ptr[i], reach = reach_;
    if (first == m_.ptr[to]) {  // no entries, and maybe none behind
      for (; i < to; i++) facts_.row[i] = {}, candidate_[static_cast<std::size_t>(i - from_)] = 0;
      scanned_ = to;
      return;
    }
    std::int64_t begin = first, length_before = 0, longest = 0, far = 0;
    Column lo_before = 0, hi_before = 0;
    if (i > from_ && m_.ptr[i - 1] != begin)
      length_before = m_.length(i - 1), lo_before = m_.col[m_.ptr[i - 1]], hi_before = m_.col[begin - 1];
    BRow* const row = facts_.row.data();
    for (; i < to; i++) {
      const std::int64_t end = m_.ptr[i + 1], length = end - begin;
      const bool empty = length == 0;  // then an entry of these rows is read in its stead
      const Column lo = m_.col[empty ? first : begin], hi = m_.col[empty ? first : end - 1], move = lo - lo_before;
      const bool alike = static_cast<int>(length == length_before) & static_cast<int>(hi - hi_before == move) &
                         static_cast<int>(static_cast<std::uint32_t>(move) <= 1) & static_cast<int>(!empty);
      candidate_[static_cast<std::size_t>(i - from_)] = alike ? 1 : 0;
      row[i] = empty ? BRow() : BRow(lo >> facts_.unit, hi >> facts_.unit, length);
      longest = std::max(longest, length), far += !empty && hi - std::int64_t{lo} >= reach ? 1 : 0;
      begin = end, length_before = length, lo_before = lo, hi_before = hi;
    }
    block_.longest = std::max(block_.longest, longest), block_.far += far;
    scanned_ = to;
  }

  const Pattern& m_;
  const std::int64_t from_, to_;  // the block's rows
  std::int64_t scanned_;          // rows before it have been scanned
  PatternFacts& facts_;
  BlockFacts& block_;
  const std::int64_t reach_;
  std::array<std::uint8_t, kPatternBlock + 8> candidate_;  // set up to scanned_; eight are read together
};

/// Rows first .. last, each but the first the one before moved.
void set_runs(RowRun* run, std::int64_t first, std::int64_t last, Column move) {
  const bool same = move == 0;
  for (std::int64_t i = first; i < last; i++) {
    const auto n = static_cast<std::uint8_t>(std::min<std::int64_t>(last - i, 255));
    const RowRun before = i == first ? run[i] : RowRun();
    run[i] = {.rows = same ? n : std::uint8_t{1},
              .shifts = same ? std::uint8_t{1} : n,
              .same = i == first ? before.same : same,
              .shifted = i == first ? before.shifted : !same};
  }
}

/// Where the run of rows ends that begins with row i, whose rows are each the one before moved by `move`; i where row i
/// is not.
HWY_INLINE std::int64_t end_of_moved(const Pattern& m, std::int64_t i, std::int64_t to, Column move,
                                     RowEndScanner& scanner) {
  const std::int64_t n = m.length(i);
  std::int64_t end = i;
  while (end < to) {
    if (end - i >= kTogether && end + kTogether <= to && all_moved(m, end, n, move)) {
      scanner.set_moved(end, move);
      end += kTogether;
    } else if (scanner.is_candidate(end) && is_moved(m, end, move)) {
      end++;
    } else {
      break;
    }
  }
  return end;
}

// Three cursors go through the block: unchecked <= i <= what the scanner has scanned.
//   scanned    facts of rows before it are set, and they are candidates or not
//   i          runs of rows before it are set
//   unchecked  rows before it are known to rise or not. It stays behind i: a row that is the one before moved rises if
//              that one does, so only the rows between two runs are checked, in one stretch.
BlockFacts ClassifyRows(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts) {
  BlockFacts block;
  RowRun* const run = facts.run.data();
  std::fill(run + from, run + to, RowRun());
  RowEndScanner scanner(m, from, to, facts, block);
  std::int64_t unchecked = from;
  const auto check_up_to = [&](std::int64_t end) {
    if (unchecked < end) block.rising = block.rising && rows_rise(m, unchecked, end);
  };
  for (std::int64_t i = from; (i = scanner.next_candidate(i)) < to;) {
    const Column move = m.col[m.ptr[i]] - m.col[m.ptr[i - 1]];
    const std::int64_t end = end_of_moved(m, i, to, move, scanner);
    if (end == i) {
      i++;
      continue;
    }
    check_up_to(i);
    set_runs(run, i - 1, end, move);
    unchecked = end, block.linked += end - i;
    i = end;
  }
  check_up_to(to);
  return block;
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

HWY_EXPORT(ClassifyRows);

BlockFacts classify_rows(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts) {
  return HWY_DYNAMIC_DISPATCH(ClassifyRows)(m, from, to, facts);
}

}  // namespace rowan
#endif
