#include "features/measure.hpp"

#include <array>
#include <mutex>
#include <string>
#include <vector>

#include <hwy/cache_control.h>

#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kGrain = 1 << 12;  // rows a task: what is known of them stays in the second-level cache
constexpr std::int64_t kAhead = 24;       // entries of A: what is known of B's rows is asked for this early

/// A row whose products no word of B's rows tells.
void measure_long(const Pattern& a, const Pattern& b, std::int64_t begin, std::int64_t end, RowWork& out) {
  out.nprod = 0, out.b_max = 0;
  for (std::int64_t k = begin; k < end; k++) {
    const std::int64_t length = b.length(a.col[k]);
    out.nprod = static_cast<Offset>(out.nprod + length);
    out.b_max = std::max(out.b_max, static_cast<std::int32_t>(length));
  }
}

// Sums in registers, one store of each: a struct filled by halves and copied whole waits for its own stores. No branch
// on what is read, which comes late. Forced inline, else g++ 12 drops what only prefetches.
template <bool Ahead>
HWY_INLINE void measure_row(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t begin,
                            std::int64_t end, RowWork& out) {
  const RowFacts* const of_b = facts.row.data();
  std::int64_t nprod = 0;
  std::uint32_t longest = 0, lo = RowFacts::kNoColumn;
  std::uint64_t most = 0;
  for (std::int64_t k = begin; k < end; k++) {
    if constexpr (Ahead) hwy::Prefetch(of_b + a.col[k + kAhead]);
    const RowFacts row = of_b[a.col[k]];
    nprod += row.length();
    longest = std::max(longest, row.length()), lo = std::min(lo, row.lo()), most = std::max(most, row.word);
  }
  const bool none = nprod == 0;
  out.nprod = static_cast<Offset>(nprod), out.b_max = static_cast<std::int32_t>(longest);
  out.lo = none ? 0 : facts.first_column(lo), out.hi = none ? -1 : facts.last_column(RowFacts::hi_of(most), b.cols);
  if (longest == RowFacts::kLong) measure_long(a, b, begin, end, out);
}

/// The same of scattered rows: a byte each, no ranges.
template <bool Ahead>
HWY_INLINE void measure_scattered(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t begin,
                                  std::int64_t end, RowWork& out) {
  const std::uint8_t* const length = facts.length.data();
  std::int64_t nprod = 0;
  std::int32_t longest = 0;
  for (std::int64_t k = begin; k < end; k++) {
    if constexpr (Ahead) hwy::Prefetch(length + a.col[k + kAhead]);
    nprod += length[a.col[k]];
    longest = std::max<std::int32_t>(longest, length[a.col[k]]);
  }
  out.nprod = static_cast<Offset>(nprod), out.b_max = longest;
  out.lo = 0, out.hi = nprod == 0 ? -1 : static_cast<std::int32_t>(b.cols - 1);
  if (longest == 255) measure_long(a, b, begin, end, out);
}

/// What a row has to do with the one before it.
enum class Link : std::uint8_t { none, same, moved };

/// The rows from i on, row i included, that are all linked to the one before in one way: equal rows, or rows moved by
/// one column that meet rows of B which are.
struct Linked {
  Link link = Link::none;
  std::int64_t rows = 1;
};
HWY_INLINE Linked linked_rows(const Pattern& a, RowRun of_a, const RowRun* b, std::int64_t begin, std::int64_t end) {
  if (of_a.rows > 1) return {Link::same, of_a.rows};
  std::int64_t rows = of_a.shifts;
  for (std::int64_t k = begin; rows > 1 && k < end; k++) rows = std::min<std::int64_t>(rows, b[a.col[k]].shifts);
  return {rows > 1 ? Link::moved : Link::none, rows};
}

