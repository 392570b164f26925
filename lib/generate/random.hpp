#pragma once
// Random numbers that are the same everywhere, unlike the standard library's distributions: whole numbers, and doubles
// that need no rounding. Every row (edge, node) has a stream of its own, so rows can be made in any order.
#include <cstdint>
#include <vector>

#include "lib/core/mix.hpp"

namespace rowan::gen {

__extension__ using Wide = __int128;
__extension__ using WideUnsigned = unsigned __int128;

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15U;

/// splitmix64; seed and stream give its start.
class Random {
 public:
  constexpr Random(std::int64_t seed, std::int64_t stream)
      : state_(mix(mix(static_cast<std::uint64_t>(seed) + kGolden) + static_cast<std::uint64_t>(stream))) {}

  constexpr std::uint64_t bits() { return mix(state_ += kGolden); }
  /// In [0, n): the upper half of a product, which needs no division (Lemire 2019); the bias is below n / 2^64.
  constexpr std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>((WideUnsigned{bits()} * static_cast<std::uint64_t>(n)) >> 64);
  }
  /// In [from, to].
  constexpr std::int64_t between(std::int64_t from, std::int64_t to) { return from + below(to - from + 1); }
  /// True with this probability, in percent.
  constexpr bool percent(std::int64_t p) { return below(100) < p; }
  /// In [0, 1), a multiple of 2^-53: exact.
  constexpr double real() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Streams that belong to no row: rows' streams are their numbers.
enum Stream : std::int64_t { kValueStream = -1, kSharedStream = -2 };

/// Appends `n` different numbers of [from, to), rising; all of them where there are no more.
void choose(Random& random, std::int64_t n, std::int64_t from, std::int64_t to, std::vector<std::int32_t>& out);

}  // namespace rowan::gen
