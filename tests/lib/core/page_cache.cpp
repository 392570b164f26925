#include "lib/core/page_cache.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rowan/memory.hpp>

namespace rowan::test {
namespace {

/// Whether there is anything at an address.
bool is_mapped(const std::byte* at) {
  return msync(const_cast<std::byte*>(at), kPage, MS_ASYNC) == 0;
}

bool all_are(const Block& block, int value) {
  return std::all_of(block.data(), block.data() + block.size(), [&](std::byte b) { return b == std::byte(value); });
}

Block filled(std::size_t bytes, int value) {
  Block block(bytes);
  std::memset(block.data(), value, bytes);
  return block;
}

TEST_CASE("kept: a block gets the memory of a freed one of its size") {
  release_memory();
  const std::byte* was = filled(5 * kHugePage, 1).data();
  const Block again(5 * kHugePage);
  CHECK(again.data() == was);
  CHECK(all_are(again, 1));  // its very pages
}

TEST_CASE("kept: a smaller one is grown, of a larger one a part is taken") {
  release_memory();
  static_cast<void>(filled(6 * kHugePage, 2));
  Block larger(12 * kHugePage + 5);
  CHECK(larger.data()[6 * kHugePage - 1] == std::byte{2});
  CHECK(larger.data()[6 * kHugePage] == std::byte{0});
  std::memset(larger.data(), 3, larger.size());
  CHECK(all_are(larger, 3));
  const std::byte* start = larger.data();
  larger = Block();
  const Block part(5 * kHugePage), other(5 * kHugePage);
  CHECK(part.data() == start);
  CHECK(other.data() == start + 5 * kHugePage);
  CHECK(all_are(other, 3));
}

TEST_CASE("kept: zeroed memory is zero wherever it comes from") {
  release_memory();
  static_cast<void>(filled(6 * kHugePage, 4));
  CHECK(all_are(Block::zeroed(6 * kHugePage - 100), 0));
  static_cast<void>(filled(6 * kHugePage, 5));
  CHECK(all_are(Block::zeroed(11 * kHugePage), 0));  // grown
  release_memory();
  CHECK(all_are(Block::zeroed(6 * kHugePage), 0));
}

TEST_CASE("kept: pages that a reservation did not need come back when it is cut") {
  release_memory();
  const std::byte* start = filled(40 * kHugePage, 6).data();
  Block reserved = Block::try_reserve(40 * kHugePage);
  REQUIRE(reserved.data() == start);
  reserved.shrink(10 * kHugePage + 1);
  const Block rest(29 * kHugePage);
  CHECK(rest.data() == start + 11 * kHugePage);
  CHECK(all_are(rest, 6));
  CHECK(all_are(reserved, 6));
}

TEST_CASE("kept: a reservation's untouched end is given back, not kept") {
  release_memory();
  Block reserved = Block::try_reserve(40 * kHugePage);
  const std::byte* end = reserved.data() + 39 * kHugePage;
  CHECK(is_mapped(end));
  reserved.shrink(kHugePage);  // still a range of its own
  CHECK_FALSE(is_mapped(end));
}

TEST_CASE("kept: nothing after release_memory, nothing that is too large, the oldest go first") {
  const auto eighth =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 8;
  const std::byte* freed = filled(6 * kHugePage, 7).data();
  CHECK(is_mapped(freed));
  release_memory();
  CHECK_FALSE(is_mapped(freed));
  freed = Block::try_reserve(eighth + kHugePage).data();
  CHECK_FALSE(is_mapped(freed));
  const std::byte* first = filled(6 * kHugePage, 7).data();
  const std::byte* second = Block::try_reserve(eighth - 7 * kHugePage).data();  // made of the first, and grown
  CHECK_FALSE(is_mapped(first));
  CHECK(is_mapped(second));
  {
    std::vector<Block> many;
    for (int i = 0; i < 200; i++) many.push_back(Block::try_reserve(5 * kHugePage));
    release_memory();
  }
  const Block small = filled(5 * kHugePage, 9);
  CHECK(all_are(small, 9));
  release_memory();
}

}  // namespace
}  // namespace rowan::test
