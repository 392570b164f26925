#pragma once
// The table that this backend is compiled with. There is one a backend of a built library: the device's and the host's
// pass of a compiler must agree on a kernel's shape (its launch, its bins, its shared memory are the host's),
// __CUDA_ARCH__ differs between them, and kernels compiled once a table would multiply what there is to compile. A
// build for one architecture takes that one's table (cmake/device.cmake sets ROWAN_CUDA_TUNED_FOR or
// ROWAN_HIP_TUNED_FOR), a build for several takes the backend's default. The emulator has sm_90's.
//
// ROWAN_TUNING_OVERRIDE replaces numbers in what it is compiled with, for experiments: statements about `s`, for
// instance -DROWAN_TUNING_OVERRIDE=s.hash.looks_before_swap=true (bench/papers.sh, bench/sweep_kernels.sh).
#include "accumulators/tuning/compiled.hpp"
#include "lib/device/runtime/backend.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

#if defined(__HIPCC__)
inline constexpr tuning::Architecture kTunedFor = tuning::compiled_for("hip");
#elif defined(__CUDACC__)
inline constexpr tuning::Architecture kTunedFor = tuning::compiled_for("cuda");
#else
inline constexpr tuning::Architecture kTunedFor = tuning::compiled_for("emulated");
#endif

/// Kernels name what they use of it: `constexpr int kThreads = kShapes.sort.block;`.
inline constexpr tuning::KernelShapes kShapes = [] {
  tuning::KernelShapes s = tuning::shapes(kTunedFor);
#if defined(ROWAN_TUNING_OVERRIDE)
  ROWAN_TUNING_OVERRIDE;
#endif
  return s;
}();

}  // namespace rowan::device::inline ROWAN_BACKEND
