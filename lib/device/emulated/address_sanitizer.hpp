#pragma once
// AddressSanitizer must be told which memory is out of bounds and when a stack is changed; without it these do nothing.
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND::emulator {

inline void poison([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(at, bytes);
#endif
}
inline void unpoison([[maybe_unused]] void* at, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(at, bytes);
#endif
}
/// Before a jump to another stack; `keep` is null where this stack will not be used again.
inline void stack_leave([[maybe_unused]] void** keep, [[maybe_unused]] const void* bottom,
                        [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(keep, bottom, bytes);
#endif
}
/// Behind a jump; tells which stack was left.
inline void stack_arrive([[maybe_unused]] void* kept, [[maybe_unused]] const void** bottom,
                         [[maybe_unused]] std::size_t* bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(kept, bottom, bytes);
#endif
}

}  // namespace rowan::device::inline ROWAN_BACKEND::emulator
