// Where rows are cut for several devices.
#include "lib/api/row_cuts.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "tests/support/matrices.hpp"

namespace rowan::test {

TEST_CASE("cuts give each device as much, in order, and all rows to the first where one device takes little") {
  const Factors<double> f(shape("large power law with a hub"), Values::integers);
  const Team team(1);
  const Prepared<double> prepared(f.a(), "A", true, team);
  const Operand<double>& a = prepared.operand();
  const auto cost = [&](std::int64_t begin, std::int64_t end) {
    std::int64_t sum = 0;
    for (std::int64_t i = begin; i < end; i++) {
      sum += 16 + 4 * a.length(i);
      for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) sum += a.length(a.col[e]);
    }
    return sum;
  };
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < a.rows; i++) longest = std::max(longest, cost(i, i + 1));
  for (const int devices : {1, 2, 5, 16}) {
    CAPTURE(devices);
    const auto first = row_cuts(a, a, devices, 1, team);
    REQUIRE_EQ(first.size(), static_cast<std::size_t>(devices) + 1);
    CHECK_EQ(first.front(), 0);
    CHECK_EQ(first.back(), a.rows);
    CHECK(std::ranges::is_sorted(first));
    for (std::size_t k = 0; k + 1 < first.size(); k++)
      CHECK_LE(cost(first[k], first[k + 1]), cost(0, a.rows) / devices + longest + devices);
    const auto alone = row_cuts(a, a, devices, 1e-5, team);
    CHECK(std::all_of(alone.begin() + 1, alone.end(), [&](std::int64_t row) { return row == a.rows; }));
  }
}

TEST_CASE("the prediction for one device grows with products and entries, and views that are not looked at are large") {
  CHECK_EQ(device_seconds_of(0, 0), 0);
  CHECK_GT(device_seconds_of(2e9, 1e8), device_seconds_of(1e9, 1e8));
  CHECK_GT(device_seconds_of(1e9, 2e8), device_seconds_of(1e9, 1e8));
  const Factors<double> f(shape("banded"), Values::integers);
  CHECK_LT(one_device_seconds(f.a(), f.b()), 1e-4);
  CHECK_EQ(one_device_seconds(transposed(f.a()), f.b()), 1);
}

}  // namespace rowan::test