/// Measures the rows of a block. The work of rows of the previous row's pattern, moved or not, is known: FEM matrices
/// are measured once a node, grids once a line.
template <bool Scattered>
void measure_block(const Pattern& a, const Pattern& b, const PatternFacts& a_facts, const PatternFacts& b_facts,
                   std::int64_t from, std::int64_t to, RowWork* rows, Link* links) {
  const RowRun* const b_run = b_facts.run.data();
  // beyond 2 MiB what is known of B's rows is far from the second-level cache, and asking ahead pays
  const bool far = b_facts.row.size() > (Scattered ? 1 << 21 : 1 << 18);
  const std::int64_t safe = far ? a.nnz() - kAhead : 0;
  std::int64_t begin = a.ptr[from];
  bool alone = true;  // row i is not linked to the one before: that one was asked
  for (std::int64_t i = from; i < to;) {
    const std::int64_t end = a.ptr[i + 1];
    const RowRun of_a = a_facts.run[i];
    RowWork& work = rows[i];
    Link& link = links[i - from];
    link = alone          ? Link::none
           : of_a.same    ? Link::same
           : of_a.shifted ? linked_rows(a, a_facts.run[i - 1], b_run, begin - (end - begin), begin).link
                          : Link::none;
    if (link != Link::none) {
      const int by = link == Link::moved ? 1 : 0;
      const RowWork& before = rows[i - 1];
      work.nprod = before.nprod, work.lo = before.lo + by, work.hi = before.hi + by, work.b_max = before.b_max;
    } else if constexpr (Scattered) {
      if (end <= safe)
        measure_scattered<true>(a, b, b_facts, begin, end, work);
      else
        measure_scattered<false>(a, b, b_facts, begin, end, work);
    } else {
      if (end <= safe)
        measure_row<true>(a, b, b_facts, begin, end, work);
      else
        measure_row<false>(a, b, b_facts, begin, end, work);
    }
    work.run = {.rows = of_a.rows, .same = of_a.same};
    const Linked next = linked_rows(a, of_a, b_run, begin, end);
    const std::int64_t last = std::min(to, i + next.rows);
    alone = next.rows == 1, i++;
    if (alone) {
      begin = end;
      continue;
    }
    for (RowWork before = work; i < last; i++) {
      if (next.link == Link::moved) before.lo++, before.hi++;
      const RowRun run = a_facts.run[i];
      before.run = {.rows = run.rows, .same = run.same};
      rows[i] = before, links[i - from] = next.link;
    }
    begin = a.ptr[i];
  }
}

/// Sorts the rows of a block into bins, those that are linked and alike at once. A group is linked in one way; shift
/// runs are known from here on.
void tally_block(const Pattern& a, std::int64_t from, std::int64_t to, RowWork* rows, const Link* links,
                 BinTallies& tallies, std::uint8_t* key_of_row) {
  for (std::int64_t i = from; i < to;) {
    std::int64_t last = i + 1;
    const Link link = last < to ? links[last - from] : Link::none;
    if (link != Link::none)
      while (last < to && links[last - from] == link) last++;
    const std::int64_t n = last - i;
    if (n == 1) {
      key_of_row[i] = tallies.add(rows[i], a.length(i));
      i = last;
      continue;
    }
    const bool shift = link == Link::moved && n >= kShiftRun;
    for (std::int64_t r = i; shift && r < last; r++) {
      RowRun& run = rows[r].run;
      run.shifted = r != i, run.shifts = static_cast<std::uint8_t>(std::min<std::int64_t>(last - r, 255)), run.rows = 1;
    }
    const std::int64_t step = shift || link == Link::same ? n : 1;
    for (; i < last; i += step)
      if (step == 1)
        key_of_row[i] = tallies.add(rows[i], a.length(i));
      else
        std::fill_n(key_of_row + i, step, tallies.add(rows[i], a.length(i), step));
  }
}

}  // namespace

void check_products(const Pattern& a, const Pattern& b, std::int64_t longest) {
  // nothing overflows where all of A meeting the longest row of B does not; else they are counted
  if (longest == 0 || a.nnz() - a.ptr[0] <= kMaxOffset / longest) return;
  Offset nprod = 0;
  for (std::int64_t k = a.ptr[0]; k < a.nnz(); k++)
    if (__builtin_add_overflow(nprod, b.length(a.col[k]), &nprod))
      throw Error(ErrorCode::overflow, "A and B have more than " + std::to_string(kMaxOffset) + " products");
}

