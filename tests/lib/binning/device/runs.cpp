// What is said of rows of runs on a device.
#include "lib/binning/device/runs.hpp"

#include <doctest/doctest.h>

#include "tests/lib/device/emulator.hpp"

namespace rowan::test {

using namespace device;

TEST_CASE("a shift mark is a leader's rows, a follower's distance, or none") {
  CHECK_FALSE(ShiftMark().in_bundle());
  CHECK_FALSE(ShiftMark().is_leader());
  CHECK_FALSE(ShiftMark().is_follower());
  for (int n = 1; n < ShiftMark::kMaxRows; n++) {
    const ShiftMark follower = ShiftMark::follower(n), leader = ShiftMark::leader(n + 1);
    CHECK((follower.in_bundle() && follower.is_follower() && !follower.is_leader()));
    CHECK_EQ(follower.behind(), n);
    CHECK((leader.in_bundle() && leader.is_leader() && !leader.is_follower()));
    CHECK_EQ(leader.rows(), n + 1);
  }
}

}  // namespace rowan::test
