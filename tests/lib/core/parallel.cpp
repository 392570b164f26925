#include "lib/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/io/threads.hpp"

#ifndef ROWAN_SCHEDULER_THREADS
#include <tbb/task.h>
#endif

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

TEST_CASE("a piece that fails does not cut the loops that others have under way") {
  std::atomic<bool> begun = false;
  std::atomic<int> calls = 0;
  with_threads(4, [&] {
    CHECK_THROWS_AS(Team(2).for_blocks(2, 1,
                                       [&](std::int64_t piece, std::int64_t) {
                                         if (piece == 1) throw std::runtime_error("no");
                                         begun = true;
                                         std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it has failed
                                         Team(3).for_blocks(100, 1, [&](auto, auto) { calls++; });
                                       }),
                    std::runtime_error);
  });
  CHECK_EQ(calls, begun ? 100 : 0);
}

#ifndef ROWAN_SCHEDULER_THREADS
TEST_CASE("loops are whole in a group of tasks that was cancelled") {
  std::atomic<int> calls = 0;
  with_threads(4, [&] {
    tbb::parallel_for(0, 1, [&](int) {
      tbb::task::current_context()->cancel_group_execution();
      Team().for_blocks(100, 1, [&](auto, auto) { calls++; });
      Team(3).run([&](int) { calls++; });
    });
  });
  CHECK_EQ(calls, 103);
}

TEST_CASE("an arena is no wider than what oneTBB gives") {
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, 3);
  scheduler::Arena arena(1000);
  CHECK_EQ(arena.execute([] { return scheduler::width(); }), 3);
}
#endif

}  // namespace rowan::test
