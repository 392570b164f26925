#pragma once
// Which bits of a byte are set.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rowan::dense {

/// Positions of the bits set in each byte, rising; zeros behind them.
inline constexpr auto kBitsOfByte = [] {
  std::array<std::array<std::uint8_t, 8>, 256> positions{};
  for (unsigned byte = 0; byte < 256; byte++) {
    std::size_t n = 0;
    for (unsigned left = byte; left != 0; left &= left - 1)
      positions[byte][n++] = static_cast<std::uint8_t>(std::countr_zero(left));
  }
  return positions;
}();

/// All positions in a word.
struct EveryBit {
  alignas(64) std::uint8_t at[64];
};
inline constexpr EveryBit kEveryBit = [] {
  EveryBit every{};
  for (std::uint8_t e = 0; e < 64; e++) every.at[e] = e;
  return every;
}();

}  // namespace rowan::dense
