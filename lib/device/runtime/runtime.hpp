#pragma once
// The runtime, in HIP's words. On NVIDIA each is an alias of its CUDA twin (the official HIP-on-NVIDIA headers do not
// compile against CUDA 13); emulated, a plain function of the same meaning. Only what rowan calls is here.
#include <string>
#include <utility>

#include "lib/device/simt/simt.hpp"
#include <rowan/error.hpp>

#if defined(ROWAN_EMULATED)
#include "lib/device/emulated/runtime.hpp"
#elif !defined(__HIPCC__)
#include "lib/device/runtime/runtime_cuda.hpp"
#endif

namespace rowan::device::inline ROWAN_BACKEND {

/// Throws what the runtime reported, as an Error that names what was being done.
inline void check(hipError_t status, const char* what) {
  if (status == hipSuccess) return;
  throw Error(status == hipErrorOutOfMemory ? ErrorCode::out_of_memory : ErrorCode::device,
              std::string(what) + ": " + hipGetErrorString(status));
}

/// The calling thread's device for as long as it lives.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) {
    check(hipGetDevice(&before_), "asking for the device in use");
    if (before_ != ordinal) check(hipSetDevice(ordinal), "choosing a device");
  }
  ~CurrentDevice() { (void)hipSetDevice(before_); }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
};

/// Blocks, threads of a block, dynamic shared memory in bytes.
struct Shape {
  std::int64_t grid = 1;
  int block = 256;
  std::size_t shared = 0;
};

/// Starts a kernel; the only place where one is started. An empty grid is no launch.
template <class... P, class... A>
void launch(void (*kernel)(P...), const Shape& shape, hipStream_t stream, A&&... arguments) {
  if (shape.grid <= 0) return;
#if defined(ROWAN_EMULATED)
  check(emulated_launch(kernel, shape.grid, shape.block, shape.shared, stream, std::forward<A>(arguments)...),
        "a kernel could not be started");
#else
  kernel<<<static_cast<unsigned>(shape.grid), static_cast<unsigned>(shape.block), shape.shared, stream>>>(
      static_cast<P>(arguments)...);
  check(hipGetLastError(), "a kernel could not be started");
#endif
}

}  // namespace rowan::device::inline ROWAN_BACKEND
