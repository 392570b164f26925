#include "features/rows.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/measured.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// Row i, entry by entry.
CRow recount(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t i) {
  CRow row;
  Column lo = INT32_MAX, hi = -1;
  for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) {
    const std::int64_t j = a.col[k];
    row.nprod += b.length(j), row.b_max = std::max(row.b_max, static_cast<std::int32_t>(b.length(j)));
    for (std::int64_t e = b.ptr[j]; e < b.ptr[j + 1]; e++) lo = std::min(lo, b.col[e]), hi = std::max(hi, b.col[e]);
  }
  if (row.nprod == 0) return row;
  const auto unit = [&](Column column) { return static_cast<std::uint32_t>(column >> facts.unit); };
  row.lo = facts.scattered ? 0 : facts.first_column(unit(lo));
  row.hi = facts.scattered ? static_cast<std::int32_t>(b.cols - 1) : facts.last_column(unit(hi), b.cols);
  return row;
}

bool same_row(const CRow& x, const CRow& y) {
  return x.nprod == y.nprod && x.lo == y.lo && x.hi == y.hi && x.b_max == y.b_max && x.run.rows == y.run.rows &&
         x.run.shifts == y.run.shifts && x.run.same == y.run.same && x.run.shifted == y.run.shifted;
}

/// Rows [first, last) of A, measured together and one by one, beside their recount.
void check_rows(const Pattern& a, const Pattern& b, const PatternFacts& facts, std::int64_t first, std::int64_t last) {
  Array<CRow> rows(a.rows);
  Array<std::uint8_t> keys(a.rows);
  BinTallies got, expected;
  LaneTallies lanes;
  measure_rows(a, b, facts, first, last, {rows.data(), keys.data(), got, lanes});
  lanes.add_to(got);
  std::int64_t wrong = 0;
  for (std::int64_t i = first; i < last; i++) {
    const CRow row = recount(a, b, facts, i);
    wrong += same_row(rows[i], row) && same_row(measure_row(a, b, facts, i), row) ? 0 : 1;
    wrong += keys[i] == expected.add(row, a.length(i)) ? 0 : 1;
  }
  CHECK_EQ(wrong, 0);
  const Bins of_got = got.bins({}), of_expected = expected.bins({});
  REQUIRE_EQ(of_got.bins.size(), of_expected.bins.size());
  for (std::size_t k = 0; k < of_got.bins.size(); k++) {
    CHECK_EQ(of_got.bins[k].key.index(), of_expected.bins[k].key.index());
    CHECK(same(of_got.bins[k].tally, of_expected.bins[k].tally));
  }
}

void check_all_rows(const Pattern& a, const Pattern& b) {
  const PatternFacts facts = pattern_facts(b, Team(1));
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    check_rows(a, b, facts, 0, a.rows);
    check_rows(a, b, facts, a.rows / 3, a.rows / 3 + std::min<std::int64_t>(a.rows - a.rows / 3, 13));
  }
}

}  // namespace

TEST_CASE("rows side by side are their recounts, and in their bins, with every instruction set") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      check_all_rows(pattern(shape.a), pattern(shape.right()));
    }
}

TEST_CASE("long rows between short ones, of A and of B") {
  constexpr std::int32_t kCols = 70000;
  Random random(5);
  Rows b;
  for (std::int32_t i = 0; i < kCols; i++) b.push_back({i, i + 1});
  b[4].clear(), b[100].clear();
  for (std::int32_t k = 0; k < 66000; k++) b[100].push_back(k);
  for (const std::int64_t longest : {40, 1500, 2048, 2049, 6000}) {
    CAPTURE(longest);
    Rows a;
    for (std::int64_t i = 0; i < 60; i++)
      a.push_back(some_columns(random, i % 11 == 3 ? longest : i % 5, i == 23 ? 100 : 101, kCols));
    a[30] = {100}, a[41] = {4};
    check_all_rows(pattern(from_rows(a, kCols)), pattern(from_rows(b, kCols + 1)));
  }
}

TEST_CASE("columns beyond what a word tells are told in units") {
  constexpr std::int64_t kCols = (std::int64_t{1} << 24) + 5;
  Rows b;
  for (std::int32_t i = 0; i < 50; i++) b.push_back({i * 3, static_cast<std::int32_t>(kCols - 1 - i * i)});
  Rows a;
  for (std::int32_t i = 0; i < 50; i++) a.push_back({i, (i + 7) % 50});
  for (auto& row : a) std::ranges::sort(row);
  const Sparsity left = from_rows(a, 50), right = from_rows(b, kCols);
  REQUIRE_EQ(pattern_facts(pattern(right), Team(1)).unit, 1);
  check_all_rows(pattern(left), pattern(right));
}

}  // namespace rowan::test
