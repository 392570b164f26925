#pragma once
// What a device's feature pass finds out of each row: device twins of lib/binning/rows.hpp's CRow and of
// features/pattern_facts.hpp's BRow. 16 bytes each, which a thread reads with one load.
#include <cstdint>

#include "lib/device/runtime/runtime.hpp"
#include <rowan/types.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// What is known of a row of C before it is multiplied.
struct alignas(16) CRow {
  Column lo, hi;        // all columns lie in [lo, hi]; hi < lo: no products
  std::int32_t b_max;   // longest row of B it meets
  std::uint32_t nprod;  // products; 2^32 - 1 where there are more. Kernels that read it take rows of far fewer
  [[nodiscard]] constexpr std::int64_t span() const noexcept { return std::int64_t{hi} - lo + 1; }
};
static_assert(sizeof(CRow) == 16);

/// What is known of a row of B; read for each entry of A that meets it.
struct alignas(16) BRow {
  Column lo, hi;          // hi < lo: the row is empty
  std::int32_t n;         // entries
  std::int32_t relation;  // to the row before (lib/binning/device/runs.hpp), and perhaps kUnsorted
  static constexpr std::int32_t kUnsorted = 4;  // its columns do not rise strictly
};
static_assert(sizeof(BRow) == 16);

}  // namespace rowan::device::inline ROWAN_BACKEND
