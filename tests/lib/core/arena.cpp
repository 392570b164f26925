#include "lib/core/arena.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "lib/core/machine.hpp"
#include "tests/support/random.hpp"
#include <rowan/memory.hpp>

namespace rowan::test {
namespace {

bool there_is_one() {
  const ArenaRange some = take_from_arena(kArenaFrom);
  if (some.data == nullptr) return false;  // with a sanitizer, or where no range can be had
  return_to_arena(some);
  return true;
}

bool all_are(const Block& block, int value) {
  return std::all_of(block.data(), block.data() + block.size(), [&](std::byte b) { return b == std::byte(value); });
}

Block filled(std::size_t bytes, int value) {
  Block block(bytes);
  std::memset(block.data(), value, bytes);
  return block;
}

}  // namespace

TEST_CASE("arena: ranges are whole pages, apart, and keep what is written to them") {
  if (!there_is_one()) return;
  Random random(5);
  std::vector<ArenaRange> held;
  for (int step = 0; step < 2000; step++) {
    if (held.size() < 30 && random.below(2) == 0) {
      const auto bytes = kArenaFrom + static_cast<std::size_t>(random.below(std::int64_t{1} << (15 + random.below(6))));
      const ArenaRange r = take_from_arena(bytes);
      REQUIRE_NE(r.data, nullptr);
      CHECK_EQ(reinterpret_cast<std::uintptr_t>(r.data) % kPage, 0U);
      CHECK_EQ(r.bytes, round_up(bytes, kPage));
      for (const ArenaRange& other : held)
        CHECK((r.data + r.bytes <= other.data || other.data + other.bytes <= r.data));
      std::memset(r.data, static_cast<int>(r.bytes / kPage % 251), r.bytes);
      held.push_back(r);
    } else if (!held.empty()) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(held.size())));
      const ArenaRange r = held[at];
      const auto value = static_cast<std::byte>(r.bytes / kPage % 251);
      CHECK((r.data[0] == value && r.data[r.bytes / 2] == value && r.data[r.bytes - 1] == value));
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
      return_to_arena(r);
    }
  }
  for (const ArenaRange& r : held) return_to_arena(r);
}

TEST_CASE("arena: freed neighbours become one again, in any order") {
  if (!there_is_one()) return;
  constexpr std::size_t kPart = std::size_t{64} << 10;
  for (const std::array<int, 3> order :
       {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{0, 2, 1}, std::array{1, 0, 2}}) {
    std::array<ArenaRange, 3> parts;
    for (ArenaRange& r : parts) r = take_from_arena(kPart);
    for (const int i : order) return_to_arena(parts[static_cast<std::size_t>(i)]);
    const ArenaRange whole = take_from_arena(3 * kPart);
    CHECK_EQ(whole.data, parts[0].data);
    return_to_arena(whole);
  }
}

TEST_CASE("arena: a block that is shrunk leaves its pages to the next one") {
  if (!there_is_one()) return;
  Block block(std::size_t{1} << 20);
  const std::byte* const at = block.data();
  block.shrink(kPage + 1);
  const Block next((std::size_t{1} << 20) - 2 * kPage);
  CHECK_EQ(next.data(), at + 2 * kPage);
}

TEST_CASE("arena: what was given back to the system is zero, and can be used again") {
  if (!there_is_one()) return;
  const ArenaRange r = take_from_arena(1 << 20);
  std::memset(r.data, 3, r.bytes);
  return_to_arena(r);
  release_memory();
  const ArenaRange again = take_from_arena(1 << 20);
  REQUIRE_EQ(again.data, r.data);
  CHECK_EQ(again.data[r.bytes - 1], std::byte{0});
  std::memset(again.data, 4, again.bytes);
  return_to_arena(again);
}

TEST_CASE("arena: where it is full blocks come from elsewhere") {
  if (!there_is_one()) return;
  std::vector<ArenaRange> all;
  for (std::size_t bytes = std::size_t{1} << 46; bytes >= kArenaFrom;)
    if (const ArenaRange r = take_from_arena(bytes); r.data != nullptr)
      all.push_back(r);
    else
      bytes /= 2;
  for (const std::size_t bytes : {~std::size_t{0}, ~std::size_t{0} - kPage, std::size_t{1} << 63})
    CHECK_EQ(take_from_arena(bytes).data, nullptr);
  for (const std::size_t bytes : {kArenaFrom, 3 * kHugePage}) {
    CHECK_EQ(take_from_arena(bytes).data, nullptr);
    Block block(bytes);
    std::memset(block.data(), 1, bytes);
    block.shrink(bytes / 2);
    CHECK_EQ(block.data()[bytes / 2 - 1], std::byte{1});
    CHECK(all_are(Block::zeroed(bytes), 0));
  }
  for (const ArenaRange& r : all) return_to_arena({r.data, r.bytes, 0});
  CHECK(there_is_one());
}

TEST_CASE("arena: a large block gets the pages of a freed one, a larger one those and new ones") {
  if (!there_is_one()) return;
  release_memory();
  const std::byte* const was = filled(5 * kHugePage, 1).data();
  const Block again(5 * kHugePage);
  CHECK_EQ(again.data(), was);
  CHECK(all_are(again, 1));
}

TEST_CASE("arena: pages that a reservation did not need come back when it is cut") {
  if (!there_is_one()) return;
  const std::byte* const start = filled(40 * kHugePage, 6).data();
  Block reserved = Block::try_reserve(40 * kHugePage);
  REQUIRE_EQ(reserved.data(), start);
  reserved.shrink(10 * kHugePage + 1);
  const Block rest(29 * kHugePage);
  CHECK_EQ(rest.data(), start + 10 * kHugePage + kPage);
  CHECK(all_are(rest, 6));
  CHECK(all_are(reserved, 6));
}

TEST_CASE("arena: zeroed memory is zero, of any size, and whatever was there before") {
  static_cast<void>(filled(64 * kHugePage, 4));
  for (const std::size_t bytes : {std::size_t{100}, kArenaFrom, 3 * kHugePage - 100, 40 * kHugePage})
    CHECK(all_are(Block::zeroed(bytes), 0));
}

TEST_CASE("arena: no more pages are kept than a share of the machine's memory") {
  if (!there_is_one()) return;
  const auto share = static_cast<std::size_t>(machine_memory()) / kKeptShare;
  release_memory();
  std::byte* at = nullptr;
  {
    const Block block = Block::try_reserve(share - kHugePage);
    at = block.data();
    at[0] = std::byte{7};
  }
  CHECK_EQ(Block::try_reserve(share - kHugePage).data()[0], std::byte{7});
  {
    const Block larger = Block::try_reserve(share + kHugePage);
    REQUIRE_EQ(larger.data(), at);
    larger.data()[0] = std::byte{8};
  }
  CHECK_EQ(Block::try_reserve(share + kHugePage).data()[0], std::byte{0});
}

TEST_CASE("arena: threads take and return side by side") {
  if (!there_is_one()) return;
  std::vector<std::thread> threads;
  std::array<bool, 4> intact{};
  for (std::size_t t = 0; t < intact.size(); t++)
    threads.emplace_back([t, &intact] {
      bool good = true;
      for (std::size_t i = 0; i < 500; i++) {
        const Block block(kArenaFrom + (i * 7919 + t * 104729) % 300000);
        std::memset(block.data(), static_cast<int>(t), block.size());
        good = good && block.data()[block.size() - 1] == static_cast<std::byte>(t);
      }
      intact[t] = good;
    });
  for (std::thread& thread : threads) thread.join();
  for (const bool good : intact) CHECK(good);
}

}  // namespace rowan::test