Measured measure(const Pattern& a, const Pattern& b, const Team& team, std::shared_ptr<const PatternFacts> b_facts) {
  Measured m;
  m.b = b_facts ? std::move(b_facts) : std::make_shared<PatternFacts>(pattern_facts(b, team));
  check_products(a, b, m.b->longest);
  m.a = a == b ? m.b : std::make_shared<PatternFacts>(pattern_facts(a, team));
  m.columns = b.cols;
  m.rows = Array<RowWork>(a.rows);
  m.bins.key_of_row = Array<std::uint8_t>(a.rows);
  std::mutex merging;
  BinTallies tallies;
  team.for_blocks(a.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    std::array<Link, kGrain> links;
    BinTallies mine;
    const auto measure_rows = m.b->scattered ? measure_block<true> : measure_block<false>;
    measure_rows(a, b, *m.a, *m.b, from, to, m.rows.data(), links.data());
    tally_block(a, from, to, m.rows.data(), links.data(), mine, m.bins.key_of_row.data());
    const std::lock_guard lock(merging);
    tallies.add(mine);
  });
  m.bins = tallies.bins(std::move(m.bins.key_of_row));
  for (const Bin& bin : m.bins.bins) m.all.add(bin.tally);
  return m;
}

namespace {

/// Entries of single rows of C.
class SampleCounter {
 public:
  SampleCounter(const Pattern& a, const Pattern& b) : a_(a), b_(b) {}

  [[nodiscard]] std::int64_t count(std::int64_t i, const RowWork& row) {
    constexpr std::int64_t kWide = 64;  // columns of the span for each product
    return row.span() > kWide * row.nprod ? sorted(i) : marked(i, row);
  }

 private:
  template <class F>
  void each_column(std::int64_t i, const F& visit) const {
    for (std::int64_t k = a_.ptr[i]; k < a_.ptr[i + 1]; k++)
      for (std::int64_t l = b_.ptr[a_.col[k]]; l < b_.ptr[a_.col[k] + 1]; l++) visit(b_.col[l]);
  }
  std::int64_t sorted(std::int64_t i) {
    columns_.clear();
    each_column(i, [&](std::int32_t column) { columns_.push_back(column); });
    std::sort(columns_.begin(), columns_.end());
    return std::unique(columns_.begin(), columns_.end()) - columns_.begin();
  }
  /// A bit a column of the span: sorting took a tenth of a whole product of finite elements.
  std::int64_t marked(std::int64_t i, const RowWork& row) {
    std::int64_t nnz = 0;
    seen_.assign(static_cast<std::size_t>(row.span() + 63) / 64, 0);
    each_column(i, [&](std::int32_t column) {
      const auto at = static_cast<std::size_t>(column - row.lo);
      const std::uint64_t bit = std::uint64_t{1} << (at % 64);
      nnz += (seen_[at / 64] & bit) == 0 ? 1 : 0;
      seen_[at / 64] |= bit;
    });
    return nnz;
  }

  const Pattern &a_, &b_;
  std::vector<std::int32_t> columns_;
  std::vector<std::uint64_t> seen_;
};

}  // namespace

float sample_compression(const Pattern& a, const Pattern& b, const Measured& measured) {
  constexpr std::int64_t kRows = 64, kShare = 512, kLeast = 4096;
  const std::int64_t budget = measured.all.nprod / kShare + kLeast, step = std::max<std::int64_t>(1, a.rows / kRows);
  std::int64_t nprod = 0, nnz = 0;
  SampleCounter counter(a, b);
  for (std::int64_t i = step / 2; i < a.rows; i += step) {
    const RowWork& row = measured.rows[i];
    if (row.nprod == 0 || row.nprod > budget - nprod) continue;
    nprod += row.nprod;
    nnz += counter.count(i, row);
  }
  return nnz == 0 ? 1.0F : static_cast<float>(static_cast<double>(nprod) / static_cast<double>(nnz));
}

}  // namespace rowan
