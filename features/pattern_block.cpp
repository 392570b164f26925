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

// Whether row i is the one before moved by `move` columns. No branch for an entry.
HWY_INLINE bool is_moved(const Pattern& m, std::int64_t i, std::int32_t move) {
  const std::int64_t n = m.length(i);
  if (n != m.length(i - 1)) return false;
  const Column *const col = m.col + m.ptr[i], *const before = col - n;
  std::int32_t differ = 0;
  for (std::int64_t k = 0; k < n; k++) differ |= (col[k] - before[k]) ^ move;
  return differ == 0;
}

constexpr std::int64_t kAtOnce = 8;  // rows of a run that are compared at once, from its ninth on

// Whether rows i .. i + kAtOnce are each the one before, of n entries, moved by `move`. No branch for a row or an
// entry.
HWY_INLINE bool all_moved(const Pattern& m, std::int64_t i, std::int64_t n, std::int32_t move) {
  std::int64_t other = 0;
  for (std::int64_t r = i; r < i + kAtOnce; r++) other |= (m.ptr[r + 1] - m.ptr[r]) ^ n;
  if (other != 0) return false;
  std::int32_t differ = 0;
  const Column *const col = m.col + m.ptr[i], *const before = col - n;
  for (std::int64_t k = 0; k < n * kAtOnce; k++) differ |= (col[k] - before[k]) ^ move;
  return differ == 0;
}

/// Looks at rows one after another, and knows which have the ends of the row before, moved.
class Ends {
 public:
  Ends(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts, BlockFacts& told)
      : m_(m), from_(from), to_(to), known_(from), facts_(facts), told_(told), reach_(m.cols / 4) {}

  /// The first row from i on that is likely to be linked to the one before; the block's end where there is none.
  [[nodiscard]] std::int64_t next_likely(std::int64_t i) {
    for (; i < to_; i++) {
      if (i >= known_) look_at(known_, std::min(to_, known_ + kPiece));
      const std::uint8_t* const at = likely_.data() + (i - from_);
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, sizeof eight);
      if (i + 8 <= known_ && eight == 0)  // bytes from known_ on are not set
        i += 7;
      else if (*at != 0)
        break;
    }
    return i;
  }
  [[nodiscard]] bool likely(std::int64_t i) {
    if (i >= known_) look_at(known_, std::min(to_, known_ + kPiece));
    return likely_[static_cast<std::size_t>(i - from_)] != 0;
  }
  /// Rows i .. i + kAtOnce are each the one before moved.
  void tell_moved(std::int64_t i, std::int32_t move) {
    const std::int64_t length = m_.length(i);
    const Column lo = m_.col[m_.ptr[i]], hi = m_.col[m_.ptr[i + 1] - 1];
    for (std::int32_t r = 0; r < kAtOnce; r++)
      facts_.row[i + r] = {(lo + r * move) >> facts_.unit, (hi + r * move) >> facts_.unit, length};
    known_ = std::max(known_, i + kAtOnce);
  }

 private:
  static constexpr std::int64_t kPiece = 16;

  // No branch on a row: rows of a mesh are as long as the one before one time in four.
  void look_at(std::int64_t i, std::int64_t to) {
    const std::int64_t some = m_.ptr[i], reach = reach_;
    if (some == m_.ptr[to]) {  // no entries, and maybe none behind
      for (; i < to; i++) facts_.row[i] = {}, likely_[static_cast<std::size_t>(i - from_)] = 0;
      known_ = to;
      return;
    }
    std::int64_t begin = some, length_before = 0, longest = 0, far = 0;
    std::int32_t lo_before = 0, hi_before = 0;
    if (i > from_ && m_.ptr[i - 1] != begin)
      length_before = m_.length(i - 1), lo_before = m_.col[m_.ptr[i - 1]], hi_before = m_.col[begin - 1];
    BRow* const row = facts_.row.data();
    for (; i < to; i++) {
      const std::int64_t end = m_.ptr[i + 1], length = end - begin;
      const bool empty = length == 0;
      const Column lo = m_.col[empty ? some : begin], hi = m_.col[empty ? some : end - 1], move = lo - lo_before;
      const bool alike = static_cast<int>(length == length_before) & static_cast<int>(hi - hi_before == move) &
                         static_cast<int>(static_cast<std::uint32_t>(move) <= 1) & static_cast<int>(!empty);
      likely_[static_cast<std::size_t>(i - from_)] = alike ? 1 : 0;
      row[i] = empty ? BRow() : BRow(lo >> facts_.unit, hi >> facts_.unit, length);
      longest = std::max(longest, length), far += !empty && hi - std::int64_t{lo} >= reach ? 1 : 0;
      begin = end, length_before = length, lo_before = lo, hi_before = hi;
    }
    told_.longest = std::max(told_.longest, longest), told_.far += far;
    known_ = to;
  }

  const Pattern& m_;
  const std::int64_t from_, to_;
  std::int64_t known_;  // rows before it have been looked at
  PatternFacts& facts_;
  BlockFacts& told_;
  const std::int64_t reach_;
  std::array<std::uint8_t, kPatternBlock + 8> likely_;  // set up to known_
};

/// Rows first .. last, each but the first the one before moved.
void set_runs(RowRun* run, std::int64_t first, std::int64_t last, std::int32_t move) {
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

// What a block of rows look like, if they rise. A row that is the one before moved rises if that one does: only others
// are asked.
BlockFacts LookAt(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts) {
  BlockFacts told;
  RowRun* const run = facts.run.data();
  std::fill(run + from, run + to, RowRun());
  Ends ends(m, from, to, facts, told);
  std::int64_t unasked = from;
  const auto rise_up_to = [&](std::int64_t i) {
    if (unasked < i) told.rising = told.rising && rows_rise(m, unasked, i);
  };
  for (std::int64_t i = from; (i = ends.next_likely(i)) < to;) {
    const std::int64_t n = m.length(i);
    const std::int32_t move = m.col[m.ptr[i]] - m.col[m.ptr[i - 1]];
    std::int64_t last = i;
    while (last < to) {
      if (last - i >= kAtOnce && last + kAtOnce <= to && all_moved(m, last, n, move)) {
        ends.tell_moved(last, move);
        last += kAtOnce;
      } else if (ends.likely(last) && is_moved(m, last, move)) {
        last++;
      } else {
        break;
      }
    }
    if (last == i) {
      i++;
      continue;
    }
    rise_up_to(i);
    set_runs(run, i - 1, last, move);
    unasked = last, told.linked += last - i;
    i = last;
  }
  rise_up_to(to);
  return told;
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

HWY_EXPORT(LookAt);

BlockFacts look_at(const Pattern& m, std::int64_t from, std::int64_t to, PatternFacts& facts) {
  return HWY_DYNAMIC_DISPATCH(LookAt)(m, from, to, facts);
}

}  // namespace rowan
#endif
