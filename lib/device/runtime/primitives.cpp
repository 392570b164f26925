#include "lib/device/runtime/primitives.hpp"

#include "lib/core/values.hpp"

#if defined(__HIPCC__)
#include <rocprim/rocprim.hpp>
#elif !defined(ROWAN_EMULATED)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#else
#include <algorithm>
#include <numeric>
#include <vector>
#endif

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

template <class N>
hipError_t scan(void* scratch, std::size_t& bytes, N* numbers, std::int64_t n, [[maybe_unused]] hipStream_t stream) {
#if defined(__HIPCC__)
  return rocprim::exclusive_scan(scratch, bytes, numbers, numbers, N{0}, static_cast<std::size_t>(n),
                                 rocprim::plus<N>(), stream);
#elif !defined(ROWAN_EMULATED)
  return cub::DeviceScan::ExclusiveSum(scratch, bytes, numbers, numbers, n, stream);
#else
  if (scratch == nullptr)
    bytes = 1;
  else
    std::exclusive_scan(numbers, numbers + n, numbers, N{0});
  return hipSuccess;
#endif
}

template <class T>
hipError_t sort(void* scratch, std::size_t& bytes, const Pairs<T>& p, [[maybe_unused]] hipStream_t stream) {
  const auto bits = static_cast<unsigned>(p.bits);
#if defined(__HIPCC__)
  return rocprim::radix_sort_pairs(scratch, bytes, p.keys, p.sorted_keys, p.values, p.sorted_values,
                                   static_cast<std::size_t>(p.n), 0U, bits, stream);
#elif !defined(ROWAN_EMULATED)
  return cub::DeviceRadixSort::SortPairs(scratch, bytes, p.keys, p.sorted_keys, p.values, p.sorted_values, p.n, 0,
                                         static_cast<int>(bits), stream);
#else
  if (scratch == nullptr) {
    bytes = 1;
    return hipSuccess;
  }
  const auto n = static_cast<std::size_t>(p.n);
  const std::uint64_t mask = bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t x, std::size_t y) { return (p.keys[x] & mask) < (p.keys[y] & mask); });
  for (std::size_t k = 0; k < n; k++) p.sorted_keys[k] = p.keys[order[k]], p.sorted_values[k] = p.values[order[k]];
  emulator::mark_written(p.sorted_keys, n * sizeof(std::uint64_t));
  emulator::mark_written(p.sorted_values, n * sizeof(T));
  return hipSuccess;
#endif
}

}  // namespace

template <class N>
std::size_t exclusive_sum_bytes(std::int64_t n) {
  std::size_t bytes = 0;
  check(scan<N>(nullptr, bytes, nullptr, n, nullptr), "sizing a prefix sum");
  return bytes == 0 ? 1 : bytes;
}

template <class N>
void exclusive_sum(void* scratch, std::size_t scratch_bytes, N* numbers, std::int64_t n, hipStream_t stream) {
  check(scan(scratch, scratch_bytes, numbers, n, stream), "a prefix sum");
}

template std::size_t exclusive_sum_bytes<std::int32_t>(std::int64_t);
template std::size_t exclusive_sum_bytes<std::int64_t>(std::int64_t);
template void exclusive_sum(void*, std::size_t, std::int32_t*, std::int64_t, hipStream_t);
template void exclusive_sum(void*, std::size_t, std::int64_t*, std::int64_t, hipStream_t);

template <class T>
std::size_t sort_pairs_bytes(std::int64_t n) {
  std::size_t bytes = 0;
  check(sort(nullptr, bytes, Pairs<T>{.n = n}, nullptr), "sizing a sort");
  return bytes == 0 ? 1 : bytes;
}

template <class T>
void sort_pairs(void* scratch, std::size_t scratch_bytes, const Pairs<T>& pairs, hipStream_t stream) {
  check(sort(scratch, scratch_bytes, pairs, stream), "sorting");
}

#define ROWAN_INSTANTIATE(T)                              \
  template std::size_t sort_pairs_bytes<T>(std::int64_t); \
  template void sort_pairs(void*, std::size_t, const Pairs<T>&, hipStream_t);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND
