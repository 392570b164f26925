#pragma once
// Batcher's odd-even merge sort (1968) as a list of the places to compare, for a power of two of keys. At compile time:
// the kernels unroll it.
#include <array>
#include <cstddef>

namespace rowan::sort {

struct Comparator {
  std::size_t low, high;
};

/// Comparators for n = 2^k keys: (k^2 - k + 4) 2^(k-2) - 1 (Knuth, volume 3, 5.3.4).
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
          if ((i + j) / (2 * p) == (i + j + k) / (2 * p)) list[n++] = {i + j, i + j + k};
  return list;
}

/// The comparators that sort N keys of which the first fall or rise into the last: places first, first / 2 .. 1 apart.
template <std::size_t N>
[[nodiscard]] constexpr auto half_cleaners(std::size_t first) {
  struct {
    std::array<Comparator, N * 8> at{};
    std::size_t count = 0;
  } list;
  for (std::size_t k = first; k >= 1; k /= 2)
    for (std::size_t i = 0; i < N; i++)
      if ((i & k) == 0) list.at[list.count++] = {i, i + k};
  return list;
}

/// Keys that are sorted together in registers; longer rows are merged from pieces of this many.
inline constexpr std::size_t kPiece = 16;

/// Keys that rows of up to n are filled up to: the next network's size, or whole pieces.
[[nodiscard]] constexpr std::size_t padded(std::size_t n) {
  if (n > kPiece) return (n + kPiece - 1) / kPiece * kPiece;
  std::size_t size = 1;
  while (size < n) size *= 2;
  return size;
}

}  // namespace rowan::sort
