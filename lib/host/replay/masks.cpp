#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/host/replay/masks.cpp"
#include "lib/host/replay/masks.hpp"

#include <cstring>

#include <hwy/foreach_target.h>

#include "lib/host/replay/masked_row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

bool HasMasks() {
  return kHasMasks;
}

}  // namespace rowan::replay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::replay {

HWY_EXPORT(HasMasks);

bool has_masks() {
  return HWY_DYNAMIC_DISPATCH(HasMasks)();
}

std::byte* write_masks(const Pattern& a, const Pattern& b, std::int64_t i, std::int64_t n,
                       const std::uint32_t* position, std::byte* out) {
  const auto bytes = static_cast<std::size_t>(mask_bytes(n));
  for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) {
    std::uint64_t mask = 0;
    for (std::int64_t k = b.ptr[a.col[e]]; k < b.ptr[a.col[e] + 1]; k++) mask |= std::uint64_t{1} << position[b.col[k]];
    std::memcpy(out, &mask, bytes);  // the least bytes first: masks are of processors with AVX-512
    out += bytes;
  }
  return out;
}

}  // namespace rowan::replay
#endif
