#pragma once
// The runtime's calls, emulated: streams do what they are told at once, so that everything is in order.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "lib/device/emulated/device.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

enum hipError_t { hipSuccess, hipErrorOutOfMemory, hipErrorInvalidValue };
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
using hipStream_t = struct EmulatedStream*;
struct EmulatedEvent {
  std::chrono::steady_clock::time_point when;
};
using hipEvent_t = EmulatedEvent*;
inline constexpr unsigned hipStreamNonBlocking = 1, hipEventDefault = 0, hipEventDisableTiming = 2,
                          hipHostMallocCoherent = 0;

inline const char* hipGetErrorString(hipError_t e) {
  return e == hipSuccess ? "success" : e == hipErrorOutOfMemory ? "out of memory" : "invalid value";
}
inline hipError_t hipGetDeviceCount(int* n) {
  *n = 1;
  return hipSuccess;
}
inline hipError_t hipGetDevice(int* d) {
  *d = 0;
  return hipSuccess;
}
inline hipError_t hipSetDevice(int d) {
  return d == 0 ? hipSuccess : hipErrorInvalidValue;
}
inline hipError_t hipMalloc(void** p, std::size_t bytes) {
  *p = emulator::allocate(bytes);
  return *p == nullptr ? hipErrorOutOfMemory : hipSuccess;
}
inline hipError_t hipFree(void* p) {
  if (p != nullptr) emulator::release(p);
  return hipSuccess;
}
/// Memory of the host that kernels may write to, and what the host writes there is not seen.
inline hipError_t hipHostMalloc(void** p, std::size_t bytes, unsigned) {
  const hipError_t status = hipMalloc(p, bytes);
  if (status == hipSuccess) emulator::mark_written(*p, bytes);
  return status;
}
inline hipError_t hipHostFree(void* p) {
  return hipFree(p);
}
inline hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind, hipStream_t) {
  if (bytes != 0) std::memcpy(to, from, bytes);
  if (kind != hipMemcpyDeviceToHost) emulator::mark_written(to, bytes);
  return hipSuccess;
}
inline hipError_t hipMemsetAsync(void* p, int value, std::size_t bytes, hipStream_t) {
  if (bytes != 0) std::memset(p, value, bytes);
  emulator::mark_written(p, bytes);
  return hipSuccess;
}
inline hipError_t hipMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = emulator::memory_free();
  return hipSuccess;
}
inline hipError_t hipStreamCreateWithFlags(hipStream_t* s, unsigned) {
  *s = nullptr;
  return hipSuccess;
}
inline hipError_t hipStreamDestroy(hipStream_t) {
  return hipSuccess;
}
inline hipError_t hipStreamSynchronize(hipStream_t) {
  return hipSuccess;
}
inline hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned = 0) {
  return hipSuccess;
}
inline hipError_t hipEventCreateWithFlags(hipEvent_t* e, unsigned) {
  *e = new EmulatedEvent;
  return hipSuccess;
}
inline hipError_t hipEventDestroy(hipEvent_t e) {
  delete e;
  return hipSuccess;
}
inline hipError_t hipEventRecord(hipEvent_t e, hipStream_t = nullptr) {
  e->when = std::chrono::steady_clock::now();
  return hipSuccess;
}
inline hipError_t hipEventSynchronize(hipEvent_t) {
  return hipSuccess;
}
inline hipError_t hipEventElapsedTime(float* ms, hipEvent_t from, hipEvent_t to) {
  *ms = std::chrono::duration<float, std::milli>(to->when - from->when).count();
  return hipSuccess;
}

template <class... P, class... A>
void emulated_launch(void (*kernel)(P...), std::int64_t grid, int block, std::size_t shared, hipStream_t,
                     A&&... arguments) {
  struct Call {
    void (*kernel)(P...);
    std::tuple<P...> arguments;
  } const call{kernel, {static_cast<P>(arguments)...}};
  const auto body = [](const void* c) {
    std::apply(static_cast<const Call*>(c)->kernel, static_cast<const Call*>(c)->arguments);
  };
  emulator::run(static_cast<unsigned>(grid), static_cast<unsigned>(block), shared, body, &call, sizeof call);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
