#include "lib/host/block_race.hpp"

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

/// Blocks that each contestant gets of `blocks`, whose cost is what `seconds` says.
template <std::size_t N>
std::array<int, N> run(const std::array<double, N>& seconds, int blocks) {
  BlockRace race;
  std::array<int, N> got{};
  for (int b = 0; b < blocks; b++) {
    const std::size_t who = race.next(N);
    REQUIRE(who < N);
    got[who]++;
    race.took(who, seconds[who] * 100, 100);
  }
  return got;
}

}  // namespace

TEST_CASE("the fastest gets nearly all blocks, whichever it is") {
  for (std::size_t fastest = 0; fastest < 3; fastest++) {
    std::array<double, 3> seconds{3, 3, 3};
    seconds[fastest] = 1;
    const auto got = run(seconds, 1000);
    CHECK_GT(got[fastest], 980);
    for (const int n : got) CHECK_GE(n, 2);
  }
}

TEST_CASE("one that is nearly as fast is tried again now and then, one that is slower rarely") {
  const auto near = run(std::array<double, 2>{1, 1.02}, 1000), far = run(std::array<double, 2>{1, 4}, 1000);
  CHECK_GT(near[1], 20);
  CHECK_LT(near[1], 60);
  CHECK_EQ(far[1], 2);
}

TEST_CASE("a contestant whose blocks become cheaper takes over") {
  BlockRace race;
  int second = 0;
  for (int b = 0; b < 2000; b++) {
    const std::size_t who = race.next(2);
    const double cost = who == 0 ? 1 : b < 500 ? 1.5 : 0.5;
    race.took(who, cost, 1);
    if (b >= 1000 && who == 1) second++;
  }
  CHECK_GT(second, 900);
}

TEST_CASE("one contestant runs alone") {
  CHECK_EQ(run(std::array<double, 1>{1}, 50)[0], 50);
}

}  // namespace rowan::test
