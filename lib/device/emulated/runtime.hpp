#pragma once
// The runtime's calls, emulated: streams do what they are told at once, so that everything is in order.
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "lib/device/emulated/device.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

enum hipError_t { hipSuccess, hipErrorOutOfMemory, hipErrorInvalidValue, hipErrorInvalidHandle };
enum hipMemcpyKind { hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice };
struct EmulatedStream {
  int device;
  int priority = 0;
};
using hipStream_t = EmulatedStream*;  // null: the default stream of the device that is chosen
struct EmulatedEvent {
  int device;
  std::chrono::steady_clock::time_point when;
};
using hipEvent_t = EmulatedEvent*;
inline constexpr unsigned hipStreamNonBlocking = 1, hipEventDefault = 0, hipEventDisableTiming = 2,
                          hipHostMallocCoherent = 0;

inline const char* hipGetErrorString(hipError_t e) {
  return e == hipSuccess              ? "success"
         : e == hipErrorOutOfMemory   ? "out of memory"
         : e == hipErrorInvalidHandle ? "invalid resource handle"
                                      : "invalid value";
}
inline hipError_t hipGetDeviceCount(int* n) {
  *n = emulator::device_count();
  return hipSuccess;
}
inline hipError_t hipGetDevice(int* d) {
  *d = emulator::chosen_device();
  return hipSuccess;
}
inline hipError_t hipSetDevice(int d) {
  return emulator::choose_device(d) ? hipSuccess : hipErrorInvalidValue;
}
inline hipError_t hipMalloc(void** p, std::size_t bytes) {
  *p = emulator::allocate(bytes, emulator::chosen_device());
  return *p == nullptr ? hipErrorOutOfMemory : hipSuccess;
}
inline hipError_t hipFree(void* p) {
  if (p != nullptr) emulator::release(p);
  return hipSuccess;
}
/// Memory of the host that kernels may write to, and what the host writes there is not seen.
inline hipError_t hipHostMalloc(void** p, std::size_t bytes, unsigned) {
  *p = emulator::allocate(bytes, emulator::kHostMemory);
  emulator::mark_written(*p, bytes);
  return hipSuccess;
}
inline hipError_t hipHostFree(void* p) {
  return hipFree(p);
}
inline hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind, hipStream_t) {
  if (bytes == 0) return hipSuccess;
  if (emulator::copy_fails()) return hipErrorInvalidValue;
  std::memcpy(to, from, bytes);
  if (kind != hipMemcpyDeviceToHost) emulator::mark_written(to, bytes);
  return hipSuccess;
}
/// From one device's memory to another's, which must be whose they are said to be.
inline hipError_t hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                     hipStream_t stream) {
  if (bytes == 0) return hipSuccess;
  if (emulator::owner_of(to) != to_device || emulator::owner_of(from) != from_device) return hipErrorInvalidValue;
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
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
  *s = new EmulatedStream{emulator::chosen_device()};
  return hipSuccess;
}
inline hipError_t hipStreamCreateWithPriority(hipStream_t* s, unsigned, int priority) {
  *s = new EmulatedStream{emulator::chosen_device(), priority};
  return hipSuccess;
}
inline hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0, *greatest = -5;
  return hipSuccess;
}
inline hipError_t hipStreamDestroy(hipStream_t s) {
  delete s;
  return hipSuccess;
}
inline int device_of(hipStream_t s) {
  return s == nullptr ? emulator::chosen_device() : s->device;
}
inline hipError_t hipStreamSynchronize(hipStream_t) {
  return hipSuccess;
}
inline hipError_t hipGetLastError() {
  return hipSuccess;
}
inline hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned = 0) {
  return hipSuccess;
}
inline hipError_t hipEventCreateWithFlags(hipEvent_t* e, unsigned) {
  *e = new EmulatedEvent{emulator::chosen_device(), {}};
  return hipSuccess;
}
inline hipError_t hipEventDestroy(hipEvent_t e) {
  delete e;
  return hipSuccess;
}
/// As on the hardware, an event is recorded in a stream of the device that it was made on.
inline hipError_t hipEventRecord(hipEvent_t e, hipStream_t s = nullptr) {
  if (device_of(s) != e->device) return hipErrorInvalidHandle;
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
[[nodiscard]] hipError_t emulated_launch(void (*kernel)(P...), std::int64_t grid, int block, std::size_t shared,
                                         hipStream_t stream, A&&... arguments) {
  if (device_of(stream) != emulator::chosen_device()) return hipErrorInvalidHandle;  // as on the hardware
  struct Call {
    void (*kernel)(P...);
    std::tuple<P...> arguments;
  } const call{kernel, {static_cast<P>(arguments)...}};
  const auto body = [](const void* c) {
    std::apply(static_cast<const Call*>(c)->kernel, static_cast<const Call*>(c)->arguments);
  };
  emulator::run(static_cast<unsigned>(grid), static_cast<unsigned>(block), shared, body, &call, sizeof call);
  return hipSuccess;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
