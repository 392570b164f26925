#include <cstdint>
#include <cstring>
#include <utility>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include <rowan/error.hpp>
#include <rowan/memory.hpp>

namespace rowan::test {
namespace {

// Blocks of the heap and ranges of their own, on both sides of the borders.
constexpr std::size_t kSizes[] = {
    1, 63, 4096, (128U << 10) - 1, 128U << 10, (128U << 10) + 1, 1U << 20, (2U << 20) - 1, 2U << 20, (5U << 20) + 3};

bool all(const Block& block, std::size_t n, int value) {
  bool same = true;
  for (std::size_t i = 0; i < n; i++) same = same && block.data()[i] == std::byte(value);
  return same;
}

}  // namespace

TEST_CASE("a block of any size can be written to its last byte and moves without a copy") {
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    Block block(size);
    REQUIRE_EQ(block.size(), size);
    std::memset(block.data(), 7, size);
    const std::byte* const at = block.data();
    Block moved(std::move(block));
    CHECK_EQ(moved.data(), at);
    Block assigned(11);
    assigned = std::move(moved);
    CHECK_EQ(assigned.data(), at);
    CHECK(all(assigned, size, 7));
  }
}

TEST_CASE("a zeroed block is zero") {
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    CHECK(all(Block::zeroed(size), size, 0));
  }
}

TEST_CASE("a block of a huge page and more is aligned to a page") {
  for (const std::size_t size : kSizes)
    if (size >= 2U << 20) CHECK_EQ(reinterpret_cast<std::uintptr_t>(Block(size).data()) % 4096, 0U);
}

TEST_CASE("shrinking keeps what comes first") {
  for (const std::size_t size : kSizes)
    for (const std::size_t keep : {size, size / 2, std::size_t{1}, std::size_t{0}}) {
      CAPTURE(size);
      CAPTURE(keep);
      Block block(size);
      std::memset(block.data(), 9, size);
      block.shrink(keep);
      CHECK_EQ(block.size(), keep);
      CHECK(all(block, keep, 9));
      block.shrink(size + 1);  // never grows
      CHECK_EQ(block.size(), keep);
    }
}

TEST_CASE("memory that the system cannot give is refused") {
  constexpr std::size_t kTooMuch = std::size_t{1} << 62;
  CHECK_EQ(Block::try_reserve(kTooMuch).data(), nullptr);
  CHECK_EQ(Block::try_reserve(kTooMuch + 1).size(), 0U);
  CHECK_EQ(error_of([] { const Block block(kTooMuch); }),
           "out_of_memory: cannot allocate " + std::to_string(kTooMuch) + " bytes");
}

TEST_CASE("an array whose bytes overflow their number is refused") {
  for (const std::uint64_t n : {std::uint64_t{1} << 61, (std::uint64_t{1} << 61) + 1, ~std::uint64_t{0}}) {
    CHECK(error_of([&] { const Array<double> a(n); }).starts_with("out_of_memory: "));
    CHECK(error_of([&] { static_cast<void>(Array<double>::zeroed(n)); }).starts_with("out_of_memory: "));
  }
}

TEST_CASE("nothing can be asked for") {
  CHECK_EQ(Block(0).data(), nullptr);
  CHECK_EQ(Block::zeroed(0).size(), 0U);
  CHECK_EQ(Array<double>(0).span().size(), 0U);
}

TEST_CASE("an array knows its elements and is empty when moved from") {
  auto array = Array<std::int32_t>::zeroed(5);
  for (const std::int32_t v : array) CHECK_EQ(v, 0);
  array[3] = 8;
  array.shrink(4);
  CHECK_EQ(array.size(), 4U);
  CHECK_EQ(array.span().back(), 8);
  Array<std::int32_t> other = std::move(array);
  CHECK_EQ(other[3], 8);
  CHECK_EQ(array.size(), 0U);  // NOLINT(bugprone-use-after-move): that is the point
}

TEST_CASE("error codes have names") {
  CHECK_EQ(name(ErrorCode::invalid_argument), "invalid_argument");
  CHECK_EQ(name(ErrorCode::overflow), "overflow");
  CHECK_EQ(name(ErrorCode::out_of_memory), "out_of_memory");
  CHECK_EQ(name(ErrorCode::memory_limit), "memory_limit");
  CHECK_EQ(name(ErrorCode::parse), "parse");
  CHECK_EQ(name(ErrorCode::io), "io");
  CHECK_EQ(name(ErrorCode::unsupported), "unsupported");
  CHECK_EQ(name(ErrorCode::cancelled), "cancelled");
  CHECK_EQ(name(static_cast<ErrorCode>(99)), "unknown");
}

TEST_CASE("a caller's memory is used where it is, and freed once") {
  int freed = 0;
  std::uint8_t bytes[100] = {1, 2, 3};
  const OwnedMemory memory{
      .data = bytes, .bytes = 100, .free = [](void* owner) noexcept { ++*static_cast<int*>(owner); }, .owner = &freed};
  {
    auto adopted = Array<std::uint8_t>::adopt(memory);
    CHECK_EQ(adopted.data(), bytes);
    CHECK_EQ(adopted.size(), 100U);
    adopted.shrink(3);
    CHECK_EQ(adopted.size(), 3U);
    const Array<std::uint8_t> moved(std::move(adopted));
    CHECK_EQ(moved[2], 3);
    CHECK_EQ(freed, 0);
  }
  CHECK_EQ(freed, 1);
  { const Block nobodys = Block::adopt({.data = bytes, .bytes = 100}); }
  CHECK_EQ(freed, 1);
}

TEST_CASE("memory that is handed over stays where it is until it is freed") {
  for (const std::size_t size : kSizes) {
    CAPTURE(size);
    Array<std::uint8_t> array(size);
    const std::uint8_t* const at = array.data();
    std::memset(array.data(), 5, size);
    const OwnedMemory memory = array.release();
    CHECK_EQ(array.size(), 0U);
    CHECK(array.data() == nullptr);
    CHECK(memory.data == at);
    CHECK_EQ(memory.bytes, size);
    const Block back = Block::adopt(memory);  // which frees it
    CHECK(all(back, size, 5));
  }
  CHECK(Block().release().data == nullptr);
}

}  // namespace rowan::test
