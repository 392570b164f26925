#pragma once
// Choices that the papers argue about and that stand in code, not in a policy: bench/papers measures them. The library
// is built with `none`; a variant compiles one or two of its files once more with -DROWAN_VARIANT=its name.
#include <cstdint>

#include "lib/device/runtime/backend.hpp"

#if !defined(ROWAN_VARIANT)
#define ROWAN_VARIANT none
#endif

namespace rowan::device::inline ROWAN_BACKEND {

enum class Variant : std::uint8_t {
  none,
  multi_access,     // hash: a place is looked at before it is swapped (nsparse; OpSparse, section 4.2)
  no_counting,      // hash: every table is sorted by the bitonic network
  counting_128,     // hash: by counting up to 128 entries in place of 64
  small_first,      // kernels of short rows are launched first (OpSparse, section 5.5, has large ones first)
  one_stream,       // kernels run one after another
  shared_sort,      // sort: the numeric phase sorts in shared memory, not in registers (bhSPARSE)
  lane_a_row_of_b,  // sort-merge: a lane has one row of B, not up to four (RMerge)
};
inline constexpr Variant kVariant = Variant::ROWAN_VARIANT;

}  // namespace rowan::device::inline ROWAN_BACKEND
