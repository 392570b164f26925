#include "features/measure.hpp"

#include <mutex>
#include <string>
#include <vector>

#include <hwy/cache_control.h>

#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kGrain = 1 << 13;  // rows a task
constexpr std::int64_t kAhead = 24;       // entries of A: B's rows are asked for this early

// Sums in registers, one store of each: a struct filled by halves and copied whole waits for its own stores.
void measure_row(const Pattern& a, const Pattern& b, const ColumnRange* range, std::int64_t row, RowWork& out) {
  Offset nprod = 0;
  std::int64_t longest = 0;
  std::int32_t lo = INT32_MAX, hi = -1;
  for (std::int64_t k = a.ptr[row]; k < a.ptr[row + 1]; k++) {
    const std::int64_t j = a.col[k], n = b.ptr[j + 1] - b.ptr[j];
    if (n == 0) continue;
    nprod = static_cast<Offset>(nprod + n);
    longest = std::max(longest, n);
    lo = std::min(lo, range[j].lo);
    hi = std::max(hi, range[j].hi);
  }
  out.nprod = nprod, out.lo = nprod == 0 ? 0 : lo, out.hi = hi;
  out.b_max = static_cast<std::int32_t>(std::min<std::int64_t>(longest, INT32_MAX));
}

// Whether row i's products are row i - 1's moved by one column, where A's row is.
bool products_move(const Pattern& a, const RowRun* b_run, std::int64_t i) {
  bool all = true;
  for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) all = all && b_run[a.col[k]].shifted;
  return all;
}

/// What a row has to do with the one before it.
enum class Link : std::uint8_t { none, same, moved };

// Rows [first, last) are linked, each to the one before it: they are tallied as one where they are alike.
void finish_group(Measured& m, const Pattern& a, std::int64_t first, std::int64_t last, Link link,
                  BinTallies& tallies) {
  if (first == last) return;
  const std::int64_t n = last - first;
  const bool shift = link == Link::moved && n >= kShiftRun;
  if (n > 1)
    for (std::int64_t i = first; i < last; i++) {
      RowRun& run = m.rows[i].run;
      run.shifted = shift && i != first;
      if (shift) run.shifts = static_cast<std::uint8_t>(std::min<std::int64_t>(last - i, 255)), run.rows = 1;
    }
  const std::int64_t step = shift || link == Link::same ? n : 1;
  for (std::int64_t i = first; i < last; i += step)
    std::fill_n(m.bins.key_of_row.data() + i, step, tallies.add(m.rows[i], a.length(i), step));
}

// What the row's entries will ask of B, fetched while the rows before it are added up.
void prefetch(const Pattern& a, const Pattern& b, const ColumnRange* range, std::int64_t row) {
  const std::int64_t end = std::min(a.ptr[row + 1] + kAhead, a.nnz());
  for (std::int64_t k = std::min(a.ptr[row] + kAhead, end); k < end; k++) {
    hwy::Prefetch(b.ptr + a.col[k]);
    hwy::Prefetch(range + a.col[k]);
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
  const ColumnRange* range = m.b->range.data();
  const bool far = b.rows > (1 << 15);  // B's row pointers and ranges no longer fit the second-level cache
  std::mutex merging;
  BinTallies tallies;
  m.bins.key_of_row = Array<std::uint8_t>(a.rows);
  team.for_blocks(a.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    BinTallies mine;
    std::int64_t group = from;
    Link group_link = Link::none;
    for (std::int64_t i = from; i < to; i++) {
      RowWork& work = m.rows[i];
      const RowRun of_a = m.a->run[i];
      Link link = Link::none;
      if (i != from && of_a.same) link = Link::same;
      if (i != from && of_a.shifted && products_move(a, m.b->run.data(), i)) link = Link::moved;
      // the work of a row of the previous row's pattern, moved or not, is known: FEM matrices are measured once a node,
      // grids once a line
      if (link == Link::none) {
        if (far) prefetch(a, b, range, i);
        measure_row(a, b, range, i, work);
      } else {
        const int by = link == Link::moved ? 1 : 0;
        work = m.rows[i - 1];
        work.lo += by, work.hi += by;
      }
      work.run = {.rows = of_a.rows, .same = of_a.same};
      if (link == Link::none || (group_link != Link::none && link != group_link)) {
        finish_group(m, a, group, i, group_link, mine);
        group = i, group_link = Link::none;
      } else {
        group_link = link;
      }
    }
    finish_group(m, a, group, to, group_link, mine);
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
