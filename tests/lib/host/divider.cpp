#include "lib/host/divider.hpp"

#include <algorithm>
#include <array>

#include <doctest/doctest.h>

namespace rowan::test {

TEST_CASE("a divider keeps what is inside, moved together, and gives the rest, whatever the order of chunks") {
  // rows: {0 3 5} {} {4} {1 6}, columns 3 to 4 inside
  std::array<Column, 4> first_col{0, 3, 5, -1};
  std::array<double, 4> first_val{10, 13, 15, -1};
  std::array<Column, 3> last_col{4, 1, 6};
  std::array<double, 3> last_val{24, 31, 36};
  std::array<Offset, 4> counts{3, 0, 1, 2};
  Divider<double> divider({3, 5}, 4, 2);
  CHECK_EQ(divider.take(1, {2, 4, 0}, counts.data(), last_col.data(), last_val.data()), 1);
  CHECK_EQ(divider.take(0, {0, 2, 0}, counts.data(), first_col.data(), first_val.data()), 1);
  CHECK_EQ(counts, std::array<Offset, 4>{1, 0, 1, 0});
  CHECK_EQ(first_col[0], 0);
  CHECK_EQ(first_val[0], 13);
  CHECK_EQ(last_col[0], 1);
  CHECK_EQ(last_val[0], 24);
  CHECK_EQ(first_col[3], -1);
  CHECK_EQ(first_val[3], -1);
  const Divider<double>::Outside outside = divider.outside();
  const std::array<Offset, 5> ptr{0, 2, 2, 2, 4};
  const std::array<Column, 4> col{0, 3, 1, 4};
  const std::array<double, 4> val{10, 15, 31, 36};
  CHECK(std::ranges::equal(outside.row_ptr.span(), ptr));
  CHECK(std::ranges::equal(outside.col.span(), col));
  CHECK(std::ranges::equal(outside.val.span(), val));
}

}  // namespace rowan::test
