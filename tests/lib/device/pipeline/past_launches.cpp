#include "lib/device/pipeline/past_launches.hpp"

#include <doctest/doctest.h>

namespace rowan::device {

TEST_CASE("what a launch told is found by its sizes, and is forgotten for what the next one told") {
  PastLaunches past;
  const auto one = PastLaunches::name(10, 20, 30), other = PastLaunches::name(20, 10, 30);
  CHECK_NE(one, other);
  CHECK_FALSE(past.find(one).has_value());
  past.note(one, {.entries = std::int64_t{1} << 37, .tile_rows = 32, .most = 512, .counted = true, .skips = 31});
  CHECK_FALSE(past.find(other).has_value());
  auto found = past.find(one);
  REQUIRE(found);
  CHECK_EQ(found->entries, std::int64_t{1} << 37);
  CHECK_EQ(found->tile_rows, 32);
  CHECK_EQ(found->most, 512);
  CHECK(found->counted);
  CHECK_EQ(found->skips, 31);
  past.note(one, {.entries = 7, .tile_rows = 1, .most = 0, .counted = false, .skips = 0});
  found = past.find(one);
  REQUIRE(found);
  CHECK_EQ(found->entries, 7);
  CHECK_EQ(found->tile_rows, 1);
  CHECK_FALSE(found->counted);
  CHECK_EQ(found->skips, 0);
}

}  // namespace rowan::device
