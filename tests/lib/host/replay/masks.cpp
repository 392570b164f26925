// Masks of planned rows: how long they are, where they pay, and which bits they have.
#include "lib/host/replay/masks.hpp"

#include <array>

#include <doctest/doctest.h>

namespace rowan::test {

TEST_CASE("a mask has a bit for each entry of C's row, in 1, 2, 4, 6 or 8 bytes") {
  for (std::int64_t n = 0; n <= replay::kMostMasked; n++) {
    CAPTURE(n);
    const std::int64_t bytes = replay::mask_bytes(n);
    CHECK_GE(8 * bytes, n);
    CHECK_LT(8 * bytes, n + 16);
    CHECK((bytes < 2 || bytes % 2 == 0));
  }
}

TEST_CASE("masks pay for up to three vectors for two products") {
  CHECK_EQ(replay::masked_vectors(7, 16), 14);
  CHECK_EQ(replay::masked_vectors(7, 17), 21);
  CHECK(replay::masks_pay(15, 10));
  CHECK(!replay::masks_pay(16, 10));
}

TEST_CASE("an entry of A has the bits of the entries of C's row that its row of B meets") {
  const std::array<Offset, 3> a_ptr = {0, 1, 4};
  const std::array<Offset, 4> b_ptr = {0, 2, 2, 5};
  const std::array<Column, 4> a_col = {0, 0, 1, 2};
  const std::array<Column, 5> b_col = {1, 6, 0, 5, 6};
  const Pattern a{.rows = 2, .cols = 3, .ptr = a_ptr.data(), .col = a_col.data()};
  const Pattern b{.rows = 3, .cols = 7, .ptr = b_ptr.data(), .col = b_col.data()};
  std::array<std::uint32_t, 7> position{};
  position[0] = 0, position[1] = 1, position[5] = 2, position[6] = 3;
  std::array<std::byte, 8> out{};
  out.fill(std::byte{0xee});
  std::byte* const end = replay::write_masks(a, b, 1, 4, position.data(), out.data());
  CHECK_EQ(end - out.data(), 3);
  CHECK(out[0] == std::byte{0b1010});
  CHECK(out[1] == std::byte{0});
  CHECK(out[2] == std::byte{0b1101});
  CHECK(out[3] == std::byte{0xee});
}

}  // namespace rowan::test
