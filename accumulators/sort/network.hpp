#pragma once
// Batcher's odd-even merge sort as lists of places to compare, for powers of two up to 64: what the small networks run,
// without a loop's borders. A network for n < N keys leaves out every comparison with a place behind n: such keys would
// be the largest and stay where they are.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rowan::sort {

struct Comparator {
  std::uint8_t low, high;
};

/// Comparators for n keys, n a power of two: (k^2 - k + 4) 2^(k-2) - 1 with n = 2^k (Knuth, volume 3, 5.3.4).
[[nodiscard]] constexpr std::size_t comparators(std::size_t n) {
  std::size_t k = 0;
  while ((std::size_t{1} << k) < n) k++;
  return n < 2 ? 0 : (k * k - k + 4) * n / 4 - 1;
}

template <std::size_t N>
[[nodiscard]] constexpr std::array<Comparator, comparators(N)> network() {
  std::array<Comparator, comparators(N)> list{};
  std::size_t n = 0;
  for (std::size_t p = 1; p < N; p *= 2)
    for (std::size_t k = p; k >= 1; k /= 2)
      for (std::size_t j = k % p; j + k < N; j += 2 * k)
        for (std::size_t i = 0; i < k && i + j + k < N; i++)
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p))
            list[n++] = {static_cast<std::uint8_t>(i + j), static_cast<std::uint8_t>(i + j + k)};
  return list;
}

inline constexpr std::size_t kListed = 64;  // the largest network that is a list
inline constexpr auto kNetwork2 = network<2>();
inline constexpr auto kNetwork4 = network<4>();
inline constexpr auto kNetwork8 = network<8>();
inline constexpr auto kNetwork16 = network<16>();
inline constexpr auto kNetwork32 = network<32>();
inline constexpr auto kNetwork64 = network<64>();

/// The smallest listed network for n keys; n <= kListed.
[[nodiscard]] constexpr std::span<const Comparator> network_for(std::size_t n) {
  if (n <= 1) return {};
  if (n <= 2) return kNetwork2;
  if (n <= 4) return kNetwork4;
  if (n <= 8) return kNetwork8;
  if (n <= 16) return kNetwork16;
  if (n <= 32) return kNetwork32;
  return kNetwork64;
}

}  // namespace rowan::sort
