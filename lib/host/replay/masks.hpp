#pragma once
// Masks of planned rows: one for each entry of A, with a bit for each entry of C's row that its row of B meets. C's row
// is added up in registers, a row of B being expanded to the lanes of its mask (AVX-512): no sum waits in memory for
// the one before, and no branch depends on where rows of B end. Rows of B rise strictly.
#include <cstddef>
#include <cstdint>

#include "lib/core/pattern.hpp"

namespace rowan::replay {

inline constexpr std::int64_t kMostMasked = 64;  // entries of C's row
inline constexpr std::int64_t kMaskSlack = 8;    // bytes behind the last mask that may be read

/// Whether the instruction set in use has them.
[[nodiscard]] bool has_masks();

/// Bytes of a mask where C's row has n entries.
[[nodiscard]] constexpr std::int64_t mask_bytes(std::int64_t n) noexcept {
  return n <= 8 ? (n + 7) / 8 : (n + 15) / 16 * 2;
}

/// What masks cost a row of C with n entries and so many of A, in vectors of eight lanes.
[[nodiscard]] constexpr std::int64_t masked_vectors(std::int64_t a_nnz, std::int64_t n) noexcept {
  return a_nnz * ((n + 7) / 8);
}
/// Whether they cost less than a place in memory for each product. (Zen 5: vectors of one product each take 0.75 of
/// the time, of half a product 1.4.)
[[nodiscard]] constexpr bool masks_pay(std::int64_t vectors, std::int64_t products) noexcept {
  return 2 * vectors <= 3 * products;
}

/// Writes the masks of row i of A, whose row of C has n entries, to `out`; returns where they end. `position` holds
/// where in C's row each of its columns is.
std::byte* write_masks(const Pattern& a, const Pattern& b, std::int64_t i, std::int64_t n,
                       const std::uint32_t* position, std::byte* out);

}  // namespace rowan::replay
