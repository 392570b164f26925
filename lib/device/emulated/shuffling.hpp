#pragma once
// What orders blocks, waves and lanes: random numbers, millions a second.
#include <cstddef>
#include <cstdint>

#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND::emulator {

/// splitmix64 (Steele, Lea, Flood 2014).
class Shuffling {
 public:
  using result_type = std::uint64_t;
  explicit Shuffling(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint64_t operator()() noexcept {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// In [0, n), for n below 2^32: the upper half of a product, which needs no division (Lemire 2019).
  std::size_t below(std::size_t n) noexcept { return ((*this)() >> 32) * n >> 32; }
  /// In [0, 1).
  double real() noexcept { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return UINT64_MAX; }

 private:
  std::uint64_t state_;
};

}  // namespace rowan::device::inline ROWAN_BACKEND::emulator
