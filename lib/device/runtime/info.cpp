#include "lib/device/runtime/info.hpp"

#if defined(ROWAN_EMULATED)
#include "lib/device/emulated/device.hpp"
#include "lib/device/emulated/options.hpp"
#endif

namespace rowan::device::inline ROWAN_BACKEND {

#if defined(ROWAN_EMULATED)

int count() noexcept {
  return emulator::device_count();
}
Info info(int ordinal) {
  const emulator::EmulatorOptions o = emulator::options();
  return {.name = "emulated, waves of " + std::to_string(o.wave),
          .ordinal = ordinal,
          .multiprocessors = o.multiprocessors,
          .wave = o.wave,
          .threads = 256,  // each is a fiber: small grids
          .shared_limit = o.shared_limit,
          .memory = static_cast<std::int64_t>(emulator::memory_of(o, ordinal))};
}

#else

int count() noexcept {
  int n = 0;
  if (hipGetDeviceCount(&n) == hipSuccess) return n;
  (void)hipGetLastError();
  return 0;
}

Info info(int ordinal) {
#if defined(__HIPCC__)
  hipDeviceProp_t p;
  check(hipGetDeviceProperties(&p, ordinal), "asking for a device's properties");
  const std::size_t shared = p.sharedMemPerBlock;
#else
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, ordinal), "asking for a device's properties");
  const std::size_t shared = p.sharedMemPerBlockOptin;
#endif
  return {.name = p.name,
          .ordinal = ordinal,
          .multiprocessors = p.multiProcessorCount,
          .wave = p.warpSize,
          .threads = p.maxThreadsPerMultiProcessor,
          .shared_limit = shared,
          .memory = static_cast<std::int64_t>(p.totalGlobalMem)};
}

#endif

}  // namespace rowan::device::inline ROWAN_BACKEND
