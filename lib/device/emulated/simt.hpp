#pragma once
// The vocabulary of kernels, emulated. HIP's words stand in the backend's namespace, not the global one.
#include <cmath>
#include <tuple>
#include <type_traits>

#include "lib/device/emulated/device.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): HIP's names
#define __global__
#define __device__
#define __launch_bounds__(...)
#define ROWAN_UNROLL
#define ROWAN_ROLLED

namespace rowan::device::inline ROWAN_BACKEND {

struct dim3 {
  unsigned x = 1;
};
#define threadIdx (::rowan::device::ROWAN_BACKEND::dim3{::rowan::device::ROWAN_BACKEND::emulator::thread_index()})
#define blockIdx (::rowan::device::ROWAN_BACKEND::dim3{::rowan::device::ROWAN_BACKEND::emulator::block_index()})
#define blockDim (::rowan::device::ROWAN_BACKEND::dim3{::rowan::device::ROWAN_BACKEND::emulator::block_size()})
#define gridDim (::rowan::device::ROWAN_BACKEND::dim3{::rowan::device::ROWAN_BACKEND::emulator::grid_size()})

inline void __syncthreads(Here here = Here::current()) {
  emulator::barrier(here);
}

#define ROWAN_SHARED(T, name, n)                                                    \
  T* const name = static_cast<T*>(::rowan::device::ROWAN_BACKEND::emulator::shared( \
      [] {                                                                          \
        static const char site = 0;                                                 \
        return static_cast<const void*>(&site);                                     \
      }(),                                                                          \
      sizeof(T) * (n), #name, 0))

namespace simt {

inline int wave_width() {
  return emulator::wave_width();
}
inline int lane() {
  return static_cast<int>(emulator::thread_index()) % wave_width();
}
inline Mask wave_mask() {
  return wave_width() == 64 ? ~Mask{0} : (Mask{1} << 32) - 1;
}
inline int popcount(Mask m) {
  return __builtin_popcountll(m);
}
inline int lowest(Mask m) {
  return __builtin_ctzll(m);
}

inline void sync_wave(Mask m, Here h = Here::current()) {
  emulator::collective(emulator::Collective::sync, m, 0, nullptr, nullptr, 0, h);
}
inline Mask ballot(Mask m, bool p, Here h = Here::current()) {
  Mask in = p ? 1 : 0, out = 0;
  emulator::collective(emulator::Collective::ballot, m, 0, &in, &out, sizeof in, h);
  return out;
}
/// The lanes that hold the same number.
inline Mask match(Mask m, int v, Here h = Here::current()) {
  Mask in = static_cast<unsigned>(v), out = 0;
  emulator::collective(emulator::Collective::match, m, 0, &in, &out, sizeof in, h);
  return out;
}
template <class T>
T shuffle_from(Mask m, T v, int source, Here h) {
  static_assert(sizeof(T) <= 16 && std::is_trivially_copyable_v<T>);
  T out;
  emulator::collective(emulator::Collective::shuffle, m, source, &v, &out, sizeof(T), h);
  return out;
}
template <class T>
T shuffle(Mask m, T v, int source, int width = wave_width(), Here h = Here::current()) {
  return shuffle_from(m, v, lane() / width * width + (source & (width - 1)), h);
}
template <class T>
T shuffle_up(Mask m, T v, int by, int width = wave_width(), Here h = Here::current()) {
  return shuffle_from(m, v, lane() % width >= by ? lane() - by : lane(), h);
}
template <class T>
T shuffle_down(Mask m, T v, int by, int width = wave_width(), Here h = Here::current()) {
  return shuffle_from(m, v, lane() % width + by < width ? lane() + by : lane(), h);
}
template <class T>
T shuffle_xor(Mask m, T v, int with, int width = wave_width(), Here h = Here::current()) {
  return shuffle_from(m, v, (lane() % width ^ with) < width ? lane() ^ with : lane(), h);
}

// One thread of the operating system runs all fibers, and none gives way inside an operation: plain code is atomic,
// once the hooks do not see it.
#define ROWAN_UNSEEN __attribute__((noinline, no_sanitize("thread")))

template <class T, class F>
ROWAN_UNSEEN T atomic(T* at, const F& next, Here h) {
  emulator::note_atomic(at, sizeof(T), h);
  const T old = *at;
  *at = next(old);
  return old;
}
template <class T>
T atomic_add(T* at, std::type_identity_t<T> v, Here h = Here::current()) {
  return atomic(
      at, [v](T old) { return static_cast<T>(old + v); }, h);
}
template <class T>
T atomic_max(T* at, std::type_identity_t<T> v, Here h = Here::current()) {
  return atomic(
      at, [v](T old) { return old < v ? v : old; }, h);
}
inline unsigned atomic_or(unsigned* at, unsigned v, Here h = Here::current()) {
  return atomic(
      at, [v](unsigned old) { return old | v; }, h);
}
/// Stores `v`; of several threads' any one is left.
inline void atomic_store(int* at, int v, Here h = Here::current()) {
  atomic(
      at, [v](int) { return v; }, h);
}
/// Stores `v` where `expected` stands; what stood there.
inline int atomic_cas(int* at, int expected, int v, Here h = Here::current()) {
  emulator::count_swap();
  return atomic(
      at, [=](int old) { return old == expected ? v : old; }, h);
}
template <class T>
ROWAN_UNSEEN void store_relaxed(T* at, std::type_identity_t<T> v, Here h = Here::current()) {
  emulator::note_relaxed(at, sizeof(T), h);
  *at = v;
}
template <class T>
ROWAN_UNSEEN T load_relaxed(const T* at, Here h = Here::current()) {
  emulator::note_relaxed(at, sizeof(T), h);
  return *at;
}
template <class T>
ROWAN_UNSEEN T load_acquire(const T* at, Here h = Here::current()) {  // also where a spinning thread lets others run
  emulator::note_acquire(at, sizeof(T), h);
  return *at;
}
template <class T>
ROWAN_UNSEEN void store_release(T* at, std::type_identity_t<T> v, Here h = Here::current()) {
  emulator::note_release(at, sizeof(T), h);
  *at = v;
}
/// By all threads of a block, which wait for each other: whether `p` holds for any.
inline bool any_of_block(bool p, Here h = Here::current()) {
  ROWAN_SHARED(int, some, 1);
  if (emulator::thread_index() == 0) some[0] = 0;
  __syncthreads(h);
  if (p) atomic_store(some, 1, h);
  __syncthreads(h);
  const bool any = some[0] != 0;
  __syncthreads(h);
  return any;
}
inline void fence_device() {}
inline void fence_to_host() {}
/// One word by which blocks tell each other a number: it orders nothing else on a GPU, which goes unseen here.
template <class T>
T load_published(const T* at, Here h = Here::current()) {
  return load_acquire(at, h);
}
template <class T>
void publish(T* at, std::type_identity_t<T> v, Here h = Here::current()) {
  store_release(at, v, h);
}

/// The copy is there at once; what comes before copies_done() is not modelled.
template <class T>
void copy_async(T* to, const T* from) {
  *to = *from;
}
inline void copies_done() {}

/// Hands out the launch's dynamic shared memory piece by piece; each piece has red zones of its own.
class DynamicShared {
 public:
  template <class T>
  T* take(int count) {
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T) + static_cast<std::size_t>(count) * sizeof(T);
    return static_cast<T*>(emulator::shared(reinterpret_cast<const void*>(++pieces_),
                                            static_cast<std::size_t>(count) * sizeof(T), "dynamic shared memory",
                                            used_));
  }

 private:
  std::size_t used_ = 0, pieces_ = 0;
};

}  // namespace simt

inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline int __ffs(unsigned x) {
  return __builtin_ffs(static_cast<int>(x));
}
inline int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x));
}

}  // namespace rowan::device::inline ROWAN_BACKEND
// NOLINTEND(bugprone-reserved-identifier)
