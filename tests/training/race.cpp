// Who runs how often, and in what order, by a clock that only runners move.
#include "training/race.hpp"

#include <string>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

using namespace training;

struct Hall {
  double now = 0;
  std::string order;

  std::function<void()> runner(char name, double seconds) {
    return [this, name, seconds] { order += name, now += seconds; };
  }
  std::vector<Timing> hold(const std::vector<std::function<void()>>& runners, const RaceRules& rules) {
    return race(runners, rules, [this] { return now; });
  }
};

}  // namespace

TEST_CASE("a race: everybody runs by turns, after a round to warm up") {
  Hall hall;
  const auto times = hall.hold({hall.runner('a', 2), hall.runner('b', 3)}, {.repeats = 3});
  CHECK_EQ(hall.order, "aabababab");  // the first pays for cold caches
  REQUIRE_EQ(times.size(), 2U);
  CHECK_EQ(times[0].seconds, 2);
  CHECK_EQ(times[1].seconds, 3);
  for (const Timing& t : times) {
    CHECK_EQ(t.runs, 3);
    CHECK_EQ(t.noise, 0);
  }
}

TEST_CASE("a race: the least counts, and the median tells the noise") {
  Hall hall;
  int n = 0;
  const auto times = hall.hold({[&] { hall.now += n++ < 4 ? 2 : 1; }}, {.repeats = 3});
  CHECK_EQ(times[0].seconds, 1);
  CHECK_EQ(times[0].noise, 1);  // 2, 2, 1
}

TEST_CASE("a race: who cannot win is given up after two runs, and timed all the same") {
  Hall hall;
  const auto times =
      hall.hold({hall.runner('a', 1), hall.runner('z', 10)}, {.repeats = 2, .hopeless = 3, .long_run = 100});
  CHECK_EQ(hall.order, "aazzaa");
  CHECK_EQ(times[1].runs, 1);
  CHECK_EQ(times[1].seconds, 10);
}

TEST_CASE("a race: what takes longer than any bad moment is run once") {
  Hall hall;
  const auto times =
      hall.hold({hall.runner('a', 1), hall.runner('z', 10)}, {.repeats = 2, .hopeless = 3, .long_run = 5});
  CHECK_EQ(hall.order, "aazaa");
  CHECK_EQ(times[1].seconds, 10);
}

TEST_CASE("a race: one bad moment gives nobody up") {
  Hall hall;
  int n = 0;
  const auto times =
      hall.hold({hall.runner('a', 1), [&] { hall.now += n++ == 0 ? 10 : 2; }}, {.repeats = 2, .long_run = 100});
  CHECK_EQ(times[1].seconds, 2);
  CHECK_EQ(times[1].runs, 2);
}

TEST_CASE("a race: what is short is run many times in a row") {
  Hall hall;
  const auto times = hall.hold({hall.runner('a', 1)}, {.repeats = 2, .least = 8});
  CHECK_EQ(hall.order.size(), 2U + 2 * 8);
  CHECK_EQ(times[0].seconds, 1);
  CHECK_EQ(times[0].runs, 2);
}

TEST_CASE("a race: no new round once the time is up, and nobody to race is no race") {
  Hall hall;
  const auto times = hall.hold({hall.runner('a', 1)}, {.repeats = 1000, .seconds = 10});
  CHECK_EQ(hall.order.size(), 10U);
  CHECK_EQ(times[0].seconds, 1);
  CHECK(race({}, {}).empty());
  const double before = wall_clock();
  CHECK_LE(before, wall_clock());
}

}  // namespace rowan::test
