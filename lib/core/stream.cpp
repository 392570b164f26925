#include "lib/core/stream.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/core/stream.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "lib/core/stream-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

template <class V>
void copy(const V* from, std::int64_t n, V* to) {
  stream(from, n, to);
  hwy::FlushStream();
}
void CopyColumns(const std::int32_t* from, std::int64_t n, std::int32_t* to) {
  copy(from, n, to);
}
void CopyFloats(const float* from, std::int64_t n, float* to) {
  copy(from, n, to);
}
void CopyDoubles(const double* from, std::int64_t n, double* to) {
  copy(from, n, to);
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

HWY_EXPORT(CopyColumns);
HWY_EXPORT(CopyFloats);
HWY_EXPORT(CopyDoubles);

void copy_around(const std::int32_t* from, std::int64_t n, std::int32_t* to) {
  HWY_DYNAMIC_DISPATCH(CopyColumns)(from, n, to);
}
void copy_around(const float* from, std::int64_t n, float* to) {
  HWY_DYNAMIC_DISPATCH(CopyFloats)(from, n, to);
}
void copy_around(const double* from, std::int64_t n, double* to) {
  HWY_DYNAMIC_DISPATCH(CopyDoubles)(from, n, to);
}

}  // namespace rowan
#endif
