// Threads that do one job together.
#include "lib/core/rendezvous.hpp"

#include <atomic>
#include <stdexcept>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

TEST_CASE("threads meet as often as they like, and each has its number") {
  ParkedThreads threads;
  std::atomic<int> before = 0, seen = 0, numbers = 0;
  run_together(threads, 4, [&](int k, Rendezvous& others) {
    numbers |= 1 << k;
    for (int round = 1; round <= 50; round++) {
      before++;
      others.meet(4);
      seen += before == 4 * round ? 1 : 0;
      others.meet(4);
    }
  });
  CHECK_EQ(numbers, 15);
  CHECK_EQ(seen, 4 * 50);
}

TEST_CASE("what one thread changes another waits for") {
  ParkedThreads threads;
  int turn = 0;  // under the lock
  std::vector<int> order;
  run_together(threads, 3, [&](int k, Rendezvous& others) {
    others.wait_until([&] { return turn == k; });
    order.push_back(k);
    others.update([&] { turn++; });
  });
  CHECK(order == std::vector<int>{0, 1, 2});
}

TEST_CASE("where one fails nobody waits for ever, and its exception is thrown") {
  ParkedThreads threads;
  for (const int failing : {0, 2})
    CHECK_THROWS_WITH_AS(run_together(threads, 4,
                                      [&](int k, Rendezvous& others) {
                                        if (k == failing) throw std::runtime_error("out of luck");
                                        if (k == 1) others.meet(4);
                                        others.wait_until([] { return false; });
                                      }),
                         "out of luck", std::runtime_error);
}

}  // namespace
}  // namespace rowan::test
