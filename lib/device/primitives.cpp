#include "lib/device/primitives.hpp"

#if defined(__HIPCC__)
#include <rocprim/rocprim.hpp>
#elif !defined(ROWAN_EMULATED)
#include <cub/device/device_scan.cuh>
#else
#include <numeric>
#endif

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

hipError_t scan(void* scratch, std::size_t& bytes, std::int64_t* numbers, std::int64_t n,
                [[maybe_unused]] hipStream_t stream) {
#if defined(__HIPCC__)
  return rocprim::exclusive_scan(scratch, bytes, numbers, numbers, std::int64_t{0}, static_cast<std::size_t>(n),
                                 rocprim::plus<std::int64_t>(), stream);
#elif !defined(ROWAN_EMULATED)
  return cub::DeviceScan::ExclusiveSum(scratch, bytes, numbers, numbers, n, stream);
#else
  if (scratch == nullptr)
    bytes = 1;
  else
    std::exclusive_scan(numbers, numbers + n, numbers, std::int64_t{0});
  return hipSuccess;
#endif
}

}  // namespace

std::size_t exclusive_sum_bytes(std::int64_t n) {
  std::size_t bytes = 0;
  check(scan(nullptr, bytes, nullptr, n, nullptr), "sizing a prefix sum");
  return bytes == 0 ? 1 : bytes;
}

void exclusive_sum(void* scratch, std::size_t scratch_bytes, std::int64_t* numbers, std::int64_t n,
                   hipStream_t stream) {
  check(scan(scratch, scratch_bytes, numbers, n, stream), "a prefix sum");
}

}  // namespace rowan::device::inline ROWAN_BACKEND
