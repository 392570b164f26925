#pragma once
// Device-wide algorithms: rocPRIM on AMD, CUB on NVIDIA, the standard library where there is no device.
#include <cstdint>

#include "lib/device/runtime/runtime.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Bytes that exclusive_sum needs for n numbers. N: std::int32_t or std::int64_t.
template <class N = std::int64_t>
[[nodiscard]] std::size_t exclusive_sum_bytes(std::int64_t n);
/// In place: each number becomes the sum of those before it.
template <class N>
void exclusive_sum(void* scratch, std::size_t scratch_bytes, N* numbers, std::int64_t n, hipStream_t stream);

/// Pairs to be sorted by the lowest `bits` bits of their keys: from one array into another. T: float or double.
template <class T>
struct Pairs {
  std::uint64_t* keys = nullptr;
  std::uint64_t* sorted_keys = nullptr;
  T* values = nullptr;
  T* sorted_values = nullptr;
  std::int64_t n = 0;
  int bits = 64;
};
/// Bytes that sort_pairs needs for n pairs, whatever their bits.
template <class T>
[[nodiscard]] std::size_t sort_pairs_bytes(std::int64_t n);
template <class T>
void sort_pairs(void* scratch, std::size_t scratch_bytes, const Pairs<T>& pairs, hipStream_t stream);

}  // namespace rowan::device::inline ROWAN_BACKEND
