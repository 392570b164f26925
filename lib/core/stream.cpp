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
#define ROWAN_COPY(V)                                   \
  void Copy_##V(const V* from, std::int64_t n, V* to) { \
    copy(from, n, to);                                  \
  }
ROWAN_COPY(Column)
ROWAN_FOR_EACH_VALUE(ROWAN_COPY)
#undef ROWAN_COPY

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan {

#define ROWAN_COPY_AROUND(V)                               \
  HWY_EXPORT(Copy_##V);                                    \
  void copy_around(const V* from, std::int64_t n, V* to) { \
    HWY_DYNAMIC_DISPATCH(Copy_##V)(from, n, to);           \
  }
ROWAN_COPY_AROUND(Column)
ROWAN_FOR_EACH_VALUE(ROWAN_COPY_AROUND)
#undef ROWAN_COPY_AROUND

}  // namespace rowan
#endif
