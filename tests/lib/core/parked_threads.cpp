// Threads that run at the same time, and again and again.
#include "lib/core/parked_threads.hpp"

#include <atomic>
#include <chrono>
#include <stdexcept>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

TEST_CASE("all calls run at the same time, each with its number, on the same threads again") {
  ParkedThreads threads;
  for (int round = 0; round < 20; round++) {
    if (round == 10) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // they sleep
    std::atomic<int> here = 0, numbers = 0;
    threads.run(4, [&](int k) {
      numbers |= 1 << k;
      for (here++; here < 4;) std::this_thread::yield();  // ends where all are here together
    });
    CHECK_EQ(numbers, 15);
  }
  threads.run(0, [](int) { FAIL("nothing to call"); });
  int alone = -1;
  threads.run(1, [&](int k) { alone = k; });
  CHECK_EQ(alone, 0);
}

TEST_CASE("work may have work done itself, which runs at the same time as the rest") {
  ParkedThreads threads;
  std::atomic<int> inner = 0;
  threads.run(3, [&](int) {
    threads.run(3, [&](int) {
      for (inner++; inner < 9;) std::this_thread::yield();
    });
  });
  CHECK_EQ(inner, 9);
}

TEST_CASE("several threads have work done together, and failures go to those whose work failed") {
  ParkedThreads threads;
  std::atomic<int> right = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; c++)
    callers.emplace_back([&, c] {
      for (int round = 0; round < 50; round++) try {
          threads.run(3, [&](int k) {
            if (c == 1 && k == 2) throw std::runtime_error("of the second");
          });
          right += c != 1 ? 1 : 0;
        } catch (const std::runtime_error&) {
          right += c == 1 ? 1 : 0;
        }
    });
  for (std::thread& t : callers) t.join();
  CHECK_EQ(right, 200);
}

}  // namespace
}  // namespace rowan::test
