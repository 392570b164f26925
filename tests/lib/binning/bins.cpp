#include "lib/binning/bins.hpp"

#include <numeric>

#include <doctest/doctest.h>

#include "features/measure.hpp"
#include "tests/accumulators/kernels.hpp"
#include "tests/support/measured.hpp"

namespace rowan::test {
namespace {

CRow row(std::int64_t nprod, std::int64_t span = 1, bool in_run = false, bool in_shift = false) {
  CRow r;
  r.nprod = nprod, r.hi = static_cast<std::int32_t>(span - 1), r.run.same = in_run, r.run.shifted = in_shift;
  return r;
}

}  // namespace

TEST_CASE("a row's bin is its class by products, its span and whether it is in a run") {
  CHECK_EQ(BinKey::of(row(0), 0).label(), "empty");
  CHECK_EQ(BinKey::of(row(0, 0), 5).label(), "empty");
  CHECK_EQ(BinKey::of(row(100), 1).label(), "one entry");
  CHECK_EQ(BinKey::of(row(1), 2).label(), "nprod 1-16");
  CHECK_EQ(BinKey::of(row(16), 2).label(), "nprod 1-16");
  CHECK_EQ(BinKey::of(row(17), 2).label(), "nprod 17-32");
  CHECK_EQ(BinKey::of(row(512), 2).label(), "nprod 257-512");
  CHECK_EQ(BinKey::of(row(513, kNarrowSpan), 2).label(), "nprod 513-2048");
  CHECK_EQ(BinKey::of(row(513, kNarrowSpan + 1), 2).label(), "nprod 513-2048, wide");
  CHECK_EQ(BinKey::of(row(40, 9, true), 2).label(), "nprod 33-64, run");
  CHECK_EQ(BinKey::of(row(INT64_MAX, kNarrowSpan + 1, true), 2).label(), "nprod over 8388608, wide, run");
  CHECK_EQ(BinKey::of(row(25, 9, false, true), 5).label(), "nprod 17-32, shift");
  CHECK_EQ(BinKey::of(row(25, kNarrowSpan + 1, true, true), 5).label(), "nprod 17-32, wide, shift");
}

TEST_CASE("every border is the last of its class") {
  for (std::size_t c = 0; c + 1 < kBinBorders.size(); c++) {
    const BinKey at = BinKey::of(row(kBinBorders[c]), 2), behind = BinKey::of(row(kBinBorders[c] + 1), 2);
    CHECK_EQ(behind.index() - at.index(), BinKey::kOfClass);
  }
  CHECK_LT(BinKey::of(row(INT64_MAX, kNarrowSpan + 1, true, true), 2).index(), BinKey::kCount);
  for (int key = BinKey::kFirstClass; key < BinKey::kCount; key++) CHECK_EQ(BinKey(BinKey(key).parts()).index(), key);
}

TEST_CASE("bins partition the rows, by rising key, each with the sums of its rows") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      CAPTURE(shape.name);
      const Factors<float> f(shape, Values::integers);
      const auto a = Problem<float>::operand(f.a()), b = Problem<float>::operand(f.b());
      const Measured m = measure(a, b, Team(1));
      const Bins& bins = m.bins;
      std::vector<Tally> recount(bins.bins.size());
      for (std::int64_t i = 0; i < a.rows; i++) {
        const auto at = static_cast<std::size_t>(bins.of(i));
        CHECK_EQ(bins.bins[at].key.index(), BinKey::of(m.rows[i], a.length(i)).index());
        recount[at].add(m.rows[i], a.length(i), m.rows[i].bound());
      }
      for (std::size_t n = 0; n < bins.bins.size(); n++) {
        CHECK(same(bins.bins[n].tally, recount[n]));
        if (n != 0) CHECK_LT(bins.bins[n - 1].key.index(), bins.bins[n].key.index());
      }
      const Measured measured_by_four = measure(a, b, Team(4));
      const Bins& by_four = measured_by_four.bins;
      REQUIRE_EQ(by_four.bins.size(), bins.bins.size());
      for (std::size_t n = 0; n < bins.bins.size(); n++) CHECK(same(bins.bins[n].tally, by_four.bins[n].tally));
    }
}

TEST_CASE("where a bin's rows end is never told too late, and many of them at once") {
  for (const std::int64_t n : {1, 7, 8, 9, 16, 17, 63, 200}) {
    for (std::int64_t at = 0; at < n; at++) {
      Bins bins;
      bins.key_of_row = Array<std::uint8_t>(n);
      std::fill_n(bins.key_of_row.data(), n, std::uint8_t{3});
      bins.key_of_row[at] = 4;
      std::int64_t steps = 0, row = 0;
      for (; row < n; steps++) {
        const std::int64_t end = bins.same_bin(row, n);
        CHECK_GT(end, row);
        CHECK_LE(end, n);
        for (std::int64_t i = row; i < end; i++) CHECK_EQ(bins.key_of_row[i], bins.key_of_row[row]);
        row = end;
      }
      CHECK_LE(steps, n / 8 + 20);
    }
    CHECK_EQ(Bins().same_bin(2, n + 3), n + 3);
  }
}

TEST_CASE("one bin holds all rows") {
  const Problem<double> p(shape("up to 600 products"), Values::integers);
  const Bins bins = one_bin(p.measured.all);
  REQUIRE_EQ(bins.bins.size(), 1U);
  CHECK(same(bins.bins[0].tally, p.measured.all));
  for (std::int64_t i = 0; i < p.a.rows; i++) CHECK_EQ(bins.of(i), 0);
}

}  // namespace rowan::test
