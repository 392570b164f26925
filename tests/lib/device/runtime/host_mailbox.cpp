// What the device tells the host, emulated or real.
#include "lib/device/runtime/host_mailbox.hpp"

#include <doctest/doctest.h>

#include "lib/device/pipeline/transfer.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

struct Numbers {
  std::int64_t n[700];
};

__global__ void count_from(std::int64_t first, std::int64_t* to) {
  for (std::int64_t k = threadIdx.x; k < 700; k += blockDim.x) to[k] = first + k;
}

__global__ void say(std::uint32_t word, std::uint32_t* to) {
  if (threadIdx.x == 0) simt::publish(to, word);
}

}  // namespace

TEST_CASE("told: what stood there when the stream came to it, page after page") {
  for_schedules(2, [](int, int) {
    Pool pool(0);
    const OwnStream stream;
    const Buffer<Numbers> numbers(pool, 1, stream.get());
    for (std::int64_t first : {7, 1000, -5}) {
      launch(count_from, {.grid = 1, .block = 64}, stream.get(), first, numbers.data()->n);
      HostMailbox<Numbers> told(pool, stream.get());
      told.send(numbers.data());
      launch(count_from, {.grid = 1, .block = 64}, stream.get(), first + 1, numbers.data()->n);
      const Numbers& seen = told.wait("waiting");
      for (std::int64_t k = 0; k < 700; k++) REQUIRE(seen.n[k] == first + k);
    }
  });
}

TEST_CASE("told: nobody has to wait, and the page is free for others all the same") {
  for_schedules(2, [](int, int) {
    Pool pool(0);
    const OwnStream stream;
    const Buffer<Numbers> numbers(pool, 1, stream.get());
    launch(count_from, {.grid = 1, .block = 64}, stream.get(), 1, numbers.data()->n);
    {
      HostMailbox<Numbers> unheard(pool, stream.get());
      unheard.send(numbers.data());
    }
    { const HostMailbox<Numbers> unsent(pool, stream.get()); }
    launch(count_from, {.grid = 1, .block = 64}, stream.get(), 2, numbers.data()->n);
    HostMailbox<Numbers> told(pool, stream.get());
    told.send(numbers.data());
    CHECK(told.wait("waiting").n[699] == 701);
  });
}

TEST_CASE("told: a word, which nobody has to wait for") {
  for_schedules(2, [](int, int) {
    Pool pool(0);
    const OwnStream stream;
    for (const std::uint32_t said : {1U, 7U}) {
      HostWord heard(pool, stream.get()), unheard(pool, stream.get());
      launch(say, {.grid = 1, .block = 32}, stream.get(), said, heard.sender());
      launch(say, {.grid = 1, .block = 32}, stream.get(), said, unheard.sender());
      CHECK_EQ(heard.wait("waiting"), said);
    }
  });
}

}  // namespace rowan::test
