#include "lib/host/chunk_offsets.hpp"

#include <numeric>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {

TEST_CASE("a chunk's place is known once all before it are counted") {
  ChunkOffsets places(3);
  CHECK(places.known(0));
  CHECK_EQ(places.begin(0), 0);
  places.publish(1, 5);
  CHECK(!places.known(1));
  CHECK(!places.known(2));
  places.publish(0, 7);
  CHECK(places.known(2));
  CHECK_EQ(places.begin(1), 7);
  CHECK_EQ(places.begin(2), 12);
  CHECK(!places.known(3));
  places.publish(2, 0);
  CHECK(places.known(3));
  CHECK_EQ(places.begin(3), 12);
}

TEST_CASE("no chunks end at 0") {
  ChunkOffsets places(0);
  CHECK(places.known(0));
  CHECK_EQ(places.begin(0), 0);
}

TEST_CASE("who waits is freed by the missing count, or by who gives up") {
  ChunkOffsets places(2);
  std::thread other([&] { places.publish(0, 4); });
  CHECK(places.wait(1));
  other.join();
  CHECK_EQ(places.begin(1), 4);
  std::thread giving_up([&] { places.abandon(); });
  CHECK(!places.wait(2));
  giving_up.join();
}

TEST_CASE("many threads that publish and wait agree on every place") {
  constexpr std::size_t kChunks = 4000, kThreads = 4;
  ChunkOffsets places(kChunks);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::int64_t> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; t++)
    threads.emplace_back([&] {
      for (std::size_t c; (c = next++) < kChunks;) {
        places.publish(c, static_cast<std::int64_t>(c % 7));
        std::int64_t before = 0;
        for (std::size_t i = 0; i < c % 7; i++) before += static_cast<std::int64_t>(i);
        if (!places.wait(c) || places.begin(c) != static_cast<std::int64_t>(c / 7 * 21) + before) wrong++;
      }
    });
  for (auto& t : threads) t.join();
  CHECK_EQ(wrong, 0);
}

}  // namespace rowan::test
