#pragma once
// The type of everything that counts entries or products: row pointers, sizes of C's rows, bounds. A test build makes
// it 8 or 16 bits wide (ROWAN_OFFSET_BITS), so that tests walk over borders that no memory reaches at 64.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <rowan/memory.hpp>
#include <rowan/types.hpp>

#ifndef ROWAN_OFFSET_BITS
#define ROWAN_OFFSET_BITS 64
#endif

namespace rowan {

using Offset = std::conditional_t<ROWAN_OFFSET_BITS == 8, std::int8_t,
                                  std::conditional_t<ROWAN_OFFSET_BITS == 16, std::int16_t, std::int64_t>>;
inline constexpr std::int64_t kMaxOffset = std::numeric_limits<Offset>::max();

/// Row pointers as callers see them.
template <class From>
[[nodiscard]] Array<std::int64_t> widened(Array<From> offsets) {
  if constexpr (std::is_same_v<From, std::int64_t>) {
    return offsets;
  } else {
    Array<std::int64_t> wide(offsets.size());
    std::copy(offsets.begin(), offsets.end(), wide.begin());
    return wide;
  }
}

}  // namespace rowan
