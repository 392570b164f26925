#include "lib/device/pipeline/races.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace rowan::device {
namespace {

constexpr double kLikely = 50e-6;

/// The ways of `n` products of the same sizes, whose times are these.
std::vector<Way> ways(Races& races, std::uint64_t sizes, int n, double launch, double phases) {
  std::vector<Way> made;
  for (int k = 0; k < n; k++) {
    const auto [way, timed] = races.next(sizes, kLikely);
    made.push_back(way);
    races.note(sizes, way, timed ? (way == Way::one_launch ? launch : phases) : 0);
  }
  return made;
}
std::vector<Way> in_turn(std::vector<std::pair<int, Way>> runs) {
  std::vector<Way> all;
  for (const auto& [n, way] : runs) all.insert(all.end(), static_cast<std::size_t>(n), way);
  return all;
}

}  // namespace

TEST_CASE("where one launch takes no longer than two phases are likely to, nothing else is tried") {
  Races races;
  CHECK(ways(races, 7, 20, kLikely, 1e-6) == in_turn({{20, Way::one_launch}}));
}

TEST_CASE("where it takes longer, two phases are, and the faster way goes on") {
  Races races;
  CHECK(ways(races, 7, 20, 100e-6, 80e-6) == in_turn({{3, Way::one_launch}, {17, Way::two_phases}}));
  CHECK(ways(races, 8, 20, 100e-6, 120e-6) ==
        in_turn({{3, Way::one_launch}, {4, Way::two_phases}, {13, Way::one_launch}}));
  CHECK(ways(races, 9, 20, 100e-6, 98e-6) ==
        in_turn({{3, Way::one_launch}, {4, Way::two_phases}, {13, Way::one_launch}}));
  CHECK(ways(races, 7, 3, 100e-6, 80e-6) == in_turn({{3, Way::two_phases}}));
}

TEST_CASE("the first times, in which memory is taken and sums are not assumed, do not count") {
  Races races;
  CHECK_FALSE(races.next(7, kLikely).timed);
  races.note(7, Way::one_launch, 0);
  CHECK(races.next(7, kLikely).timed);
  races.note(7, Way::one_launch, 100e-6);
  races.note(7, Way::one_launch, 90e-6);
  CHECK_FALSE(races.next(7, kLikely).timed);
  CHECK(races.next(7, kLikely).way == Way::two_phases);
}

TEST_CASE("other sizes in the same place begin anew") {
  Races races;
  (void)ways(races, 7, 20, 100e-6, 80e-6);
  (void)ways(races, 7 + 256, 1, 100e-6, 80e-6);
  CHECK(races.next(7, kLikely).way == Way::one_launch);
}

}  // namespace rowan::device
