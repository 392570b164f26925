#include "lib/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/io/threads.hpp"

namespace rowan::test {
namespace {

std::vector<std::pair<std::int64_t, std::int64_t>> blocks(const Team& team, std::int64_t n, std::int64_t grain) {
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  std::mutex adding;
  team.for_blocks(n, grain, [&](std::int64_t from, std::int64_t to) {
    const std::lock_guard lock(adding);
    list.emplace_back(from, to);
  });
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

TEST_CASE("blocks cover everything once and do not depend on the team") {
  for (const std::int64_t n : {0, 1, 9, 10, 11, 100, 1001})
    for (const std::int64_t grain : {1, 10, 5000}) {
      const auto expected = blocks(Team(1), n, grain);
      std::int64_t at = 0;
      for (const auto& [from, to] : expected) {
        CHECK_EQ(from, at);
        CHECK_LE(to - from, grain);
        at = to;
      }
      CHECK_EQ(at, n);
      for (const int threads : {2, 4}) CHECK_EQ(blocks(Team(threads), n, grain), expected);
    }
}

TEST_CASE("every worker is called once") {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
    Team(threads).run([&](int worker) { calls[static_cast<std::size_t>(worker)]++; });
    for (const auto& c : calls) CHECK_EQ(c, 1);
  }
}

TEST_CASE("a team of 0 is as large as the caller's arena") {
  CHECK_EQ(with_threads(3, [] { return Team(0).size(); }), 3);
  CHECK_EQ(with_threads(1, [] { return Team(0).size(); }), 1);
  CHECK_EQ(with_threads(3, [] { return Team(2).size(); }), 2);
}

TEST_CASE("what a worker throws comes out of the team") {
  for (const int threads : {1, 4}) {
    CHECK_THROWS_AS(Team(threads).run([](int) { throw std::runtime_error("no"); }), std::runtime_error);
    CHECK_THROWS_AS(Team(threads).for_blocks(10, 1, [](auto, auto) { throw std::runtime_error("no"); }),
                    std::runtime_error);
  }
}

}  // namespace rowan::test
