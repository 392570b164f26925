// The checked build compiles kernels with -fsanitize=thread but links no such runtime: the compiler then calls one of
// these before every load and store. Not instrumented itself.
#include "lib/device/emulated/device.hpp"

#if defined(ROWAN_CHECKED)
// NOLINTBEGIN(bugprone-reserved-identifier): the compiler's names
#define ROWAN_HOOK(name, bytes, write)                                                                \
  extern "C" void __tsan_##name(void* p) {                                                            \
    rowan::device::ROWAN_BACKEND::emulator::note_plain(p, bytes, write, __builtin_return_address(0)); \
  }
#define ROWAN_HOOKS(n)                    \
  ROWAN_HOOK(read##n, n, false)           \
  ROWAN_HOOK(unaligned_read##n, n, false) \
  ROWAN_HOOK(write##n, n, true)           \
  ROWAN_HOOK(unaligned_write##n, n, true)
ROWAN_HOOKS(1)
ROWAN_HOOKS(2)
ROWAN_HOOKS(4)
ROWAN_HOOKS(8)
ROWAN_HOOKS(16)
extern "C" void __tsan_read_range(void* p, unsigned long n) {
  rowan::device::ROWAN_BACKEND::emulator::note_plain(p, n, false, __builtin_return_address(0));
}
extern "C" void __tsan_write_range(void* p, unsigned long n) {
  rowan::device::ROWAN_BACKEND::emulator::note_plain(p, n, true, __builtin_return_address(0));
}
extern "C" void __tsan_init() {  // from each instrumented unit, before main
  rowan::device::ROWAN_BACKEND::emulator::hooks_exist();
}
extern "C" void __tsan_vptr_read(void**) {}
extern "C" void __tsan_vptr_update(void**, void*) {}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}

// The host's own code beside the kernels uses std::atomic: these are what it asks for, done at once.
#define ROWAN_ATOMIC_HOOKS(bits, type)                                                               \
  extern "C" type __tsan_atomic##bits##_load(const type* p, int) {                                   \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                     \
  }                                                                                                  \
  extern "C" void __tsan_atomic##bits##_store(type* p, type v, int) {                                \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                        \
  }                                                                                                  \
  extern "C" type __tsan_atomic##bits##_exchange(type* p, type v, int) {                             \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                              \
  }                                                                                                  \
  extern "C" type __tsan_atomic##bits##_fetch_add(type* p, type v, int) {                            \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                  \
  extern "C" type __tsan_atomic##bits##_fetch_sub(type* p, type v, int) {                            \
    return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                               \
  }                                                                                                  \
  extern "C" int __tsan_atomic##bits##_compare_exchange_weak(type* p, type* e, type v, int, int) {   \
    return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;  \
  }                                                                                                  \
  extern "C" int __tsan_atomic##bits##_compare_exchange_strong(type* p, type* e, type v, int, int) { \
    return __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0;  \
  }
ROWAN_ATOMIC_HOOKS(8, unsigned char)
ROWAN_ATOMIC_HOOKS(32, unsigned)
ROWAN_ATOMIC_HOOKS(64, unsigned long)
extern "C" void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
// NOLINTEND(bugprone-reserved-identifier)
#endif
