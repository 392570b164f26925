#pragma once
// HIP's names for CUDA's runtime.
#include <cuda_runtime.h>

using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipMemPool_t = cudaMemPool_t;
using hipMemcpyKind = cudaMemcpyKind;
inline constexpr auto hipSuccess = cudaSuccess;
inline constexpr auto hipErrorOutOfMemory = cudaErrorMemoryAllocation;
inline constexpr auto hipMemcpyHostToDevice = cudaMemcpyHostToDevice;
inline constexpr auto hipMemcpyDeviceToHost = cudaMemcpyDeviceToHost;
inline constexpr auto hipMemcpyDeviceToDevice = cudaMemcpyDeviceToDevice;
inline constexpr unsigned hipHostMallocCoherent = cudaHostAllocDefault;
inline constexpr unsigned hipStreamNonBlocking = cudaStreamNonBlocking;
inline constexpr unsigned hipEventDefault = cudaEventDefault;
inline constexpr unsigned hipEventDisableTiming = cudaEventDisableTiming;
inline constexpr auto hipDeviceAttributeMultiprocessorCount = cudaDevAttrMultiProcessorCount;
inline constexpr auto hipDeviceAttributeMemoryPoolsSupported = cudaDevAttrMemoryPoolsSupported;
inline constexpr auto hipDeviceAttributeWarpSize = cudaDevAttrWarpSize;
inline constexpr auto hipFuncAttributeMaxDynamicSharedMemorySize = cudaFuncAttributeMaxDynamicSharedMemorySize;

#define ROWAN_TWIN(name)                                                          \
  template <class... A>                                                           \
  inline auto hip##name(A&&... a)->decltype(cuda##name(static_cast<A&&>(a)...)) { \
    return cuda##name(static_cast<A&&>(a)...);                                    \
  }
ROWAN_TWIN(Malloc)
ROWAN_TWIN(Free)
ROWAN_TWIN(MallocFromPoolAsync)
ROWAN_TWIN(FreeAsync)
ROWAN_TWIN(MemPoolDestroy)
ROWAN_TWIN(MemPoolSetAttribute)
ROWAN_TWIN(MemPoolTrimTo)
ROWAN_TWIN(MemPoolSetAccess)
ROWAN_TWIN(DeviceCanAccessPeer)
ROWAN_TWIN(DeviceEnablePeerAccess)
ROWAN_TWIN(DeviceSynchronize)
ROWAN_TWIN(MemcpyAsync)
ROWAN_TWIN(MemcpyPeerAsync)
ROWAN_TWIN(MemsetAsync)
ROWAN_TWIN(MemGetInfo)
ROWAN_TWIN(StreamCreateWithFlags)
ROWAN_TWIN(StreamCreateWithPriority)
ROWAN_TWIN(DeviceGetStreamPriorityRange)
ROWAN_TWIN(StreamDestroy)
ROWAN_TWIN(StreamSynchronize)
ROWAN_TWIN(StreamWaitEvent)
ROWAN_TWIN(EventCreateWithFlags)
ROWAN_TWIN(EventRecord)
ROWAN_TWIN(EventSynchronize)
ROWAN_TWIN(EventElapsedTime)
ROWAN_TWIN(EventDestroy)
ROWAN_TWIN(GetDeviceCount)
ROWAN_TWIN(GetDevice)
ROWAN_TWIN(SetDevice)
ROWAN_TWIN(DeviceGetAttribute)
ROWAN_TWIN(GetLastError)
ROWAN_TWIN(GetErrorString)
#undef ROWAN_TWIN

inline hipError_t hipHostMalloc(void** p, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc(p, bytes, flags);
}
inline hipError_t hipHostFree(void* p) {
  return cudaFreeHost(p);
}
template <class F>
hipError_t hipFuncSetAttribute(F* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(kernel, attribute, value);
}
using hipMemPoolProps = cudaMemPoolProps;
using hipMemAccessDesc = cudaMemAccessDesc;
inline constexpr auto hipMemAccessFlagsProtReadWrite = cudaMemAccessFlagsProtReadWrite;
inline constexpr auto hipMemAllocationTypePinned = cudaMemAllocationTypePinned;
inline constexpr auto hipMemLocationTypeDevice = cudaMemLocationTypeDevice;
inline constexpr auto hipMemPoolAttrReleaseThreshold = cudaMemPoolAttrReleaseThreshold;
inline hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* props) {
  return cudaMemPoolCreate(pool, props);
}
