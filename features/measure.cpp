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

// Sums in registers, one store of each: a struct filled by halves and copied whole waits for its own stores. Forced
// inline, else g++ 12 drops what only prefetches.
template <bool Ahead>
HWY_INLINE void measure_row(const Pattern& a, const RowFacts* b, std::int64_t begin, std::int64_t end, RowWork& out) {
  Offset nprod = 0;
  std::int32_t longest = 0, lo = INT32_MAX, hi = -1;
  for (std::int64_t k = begin; k < end; k++) {
    if constexpr (Ahead) hwy::Prefetch(b + a.col[k + kAhead]);
    const RowFacts& row = b[a.col[k]];
    nprod = static_cast<Offset>(nprod + row.length);
    longest = std::max(longest, row.length);
    lo = std::min(lo, row.length == 0 ? INT32_MAX : row.lo);
    hi = std::max(hi, row.hi);
  }
  out.nprod = nprod, out.lo = nprod == 0 ? 0 : lo, out.hi = hi, out.b_max = longest;
}

// Whether row i's products are row i - 1's moved by one column, where A's row is.
HWY_INLINE bool products_move(const Pattern& a, const RowFacts* b, std::int64_t begin, std::int64_t end) {
  bool all = true;
  for (std::int64_t k = begin; k < end; k++) all = all && b[a.col[k]].run.shifted;
  return all;
}

/// What a row has to do with the one before it.
enum class Link : std::uint8_t { none, same, moved };

/// Measures the rows of a block. The work of a row of the previous row's pattern, moved or not, is known: FEM matrices
/// are measured once a node, grids once a line.
void measure_block(const Pattern& a, const PatternFacts& a_facts, const PatternFacts& b_facts, std::int64_t from,
                   std::int64_t to, RowWork* rows, Link* links) {
  const RowFacts* const b = b_facts.row.data();
  // beyond, what is known of B's rows no longer fits the second-level cache, and asking ahead pays
  const std::int64_t safe = b_facts.row.size() > (1 << 17) ? a.nnz() - kAhead : 0;
  std::int64_t begin = a.ptr[from];
  for (std::int64_t i = from; i < to; i++) {
    const std::int64_t end = a.ptr[i + 1];
    const RowRun of_a = a_facts.run[i];
    RowWork& work = rows[i];
    Link link = Link::none;
    if (i != from && of_a.same) link = Link::same;
    if (i != from && of_a.shifted && products_move(a, b, begin, end)) link = Link::moved;
    if (link != Link::none) {
      const int by = link == Link::moved ? 1 : 0;
      const RowWork& before = rows[i - 1];
      work.nprod = before.nprod, work.lo = before.lo + by, work.hi = before.hi + by, work.b_max = before.b_max;
    } else if (end <= safe) {
      measure_row<true>(a, b, begin, end, work);
    } else {
      measure_row<false>(a, b, begin, end, work);
    }
    work.run = {.rows = of_a.rows, .same = of_a.same};
    links[i - from] = link;
    begin = end;
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
      key_of_row[i] = tallies.add(rows[i], a.length(i), 1);
      i = last;
      continue;
    }
    const bool shift = link == Link::moved && n >= kShiftRun;
    for (std::int64_t r = i; shift && r < last; r++) {
      RowRun& run = rows[r].run;
      run.shifted = r != i, run.shifts = static_cast<std::uint8_t>(std::min<std::int64_t>(last - r, 255)), run.rows = 1;
    }
    const std::int64_t step = shift || link == Link::same ? n : 1;
    for (; i < last; i += step) std::fill_n(key_of_row + i, step, tallies.add(rows[i], a.length(i), step));
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
    measure_block(a, *m.a, *m.b, from, to, m.rows.data(), links.data());
    tally_block(a, from, to, m.rows.data(), links.data(), mine, m.bins.key_of_row.data());
    const std::lock_guard lock(merging);
    tallies.add(mine);
  });
  m.bins = tallies.bins(std::move(m.bins.key_of_row));
  for (const Bin& bin : m.bins.bins) m.all.add(bin.tally);
  return m;
}

float sample_compression(const Pattern& a, const Pattern& b, const Measured& measured) {
  constexpr std::int64_t kRows = 64, kShare = 512, kLeast = 4096;
  const std::int64_t budget = measured.all.nprod / kShare + kLeast, step = std::max<std::int64_t>(1, a.rows / kRows);
  std::int64_t nprod = 0, nnz = 0;
  std::vector<std::int32_t> columns;
  for (std::int64_t i = step / 2; i < a.rows; i += step) {
    if (measured.rows[i].nprod == 0 || measured.rows[i].nprod > budget - nprod) continue;
    columns.clear();
    for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
      columns.insert(columns.end(), b.col + b.ptr[a.col[k]], b.col + b.ptr[a.col[k] + 1]);
    std::sort(columns.begin(), columns.end());
    nprod += measured.rows[i].nprod;
    nnz += std::unique(columns.begin(), columns.end()) - columns.begin();
  }
  return nnz == 0 ? 1.0F : static_cast<float>(static_cast<double>(nprod) / static_cast<double>(nnz));
}

}  // namespace rowan
