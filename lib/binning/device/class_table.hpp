#pragma once
// Row classes looked up: of a block, in shared memory. What a thread indexes with its own numbers is slow memory
// elsewhere, and to compare with each of the borders took a fifth of binning's instructions.
#include "lib/binning/device/bins.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Finds what Borders::class_of counts: starts at the first class that a number with as many bits may have.
class ClassTable {
 public:
  struct Words {
    std::uint32_t upper[kBinBorders.size()];
    std::uint32_t most_of_few;  // products of rows that are classed by them
    std::uint8_t first[2][33];  // by bits of the number: of rows classed by entries, by products
  };

  __device__ explicit ClassTable(Words& words) : words_(words) {}
  /// By all threads of a block, before a barrier.
  __device__ void make(const Borders& borders) {
    const int t = static_cast<int>(threadIdx.x), bits = t / 2;
    constexpr int kClasses = static_cast<int>(kBinBorders.size());
    if (bits > 32) return;
    const std::uint32_t least = bits == 0 ? 0 : 1U << (bits - 1);
    const bool few = t % 2 != 0;
    int c = few ? 0 : borders.by_products;
    ROWAN_UNROLL
    for (int k = 0; k < kClasses; k++) {
      const auto upper = static_cast<std::uint32_t>(borders.upper[k]);
      c += least > upper && (k < borders.by_products) == few ? 1 : 0;
      if (t == k) words_.upper[k] = upper;
      if (t == 0 && k == borders.by_products - 1) words_.most_of_few = upper;
    }
    words_.first[few ? 1 : 0][bits] = static_cast<std::uint8_t>(c);
    if (t == 0 && borders.by_products == 0) words_.most_of_few = 0;
  }
  __device__ int class_of(const RowNumbers& row) const {
    const bool few = row.nprod <= words_.most_of_few;
    const auto number = static_cast<std::uint32_t>(few ? row.nprod : row.bound);
    int c = words_.first[few ? 1 : 0][32 - __clz(static_cast<int>(number))];
    while (number > words_.upper[c]) c++;
    return c;
  }

 private:
  Words& words_;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
