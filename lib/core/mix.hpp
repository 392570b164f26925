#pragma once
#include <cstdint>

namespace rowan {

/// splitmix64's finisher (Steele, Lea, Flood 2014): a bijection that scatters neighbouring numbers.
constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace rowan
