#pragma once
// Hash on a device (OpSparse, section 5.2; nsparse; DCU-nsparse, sections 5.1 and 5.4): rows by groups of lanes, by
// blocks, and by blocks with tables in global memory.
#include "accumulators/hash/candidate.hpp"
#include "accumulators/hash/device/sizes.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

void symbolic(const SymbolicLaunch& launch, int kernel);
template <class T>
void numeric(const NumericLaunch<T>& launch, int kernel);

struct OnDevice {
  static constexpr std::string_view kName = rowan::hash::candidate.name;
  static constexpr int kSymbolicKernels = static_cast<int>(kSymbolic.size()) + 1;
  static constexpr int kNumericKernels = static_cast<int>(kNumeric.size()) + 1;
  static constexpr int symbolic_kernel(const SizeQuery& q) { return hash::symbolic_kernel(q); }
  static constexpr int numeric_kernel(const SizeQuery& q) { return hash::numeric_kernel(q); }
  /// Threads that have a row: a group that walks a row of B is never larger.
  static constexpr int symbolic_threads(int kernel) {
    constexpr auto kSizes = kSymbolic;
    const auto k = static_cast<std::size_t>(kernel);
    return k < kSizes.size() ? kSizes[k].threads : kMostThreads;
  }
  static constexpr int numeric_threads(int kernel) {
    constexpr auto kSizes = kNumeric;
    const auto k = static_cast<std::size_t>(kernel);
    return k < kSizes.size() ? kSizes[k].threads : kMostThreads;
  }
  static constexpr bool wants_tables(Phase phase, int kernel) {
    return kernel + 1 == (phase == Phase::symbolic ? kSymbolicKernels : kNumericKernels);
  }
  static void symbolic(const SymbolicLaunch& l, int kernel) { hash::symbolic(l, kernel); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int kernel) {
    hash::numeric(l, kernel);
  }
};

/// Bytes of the table of a row with up to `bound` entries, in global memory.
[[nodiscard]] constexpr std::size_t symbolic_table_bytes(std::int64_t bound) noexcept {
  return static_cast<std::size_t>(next_power_of_two(2 * bound)) * sizeof(std::int32_t);
}
[[nodiscard]] constexpr std::size_t numeric_table_bytes(std::int64_t bound, std::size_t value_bytes) noexcept {
  return static_cast<std::size_t>(next_power_of_two(2 * bound)) * (sizeof(std::int32_t) + value_bytes) +
         static_cast<std::size_t>(next_power_of_two(bound)) * sizeof(std::uint64_t);
}

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
