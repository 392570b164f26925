// What a plan writes down: once for rows of one pattern, once for rows of B of one pattern, nothing for shift runs,
// masks for short rows of C.
#include <doctest/doctest.h>

#include "lib/host/replay/kernels.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

replay::PlannedRows all_rows(const Problem<double>& p) {
  return {
      p.a, p.b,     p.measured.rows.data(), p.measured.b->run.data(), p.expected.row_ptr.data(), p.measured.b->sorted,
      0,   p.a.rows};
}

}  // namespace

TEST_CASE("positions are where the products' columns stand in C's rows") {
  const Problem<double> p(shape("up to 600 products"), Values::integers);
  const replay::PlannedRows rows = all_rows(p);
  const replay::PositionCount count = replay::count_positions(rows);
  CHECK_EQ(count.positions, p.measured.all.nprod);
  std::vector<std::uint32_t> slot(static_cast<std::size_t>(p.b.cols), 77);
  std::vector<std::uint16_t> positions(static_cast<std::size_t>(count.positions));
  replay::write_positions(rows, p.expected.col.data(), slot.data(), positions.data());
  std::size_t at = 0, wrong = 0;
  for (std::int64_t i = 0; i < p.a.rows; i++)
    for (std::int64_t e = p.a.ptr[i]; e < p.a.ptr[i + 1]; e++)
      for (std::int64_t k = p.b.ptr[p.a.col[e]]; k < p.b.ptr[p.a.col[e] + 1]; k++, at++) {
        const auto from = static_cast<std::size_t>(p.expected.row_ptr[static_cast<std::size_t>(i)]);
        wrong += p.expected.col[from + positions[at]] == p.b.col[k] ? 0U : 1U;
      }
  CHECK_EQ(wrong, 0U);
}

TEST_CASE("rows of one pattern share their positions, also those of B") {
  // ten equal rows of A in pieces of eight and two; their columns 0 and 1 meet equal rows of B, column 3 another
  const Problem<double> p({"", from_rows(Rows(10, {0, 1, 3}), 4), from_rows({{0, 4}, {0, 4}, {9}, {4, 5, 6}}, 10)},
                          Values::integers);
  const replay::PositionCount count = replay::count_positions(all_rows(p));
  CHECK_EQ(count.positions, 2 * (2 + 3));
  CHECK_EQ(count.longest, 4);
  CHECK_EQ(count.run_longest, 4);
  CHECK_EQ(count.run_a_longest, 3);
}

TEST_CASE("rows of C of at most 64 entries have masks if they are alone, others positions behind them") {
  // a row of three entries, two equal ones, one of 65
  const std::vector<std::int32_t> three = {1, 4, 7};
  std::vector<std::int32_t> all;
  for (std::int32_t k = 0; k < 65; k++) all.push_back(k);
  const Problem<double> p({"", from_rows({{0}, {0, 1}, {0, 1}, {2}}, 3), from_rows({three, {4, 9}, all}, 65)},
                          Values::integers);
  replay::PlannedRows rows = all_rows(p);
  rows.masks = true;
  const replay::PositionCount count = replay::count_positions(rows);
  CHECK_EQ(count.positions, 3 + 2 + 65);
  CHECK_EQ(count.mask_bytes, 4);
  CHECK_EQ(count.longest, 65);
  std::vector<std::uint32_t> slot(65);
  std::vector<std::uint16_t> written(2 + 3 + 2 + 65);
  replay::write_positions(rows, p.expected.col.data(), slot.data(), written.data());
  CHECK_EQ(written[0] & 0xff, 0b111);
  CHECK_EQ(written[2], 0);
  CHECK_EQ(written[4], 2);
  CHECK_EQ(written[5], 1);
  CHECK_EQ(written[6], 3);
  CHECK_EQ(written.back(), 64);
}

TEST_CASE("shift runs need no positions") {
  Rows a, b;
  for (std::int32_t i = 0; i < 20; i++) a.push_back({i, i + 1}), b.push_back({i, i + 3});
  b.push_back({20, 23});
  const Problem<double> p({"", from_rows(a, 21), from_rows(b, 30)}, Values::integers);
  const replay::PlannedRows rows = all_rows(p);
  CHECK_EQ(replay::count_positions(rows).positions, 0);
  const replay::Segment s = replay::segment_at(rows, 0, 20);
  CHECK(s.shifts);
  CHECK_EQ(s.end, 20);
}

}  // namespace rowan::test
