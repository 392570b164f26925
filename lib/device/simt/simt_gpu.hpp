#pragma once
// The vocabulary of kernels on a GPU.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lib/device/runtime/backend.hpp"
#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#else
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#endif

#define ROWAN_SHARED(T, name, n) __shared__ T name[n]
#define ROWAN_UNROLL _Pragma("unroll")
#define ROWAN_ROLLED _Pragma("unroll 1")

namespace rowan::device::inline ROWAN_BACKEND {

#if defined(__HIPCC__)
using Mask = unsigned long long;
#else
using Mask = unsigned;
#endif

namespace simt {

#if defined(__HIPCC__)

// The hardware's execution mask is the true one: masks are documentation here, but for what ballots return.
#if defined(__AMDGCN_WAVEFRONT_SIZE)
__device__ constexpr int wave_width() {
  return __AMDGCN_WAVEFRONT_SIZE;
}
#else
__device__ constexpr int wave_width() {
  return 64;
}
#endif
__device__ inline Mask wave_mask() {
  return wave_width() == 64 ? ~Mask{0} : 0xffffffffULL;
}
__device__ inline int popcount(Mask m) {
  return __popcll(m);
}
__device__ inline int lowest(Mask m) {
  return __ffsll(m) - 1;
}
__device__ inline void sync_wave(Mask) {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}
__device__ inline Mask ballot(Mask m, bool p) {
  return __ballot(p) & m;
}
/// The lanes that hold the same number.
__device__ inline Mask match(Mask m, int v) {
  Mask same = 0;
  for (bool found = false; !found;) {  // one number after another: lanes that have found theirs are out of the loop
    const int first = __builtin_amdgcn_readfirstlane(v);
    same = __ballot(v == first) & m;
    found = v == first;
  }
  return same;
}
#define ROWAN_SHUFFLE(name, native)                               \
  template <class T>                                              \
  __device__ T name(Mask, T v, int x, int width = wave_width()) { \
    return native(v, x, width);                                   \
  }
ROWAN_SHUFFLE(shuffle, __shfl)
ROWAN_SHUFFLE(shuffle_up, __shfl_up)
ROWAN_SHUFFLE(shuffle_down, __shfl_down)
ROWAN_SHUFFLE(shuffle_xor, __shfl_xor)
#undef ROWAN_SHUFFLE
template <class T>
__device__ T load_acquire(const T* at) {
  return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}
template <class T>
__device__ void store_release(T* at, T v) {
  __atomic_store_n(at, v, __ATOMIC_RELEASE);
}
template <class T>
__device__ T load_published(const T* at) {
  return __atomic_load_n(at, __ATOMIC_RELAXED);
}
template <class T>
__device__ void publish(T* at, std::type_identity_t<T> v) {
  __atomic_store_n(at, v, __ATOMIC_RELAXED);
}
/// Copies from global to shared memory, where the device can without waiting; copies_done() waits for this thread's.
template <class T>
__device__ void copy_async(T* to, const T* from) {
  *to = *from;
}
__device__ inline void copies_done() {}

#else

__device__ constexpr int wave_width() {
  return 32;
}
__device__ inline Mask wave_mask() {
  return ~0U;
}
__device__ inline int popcount(Mask m) {
  return __popc(m);
}
__device__ inline int lowest(Mask m) {
  return __ffs(static_cast<int>(m)) - 1;
}
__device__ inline void sync_wave(Mask m) {
  __syncwarp(m);
}
__device__ inline Mask ballot(Mask m, bool p) {
  return __ballot_sync(m, p);
}
__device__ inline Mask match(Mask m, int v) {
  return __match_any_sync(m, v);
}
#define ROWAN_SHUFFLE(name, native)                       \
  template <class T>                                      \
  __device__ T name(Mask m, T v, int x, int width = 32) { \
    return native(m, v, x, width);                        \
  }
ROWAN_SHUFFLE(shuffle, __shfl_sync)
ROWAN_SHUFFLE(shuffle_up, __shfl_up_sync)
ROWAN_SHUFFLE(shuffle_down, __shfl_down_sync)
ROWAN_SHUFFLE(shuffle_xor, __shfl_xor_sync)
#undef ROWAN_SHUFFLE
template <class T>
__device__ T load_acquire(const T* at) {
  const T v = *static_cast<const volatile T*>(at);
  __threadfence();
  return v;
}
template <class T>
__device__ void store_release(T* at, T v) {
  __threadfence();
  *static_cast<volatile T*>(at) = v;
}
/// One word by which blocks tell each other a number: it orders nothing else, and costs no fence.
template <class T>
__device__ T load_published(const T* at) {
  return *static_cast<const volatile T*>(at);
}
template <class T>
__device__ void publish(T* at, std::type_identity_t<T> v) {
  *static_cast<volatile T*>(at) = v;
}
template <class T>
__device__ void copy_async(T* to, const T* from) {
  __pipeline_memcpy_async(to, from, sizeof(T));
}
__device__ inline void copies_done() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

#endif

__device__ inline int lane() {
  return static_cast<int>(threadIdx.x) % wave_width();
}
/// By all threads of a block, which wait for each other: whether `p` holds for any.
__device__ inline bool any_of_block(bool p) {
  return __syncthreads_or(p ? 1 : 0) != 0;
}
/// What this thread wrote is there for other blocks before what it writes later.
__device__ inline void fence_device() {
  __threadfence();
}
/// What this thread wrote to the host's memory is there before what it writes later.
__device__ inline void fence_to_host() {
  __threadfence_system();
}

template <class T>
__device__ T atomic_add(T* at, std::type_identity_t<T> v) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
    return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(v)));
  else
    return atomicAdd(at, v);
}
template <class T>
__device__ T atomic_max(T* at, std::type_identity_t<T> v) {
  if constexpr (sizeof(T) == 8)  // of numbers that are never negative
    return static_cast<T>(atomicMax(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(v)));
  else
    return atomicMax(at, v);
}
__device__ inline unsigned atomic_or(unsigned* at, unsigned v) {
  return atomicOr(at, v);
}
/// Stores `v`; of several threads' any one is left.
__device__ inline void atomic_store(int* at, int v) {
  (void)atomicExch(at, v);
}
/// Stores `v` where `expected` stands; what stood there.
__device__ inline int atomic_cas(int* at, int expected, int v) {
  return atomicCAS(at, expected, v);
}

/// For several threads that store the same; orders nothing.
template <class T>
__device__ void store_relaxed(T* at, std::type_identity_t<T> v) {
  *static_cast<volatile T*>(at) = v;
}
/// What stands there, or stood there a moment ago; orders nothing.
template <class T>
__device__ T load_relaxed(const T* at) {
  return *static_cast<const volatile T*>(at);
}

/// Hands out the launch's dynamic shared memory piece by piece.
class DynamicShared {
 public:
  template <class T>
  __device__ T* take(int count) {
    extern __shared__ __align__(16) unsigned char rowan_dynamic_shared[];
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    T* piece = reinterpret_cast<T*>(rowan_dynamic_shared + used_);
    used_ += static_cast<unsigned>(count) * static_cast<unsigned>(sizeof(T));
    return piece;
  }

 private:
  unsigned used_ = 0;
};

}  // namespace simt
}  // namespace rowan::device::inline ROWAN_BACKEND
