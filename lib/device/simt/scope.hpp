#pragma once
// Who works on one row: a lane, a group of lanes of a wave, or a whole block. Kernels are written once for all of them.
#include <type_traits>

#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

inline constexpr int kMostThreads = 1024;  // of a block
inline constexpr int kLeastWave = 32;

/// One lane; nothing is left of what several would do together.
struct OneLane {
  static constexpr int size() { return 1; }
  static constexpr int rank() { return 0; }
  template <class T>
  __device__ T sum(T v) const {
    return v;
  }
  template <class T>
  __device__ T max(T v) const {
    return v;
  }
  template <class T>
  __device__ T min(T v) const {
    return v;
  }
  template <class T>
  __device__ T either(T v) const {
    return v;
  }
};

/// An aligned group of `size` lanes, a power of two up to the wave's width.
class Lanes {
 public:
  __device__ explicit Lanes(int size) : size_(size), rank_(simt::lane() & (size - 1)), mask_(simt::group_mask(size)) {}
  __device__ int size() const { return size_; }
  __device__ int rank() const { return rank_; }
  __device__ void sync() const { simt::sync_wave(mask_); }
  template <class T>
  __device__ T sum(T v) const {
    return simt::sum(mask_, v, size_);
  }
  template <class T>
  __device__ T max(T v) const {
    return simt::max(mask_, v, size_);
  }
  template <class T>
  __device__ T min(T v) const {
    return simt::min(mask_, v, size_);
  }
  /// The bits that any of them has.
  template <class T>
  __device__ T either(T v) const {
    return simt::either(mask_, v, size_);
  }
  /// Sum of the threads before this one; `total` of all.
  template <class I>
  __device__ I exclusive_sum(std::type_identity_t<I> v, I& total) const {
    const I upto = simt::inclusive_sum<I>(mask_, v, size_);
    total = simt::shuffle(mask_, upto, size_ - 1, size_);
    return upto - v;
  }

 private:
  int size_, rank_;
  Mask mask_;
};

/// All threads of the block; whole waves. Holds the shared memory of its reductions, so there is one a kernel.
class WholeBlock {
 public:
  static constexpr int kMostWaves = kMostThreads / kLeastWave;
  __device__ explicit WholeBlock(std::int64_t* scratch) : scratch_(scratch) {}  // kMostWaves of shared memory
  __device__ int size() const { return static_cast<int>(blockDim.x); }
  __device__ int rank() const { return static_cast<int>(threadIdx.x); }
  __device__ void sync() const { __syncthreads(); }
  template <class T>
  __device__ T sum(T v) const {
    return reduce(simt::sum(simt::wave_mask(), v, simt::wave_width()), [](T a, T b) { return static_cast<T>(a + b); });
  }
  template <class T>
  __device__ T max(T v) const {
    return reduce(simt::max(simt::wave_mask(), v, simt::wave_width()), [](T a, T b) { return a < b ? b : a; });
  }
  template <class T>
  __device__ T min(T v) const {
    return reduce(simt::min(simt::wave_mask(), v, simt::wave_width()), [](T a, T b) { return b < a ? b : a; });
  }
  template <class T>
  __device__ T either(T v) const {
    return reduce(simt::either(simt::wave_mask(), v, simt::wave_width()), [](T a, T b) { return a | b; });
  }
  template <class I>
  __device__ I exclusive_sum(std::type_identity_t<I> v, I& total) const {
    const I upto = simt::inclusive_sum<I>(simt::wave_mask(), v, simt::wave_width());
    if (simt::lane() == simt::wave_width() - 1) scratch_[wave()] = upto;
    __syncthreads();
    I before = 0;
    total = 0;
    for (int w = 0; w < waves(); w++) {
      if (w == wave()) before = total;
      total += static_cast<I>(scratch_[w]);
    }
    __syncthreads();
    return before + upto - v;
  }

 private:
  __device__ int wave() const { return rank() / simt::wave_width(); }
  __device__ int waves() const { return size() / simt::wave_width(); }
  template <class T, class F>
  __device__ T reduce(T of_wave, const F& combine) const {
    if (simt::lane() == 0) scratch_[wave()] = static_cast<std::int64_t>(of_wave);
    __syncthreads();
    T all = static_cast<T>(scratch_[0]);
    for (int w = 1; w < waves(); w++) all = combine(all, static_cast<T>(scratch_[w]));
    __syncthreads();
    return all;
  }
  std::int64_t* scratch_;
};

}  // namespace rowan::device::inline ROWAN_BACKEND
