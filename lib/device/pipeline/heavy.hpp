#pragma once
// Which rows are heavy: their products are shared out over many blocks (dense/device/heavy.hpp) where a block a row is
// predicted to take longer, because few rows have most products, or many windows.
#include "accumulators/common/device/heavy_rows.hpp"
#include "lib/binning/device/bins.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Bytes that heavy rows may take under a memory limit (0: none), as measure_product() wants them.
[[nodiscard]] constexpr std::int64_t heavy_room(std::int64_t memory_limit) noexcept {
  constexpr std::int64_t kPart = 8;  // C and what it is made of come first
  return memory_limit == 0 ? INT64_MAX : memory_limit / kPart;
}

/// Sums of rows that may be heavy, of what was told.
[[nodiscard]] HeavyTally heavy_tally(const ToldSums& sums) noexcept;

/// Of rows that sum up so.
[[nodiscard]] HeavySizes heavy_sizes(const Tally& rows) noexcept;

/// What heavy rows may take, and how all rows are multiplied.
struct HeavyMeans {
  int multiprocessors;
  std::size_t shared_limit;  // bytes of shared memory that a block may ask for
  std::int64_t bytes;        // that heavy rows may take
  bool in_order = false;     // sums are the textbook's, which takes both ways longer, and needs a list of products
  bool sorted_b = true;      // rows of B rise strictly
};

/// The products from which rows are heavy, one of kHeavyProducts; 0: none is.
[[nodiscard]] std::int64_t choose_heavy(const HeavyTally& rows, const HeavyMeans& means) noexcept;

}  // namespace rowan::device::inline ROWAN_BACKEND
