// What streams keep for later ones, emulated or real.
#include "lib/device/runtime/kept_in_order.hpp"

#include <doctest/doctest.h>

#include "lib/device/pipeline/transfer.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {

TEST_CASE("things are kept up to a limit, the oldest first, and taken in any stream") {
  device::KeptInOrder<int, 3> kept;
  const device::OwnStream stream, other;
  CHECK_EQ(kept.size(), 0);
  for (const int thing : {7, 8, 9}) REQUIRE(kept.keep(thing, stream.get()));
  CHECK(kept.full());
  CHECK_FALSE(kept.keep(10, stream.get()));
  CHECK_EQ(kept.take(1, other.get()), 8);
  CHECK_EQ(kept.size(), 2);
  CHECK_EQ(kept[0], 7);
  CHECK_EQ(kept[1], 9);
  REQUIRE(kept.keep(10, other.get()));
  CHECK_EQ(kept[2], 10);
  CHECK_EQ(kept.take(0, stream.get()), 7);
  CHECK_EQ(kept.take(0, stream.get()), 9);
  CHECK_EQ(kept.take(0, stream.get()), 10);
  CHECK_EQ(kept.size(), 0);
}

}  // namespace rowan::test
