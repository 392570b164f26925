#include "features/measure.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include <hwy/cache_control.h>

#include "features/distinct.hpp"
#include "features/rows.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

constexpr std::int64_t kGrain = 1 << 12;  // rows a task: what is known of them stays in the second-level cache

/// Rows from the first on that are all what it is: of one pattern, or of products that move by one column a row.
struct RowGroup {
  std::int64_t rows = 1;
  bool moved = false;
};

/// Whether a row of A is like neither neighbour.
HWY_INLINE bool is_single(RowRun run) noexcept {
  return run.rows == 1 && run.shifts == 1;
}

/// Row i's columns: behind a group they are not where the last that were read ended.
HWY_INLINE void prefetch_row(const Pattern& a, std::int64_t i) {
  if (i >= a.rows) return;
  constexpr std::int64_t kLine = 16;
  for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k += kLine) hwy::Prefetch(a.col + k);
}

/// The group that begins with row i, up to row `to`: FEM matrices are measured once a node, grids once a line. Runs of
/// A's rows are told up to 255 rows and go on from the last of those.
RowGroup group_at(const Pattern& a, const RowRun* a_run, const RowRun* b_run, std::int64_t i, std::int64_t to) {
  std::int64_t last = i;
  const bool moved = a_run[i].rows == 1;
  while (last + 1 < to) {
    std::int64_t n = moved ? a_run[last].shifts : a_run[last].rows;
    for (std::int64_t k = a.ptr[last]; moved && n > 1 && k < a.ptr[last + 1]; k++)
      n = std::min<std::int64_t>(n, b_run[a.col[k]].shifts);
    if (n == 1) break;
    last = std::min(to - 1, last + n - 1);
  }
  const std::int64_t rows = last - i + 1;
  return {moved && rows < kShiftRun ? 1 : rows, moved};
}

/// The rows behind the first of a group; runs of all of them. Member by member: a struct that is filled by parts and
/// copied whole waits for its own stores.
void fill_group(RowGroup group, const RowRun* a_run, CRow* rows) {
  const CRow first = rows[0];
  for (std::int64_t r = 0; r < group.rows; r++) {
    const Column by = group.moved ? static_cast<Column>(r) : 0;
    const auto left = static_cast<std::uint8_t>(std::min<std::int64_t>(group.rows - r, 255));
    CRow& row = rows[r];
    row.nprod = first.nprod, row.b_max = first.b_max;
    row.lo = first.lo + by, row.hi = first.hi + by;
    row.run =
        group.moved ? RowRun{.shifts = left, .shifted = r != 0} : RowRun{.rows = a_run[r].rows, .same = a_run[r].same};
  }
}

/// Measures the rows of a block and sorts them into bins.
void measure_block(const Pattern& a, const Pattern& b, const RowRun* a_run, const PatternFacts& b_facts,
                   std::int64_t from, std::int64_t to, const MeasuredRows& out) {
  const RowRun* const b_run = b_facts.run.data();
  for (std::int64_t i = from; i < to;) {
    std::int64_t first = i;
    RowGroup group;
    for (; first < to; first++)
      if (!is_single(a_run[first]) && (group = group_at(a, a_run, b_run, first, to)).rows > 1) break;
    if (i < first) measure_rows(a, b, b_facts, i, first, out);
    if (first == to) break;
    prefetch_row(a, first + group.rows);
    out.rows[first] = measure_row(a, b, b_facts, first);
    fill_group(group, a_run + first, out.rows + first);
    std::fill_n(out.key_of_row + first, group.rows, out.tallies.add(out.rows[first], a.length(first), group.rows));
    i = first + group.rows;
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

Measured measure(const Pattern& a, const Pattern& b, const Team& team, KnownFacts known) {
  Measured m;
  m.b = known.b ? std::move(known.b) : std::make_shared<PatternFacts>(pattern_facts(b, team));
  check_products(a, b, m.b->longest);
  const std::int64_t first = a == b ? 0 : known.a_first_in_b;
  m.a = first >= 0 ? m.b : std::make_shared<PatternFacts>(pattern_facts(a, team));
  const RowRun* const a_run = m.a->run.data() + std::max<std::int64_t>(first, 0);
  m.columns = b.cols, m.b_rows = b.rows;
  m.single_b = single_entries(b);
  m.rows = Array<CRow>(a.rows);
  m.bins.key_of_row = Array<std::uint8_t>(a.rows);
  std::mutex merging;
  BinTallies tallies;
  team.for_blocks(a.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    BinTallies mine;
    LaneTallies lanes;
    measure_block(a, b, a_run, *m.b, from, to, {m.rows.data(), m.bins.key_of_row.data(), mine, lanes});
    lanes.add_to(mine);
    const std::lock_guard lock(merging);
    tallies.add(mine);
  });
  m.bins = tallies.bins(std::move(m.bins.key_of_row));
  for (const Bin& bin : m.bins.bins) m.all.add(bin.tally);
  return m;
}

std::int64_t least_entries(const Pattern& a, const Pattern& b, const PatternFacts& b_facts, const Team& team) {
  std::atomic<std::int64_t> all = 0;
  team.for_blocks(a.rows, kGrain, [&](std::int64_t from, std::int64_t to) {
    std::int64_t sum = 0;
    for (std::int64_t i = from; i < to; i++) {
      std::int64_t longest = 0;
      for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) longest = std::max(longest, b.length(a.col[k]));
      sum += b_facts.sorted ? longest : std::min<std::int64_t>(longest, 1);
    }
    all += sum;
  });
  return all;
}

float sample_compression(const Pattern& a, const Pattern& b, const Measured& measured) {
  constexpr std::int64_t kRows = 64, kShare = 512, kLeast = 4096;
  const std::int64_t budget = measured.all.nprod / kShare + kLeast, step = std::max<std::int64_t>(1, a.rows / kRows);
  std::int64_t nprod = 0, nnz = 0;
  std::vector<Column> columns;
  DistinctColumns distinct;
  for (std::int64_t i = step / 2; i < a.rows; i += step) {
    const CRow& row = measured.rows[i];
    if (row.nprod == 0 || row.nprod > budget - nprod) continue;
    nprod += row.nprod;
    columns.clear();
    for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
      columns.insert(columns.end(), b.col + b.ptr[a.col[k]], b.col + b.ptr[a.col[k] + 1]);
    nnz += distinct.count(columns, row.lo, row.hi);
  }
  return nnz == 0 ? 1.0F : static_cast<float>(static_cast<double>(nprod) / static_cast<double>(nnz));
}

}  // namespace rowan
