#include "lib/generate/random.hpp"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

namespace rowan::gen {

TEST_CASE("gen::choose: so many different numbers of the range, rising, behind what is there") {
  for (const std::int64_t n : {0, 1, 5, 49, 50, 51, 99, 100, 130}) {
    CAPTURE(n);
    Random random(3, n);
    std::vector<std::int32_t> out{1000};
    choose(random, n, 20, 120, out);
    CHECK(out.front() == 1000);
    CHECK(std::ssize(out) == 1 + std::min<std::int64_t>(n, 100));
    CHECK(std::adjacent_find(out.begin() + 1, out.end(), std::greater_equal<>()) == out.end());
    CHECK(std::all_of(out.begin() + 1, out.end(), [](std::int32_t j) { return j >= 20 && j < 120; }));
  }
}

TEST_CASE("gen::choose: every number is as likely") {
  for (const std::int64_t n : {3, 8}) {  // the two ways to choose
    std::vector<int> count(10);
    for (std::int64_t i = 0; i < 10000; i++) {
      Random random(1, i);
      std::vector<std::int32_t> out;
      choose(random, n, 0, 10, out);
      for (const std::int32_t j : out) count[static_cast<std::size_t>(j)]++;
    }
    for (const int c : count) CHECK(std::abs(c - 1000 * n) < 150);  // 3 standard deviations
  }
}

TEST_CASE("gen::Random: streams differ, numbers stay in their range") {
  std::set<std::uint64_t> seen;
  for (std::int64_t seed = 0; seed < 10; seed++)
    for (std::int64_t stream = -2; stream < 100; stream++) CHECK(seen.insert(Random(seed, stream).bits()).second);
  Random random(1, 1);
  std::set<std::int64_t> dice;
  for (int i = 0; i < 1000; i++) {
    dice.insert(random.between(1, 6));
    const double u = random.real();
    CHECK((u >= 0 && u < 1));
  }
  CHECK(dice == std::set<std::int64_t>{1, 2, 3, 4, 5, 6});
}

}  // namespace rowan::gen
