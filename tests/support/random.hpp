#pragma once
// Random numbers that are the same everywhere, unlike the standard library's distributions.
#include <cstdint>

namespace rowan::test {

/// splitmix64 (Steele 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// In [0, n).
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n)); }
  /// In [from, to].
  std::int64_t between(std::int64_t from, std::int64_t to) { return from + below(to - from + 1); }
  /// In [-1, 1), 53 bits.
  double real() { return static_cast<double>(static_cast<std::int64_t>(bits()) >> 11) * 0x1p-52; }

 private:
  std::uint64_t state_;
};

}  // namespace rowan::test
