#pragma once
// Rank on a device: a bitmap over the row's span says which columns there are; the number of bits below a column's is
// its place in C's row. A perfect hash, already sorted: no keys, no probes. Narrow rows have a wave each and sum in
// shared memory; the others a block each, by windows over their span, and sum in place in C (FINDINGS: rank in place).
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/device/bits.hpp"
#include "accumulators/device/task.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {

inline constexpr std::int64_t kNarrowSpan = 8192;  // a bitmap of one KiB a row
inline constexpr int kWindow = 262144;             // columns of a window: a bitmap of 32 KiB
inline constexpr int kLanes = 32;                  // that have a narrow row
inline constexpr int kNarrowThreads = 128;         // of a block of narrow rows
inline constexpr int kBlockThreads = 512;
inline constexpr std::size_t kNarrowShared = 48 << 10;  // most that a block of narrow rows may ask for

/// Shared memory of a block of narrow rows in the numeric phase: bits, ranks, sums.
[[nodiscard]] constexpr std::size_t narrow_bytes(std::int64_t span, std::int64_t bound,
                                                 std::size_t value_bytes) noexcept {
  const auto words = static_cast<std::size_t>((span + kBits - 1) / kBits + 1);
  return kNarrowThreads / kLanes * (2 * words * sizeof(unsigned) + (static_cast<std::size_t>(bound) + 1) * value_bytes);
}

void symbolic(const SymbolicLaunch& launch, int kernel);
template <class T>
void numeric(const NumericLaunch<T>& launch, int kernel);

struct OnDevice {
  static constexpr std::string_view kName = rowan::dense::rank.name;
  static constexpr int kNarrow = 0, kWide = 1;
  static constexpr int kSymbolicKernels = 2;
  static constexpr int kNumericKernels = 2;
  static constexpr int symbolic_kernel(const SizeQuery& q) { return q.span_max <= kNarrowSpan ? kNarrow : kWide; }
  static constexpr int numeric_kernel(const SizeQuery& q) {
    return q.span_max <= kNarrowSpan && narrow_bytes(q.span_max, q.bound_max, q.value_bytes) <= kNarrowShared ? kNarrow
                                                                                                              : kWide;
  }
  static constexpr int symbolic_threads(int kernel) { return kernel == kNarrow ? kLanes : kBlockThreads; }
  static constexpr int numeric_threads(int kernel) { return kernel == kNarrow ? kLanes : kBlockThreads; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  static void symbolic(const SymbolicLaunch& l, int kernel) { dense::symbolic(l, kernel); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int kernel) {
    dense::numeric(l, kernel);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
