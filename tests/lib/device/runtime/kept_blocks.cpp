// Blocks of device memory that wait for the next product, emulated or real.
#include "lib/device/runtime/kept_blocks.hpp"

#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "lib/device/pipeline/transfer.hpp"
#include "lib/device/runtime/memory.hpp"
#include "tests/lib/device/emulator.hpp"

namespace rowan::test {
namespace {

using namespace device;

constexpr std::size_t kMegabyte = 1 << 20, kAll = std::numeric_limits<std::size_t>::max();

/// Addresses that nobody follows.
void* block(std::uintptr_t number) {
  return reinterpret_cast<void*>(number * kMegabyte);
}

}  // namespace

TEST_CASE("kept blocks: the smallest that fits is taken, none that is an eighth larger") {
  KeptBlocks kept([](void*, hipStream_t) {});
  const OwnStream stream, other;
  REQUIRE(kept.keep({block(1), 100 * kMegabyte}, stream.get()));
  REQUIRE(kept.keep({block(2), 91 * kMegabyte}, stream.get()));
  REQUIRE(kept.keep({block(3), 90 * kMegabyte}, stream.get()));
  CHECK_FALSE(kept.take(101 * kMegabyte, stream.get()));
  CHECK_FALSE(kept.take(79 * kMegabyte, stream.get()));
  auto taken = kept.take(89 * kMegabyte, other.get());
  REQUIRE(taken);
  CHECK_EQ(taken->p, block(3));
  CHECK_EQ(taken->bytes, 90 * kMegabyte);
  taken = kept.take(91 * kMegabyte, stream.get());
  REQUIRE(taken);
  CHECK_EQ(taken->p, block(2));
  CHECK_EQ(kept.give_back(kAll, stream.get()), 100 * kMegabyte);
  CHECK_FALSE(kept.take(100 * kMegabyte, stream.get()));
}

TEST_CASE("kept blocks: the oldest go back first, as many bytes as are asked for, and where there are too many") {
  std::vector<void*> back;
  KeptBlocks kept([&](void* p, hipStream_t) { back.push_back(p); });
  const OwnStream stream;
  for (std::uintptr_t k = 1; k <= KeptBlocks::kMostBlocks; k++)
    REQUIRE(kept.keep({block(k), 10 * kMegabyte}, stream.get()));
  CHECK(back.empty());
  REQUIRE(kept.keep({block(99), 10 * kMegabyte}, stream.get()));
  CHECK_EQ(back, std::vector<void*>{block(1)});
  CHECK_EQ(kept.give_back(11 * kMegabyte, stream.get()), 20 * kMegabyte);
  CHECK_EQ(back, std::vector<void*>{block(1), block(2), block(3)});
  CHECK_EQ(kept.give_back(0, stream.get()), 0);
  CHECK_EQ(kept.give_back(kAll, stream.get()), 10 * kMegabyte * (KeptBlocks::kMostBlocks - 2));
  CHECK_EQ(back.back(), block(99));
}

TEST_CASE("memory: a block that was freed is the next one's, whole, and counts as what was asked for") {
  Pool pool(0);
  const OwnStream stream;
  const auto large = static_cast<std::int64_t>(2 * kLargeBlock);
  const std::byte* first = nullptr;
  {
    const Buffer<std::byte> buffer(pool, large, stream.get());
    first = buffer.data();
  }
  CHECK_EQ(pool.in_use(), 0);
  {
    const Buffer<std::byte> less(pool, large - large / 16, stream.get());
    CHECK_EQ(less.data(), first);
    CHECK_EQ(pool.in_use(), large - large / 16);
  }
  {
    const Buffer<std::byte> again(pool, large, stream.get());  // the block has not shrunk
    CHECK_EQ(again.data(), first);
    const Buffer<std::byte> another(pool, large, stream.get());
    CHECK_NE(another.data(), first);
  }
  pool.trim();
  CHECK_EQ(pool.in_use(), 0);
  CHECK_EQ(pool.peak(), 2 * large);
}

TEST_CASE("memory: small blocks are kept, too, where that pays, and a large one does not go back for them") {
  Pool pool(0);
  const OwnStream stream;
  constexpr std::int64_t kSmall = 1000, kLarge = 2 * kLargeBlock;
  const auto address = [&](std::int64_t bytes) { return Buffer<std::byte>(pool, bytes, stream.get()).data(); };
  const std::byte *first_large = address(kLarge), *first = address(kSmall);
  const std::byte* again = address(kSmall);
  if (kLeastKept <= kSmall) CHECK_EQ(again, first);
  CHECK_NE(address(kSmall / 2), nullptr);  // not there: as much goes back
  CHECK_EQ(address(kLarge), first_large);
  CHECK_EQ(pool.in_use(), 0);
}

}  // namespace rowan::test
