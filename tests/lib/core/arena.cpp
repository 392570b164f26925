#include "lib/core/arena.hpp"

#include <array>
#include <cstring>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/random.hpp"
#include <rowan/memory.hpp>

namespace rowan::test {
namespace {

bool there_is_one() {
  const Range some = take_from_arena(kArenaFrom);
  if (some.data == nullptr) return false;  // with a sanitizer, or where no range can be had
  return_to_arena(some);
  return true;
}

}  // namespace

TEST_CASE("arena: ranges are whole pages, apart, and keep what is written to them") {
  if (!there_is_one()) return;
  Random random(5);
  std::vector<Range> held;
  for (int step = 0; step < 2000; step++) {
    if (held.size() < 30 && random.below(2) == 0) {
      const auto bytes = kArenaFrom + static_cast<std::size_t>(random.below(std::int64_t{1} << (15 + random.below(6))));
      const Range r = take_from_arena(bytes);
      REQUIRE_NE(r.data, nullptr);
      CHECK_EQ(reinterpret_cast<std::uintptr_t>(r.data) % kPage, 0U);
      CHECK_EQ(r.bytes, round_up(bytes, kPage));
      for (const Range& other : held) CHECK((r.data + r.bytes <= other.data || other.data + other.bytes <= r.data));
      std::memset(r.data, static_cast<int>(r.bytes / kPage % 251), r.bytes);
      held.push_back(r);
    } else if (!held.empty()) {
      const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(held.size())));
      const Range r = held[at];
      const auto value = static_cast<std::byte>(r.bytes / kPage % 251);
      CHECK((r.data[0] == value && r.data[r.bytes / 2] == value && r.data[r.bytes - 1] == value));
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
      return_to_arena(r);
    }
  }
  for (const Range& r : held) return_to_arena(r);
}

TEST_CASE("arena: freed neighbours become one again, in any order") {
  if (!there_is_one()) return;
  constexpr std::size_t kPart = std::size_t{64} << 10;
  for (const std::array<int, 3> order :
       {std::array{0, 1, 2}, std::array{2, 1, 0}, std::array{0, 2, 1}, std::array{1, 0, 2}}) {
    std::array<Range, 3> parts;
    for (Range& r : parts) r = take_from_arena(kPart);
    for (const int i : order) return_to_arena(parts[static_cast<std::size_t>(i)]);
    const Range whole = take_from_arena(3 * kPart);
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
  const Range r = take_from_arena(1 << 20);
  std::memset(r.data, 3, r.bytes);
  return_to_arena(r);
  release_memory();
  const Range again = take_from_arena(1 << 20);
  REQUIRE_EQ(again.data, r.data);
  CHECK_EQ(again.data[r.bytes - 1], std::byte{0});
  std::memset(again.data, 4, again.bytes);
  return_to_arena(again);
}

TEST_CASE("arena: where it is full blocks come from elsewhere") {
  if (!there_is_one()) return;
  std::vector<Block> blocks;
  for (int i = 0; i < 80; i++) blocks.emplace_back(kArenaMost);  // more than it has
  CHECK_EQ(take_from_arena(kArenaMost).data, nullptr);
  for (const Block& b : blocks) std::memset(b.data() + b.size() - 8, 1, 8);
  blocks.clear();
  CHECK(there_is_one());
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
