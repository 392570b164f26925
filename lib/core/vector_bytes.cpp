#include "lib/core/vector_bytes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/core/vector_bytes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

std::size_t VectorBytes() {
  return hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t>());
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

HWY_EXPORT(VectorBytes);

std::size_t vector_bytes() noexcept {
  return HWY_DYNAMIC_DISPATCH(VectorBytes)();
}

}  // namespace rowan
#endif
