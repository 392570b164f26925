#pragma once
// One vocabulary for kernels: HIP's own words where HIP, CUDA and the emulator agree (threadIdx, __syncthreads,
// __popc), simt:: where they differ (wave width, lane masks, shared memory, atomics). Grids have one dimension.
//
// The rules that keep kernels right at waves of 32 and 64, on all three: every lane of a mask reaches its shuffle,
// ballot or sync_wave; shuffles and ballots order no memory, sync_wave and __syncthreads do; no thread returns before a
// barrier of its block; what two threads may touch between barriers is touched by atomics.
#include "lib/device/runtime/backend.hpp"
#if defined(ROWAN_EMULATED)
#include "lib/device/emulated/simt.hpp"
#else
#include "lib/device/simt/simt_gpu.hpp"
#endif

/// Threads of a block at most, and how many blocks a multiprocessor has registers for. For AMD's compiler the second
/// number would say something else: waves of a SIMD.
#if defined(__HIPCC__)
#define ROWAN_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads)
#else
#define ROWAN_LAUNCH_BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
#endif

namespace rowan::device::inline ROWAN_BACKEND {

/// What a thread holds in registers: kCount of V, all of whose indices are constants once loops are unrolled.
template <class V, int kCount>
using Held = V[static_cast<std::size_t>(kCount)];

namespace simt {

/// The lanes of this thread's aligned group of `size` lanes (a power of two).
__device__ inline Mask group_mask(int size) {
  return size >= wave_width() ? wave_mask() : ((Mask{1} << size) - 1) << (lane() / size * size);
}
/// The bits under `bit`.
__device__ inline Mask below(int bit) {
  return (Mask{1} << bit) - 1;
}
/// Sum over an aligned group of `width` lanes, to all of them.
template <class T>
__device__ T sum(Mask m, T v, int width) {
  for (int d = width / 2; d > 0; d /= 2) v += shuffle_xor(m, v, d, width);
  return v;
}
template <class T>
__device__ T max(Mask m, T v, int width) {
  for (int d = width / 2; d > 0; d /= 2) {
    const T other = shuffle_xor(m, v, d, width);
    v = v < other ? other : v;
  }
  return v;
}
template <class T>
__device__ T min(Mask m, T v, int width) {
  for (int d = width / 2; d > 0; d /= 2) {
    const T other = shuffle_xor(m, v, d, width);
    v = other < v ? other : v;
  }
  return v;
}
/// The bits that any of them has.
template <class T>
__device__ T either(Mask m, T v, int width) {
  for (int d = width / 2; d > 0; d /= 2) v |= shuffle_xor(m, v, d, width);
  return v;
}
/// Sum and maximum over the whole wave, to all its lanes.
template <class T>
__device__ T wave_sum(T v) {
  return sum(wave_mask(), v, wave_width());
}
template <class T>
__device__ T wave_max(T v) {
  return max(wave_mask(), v, wave_width());
}
#if !defined(ROWAN_EMULATED) && !defined(__HIPCC__)
// one instruction since sm_80 in place of five shuffles
template <>
__device__ inline unsigned wave_sum(unsigned v) {
  return __reduce_add_sync(~0U, v);
}
template <>
__device__ inline unsigned wave_max(unsigned v) {
  return __reduce_max_sync(~0U, v);
}
#endif
/// Sum of the lanes up to and with this one, within an aligned group of `width`.
template <class T>
__device__ T inclusive_sum(Mask m, T v, int width) {
  for (int d = 1; d < width; d *= 2) {
    const T left = shuffle_up(m, v, d, width);
    if (lane() % width >= d) v += left;
  }
  return v;
}

}  // namespace simt
}  // namespace rowan::device::inline ROWAN_BACKEND
