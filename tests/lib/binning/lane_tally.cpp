#include "lib/binning/lane_tally.hpp"

#include <doctest/doctest.h>

namespace rowan::test {

TEST_CASE("lanes' tallies are the sums and maxima of all lanes, in the bins that were met") {
  LaneTallies lanes;
  LaneTally& t = lanes.of(7);
  for (std::size_t lane = 0; lane < LaneTally::kLanes; lane++) {
    const auto n = static_cast<std::int64_t>(lane) + 1;
    t.nprod[lane] = n, t.nprod_max[lane] = 10 * n, t.bound[lane] = 2 * n, t.bound_max[lane] = 11 * n;
    t.a_nnz[lane] = 3 * n, t.a_nnz_max[lane] = 12 * n, t.span[lane] = 4 * n, t.span_max[lane] = 100 - n;
    t.b_row_max[lane] = 13 * n, t.nprod_squares[lane] = 0.5 * static_cast<double>(n);
  }
  t.rows = 5;
  CHECK_EQ(&lanes.of(7), &t);
  lanes.of(3).rows = 2;
  BinTallies tallies;
  tallies.add(7, {.rows = 1, .nprod = 1});
  lanes.add_to(tallies);
  const Bins bins = tallies.bins({});
  REQUIRE_EQ(bins.bins.size(), 2);
  CHECK_EQ(bins.bins[0].key.index(), 3);
  CHECK_EQ(bins.bins[0].tally.rows, 2);
  CHECK_EQ(bins.bins[0].tally.span_max, 0);
  const Tally& sum = bins.bins[1].tally;
  CHECK_EQ(bins.bins[1].key.index(), 7);
  CHECK_EQ(sum.rows, 6);
  CHECK_EQ(sum.nprod, 37);
  CHECK_EQ(sum.nprod_max, 80);
  CHECK_EQ(sum.bound, 72);
  CHECK_EQ(sum.bound_max, 88);
  CHECK_EQ(sum.a_nnz, 108);
  CHECK_EQ(sum.a_nnz_max, 96);
  CHECK_EQ(sum.span, 144);
  CHECK_EQ(sum.span_max, 99);
  CHECK_EQ(sum.b_row_max, 104);
  CHECK_EQ(sum.nprod_squares, 18);
}

}  // namespace rowan::test
