#pragma once
// Reg-hash (register-aware, section 3.3): a row's products are shared out evenly among its lanes, eight in the
// registers of each, and go from there into the row's table in shared memory; each lane counts what was new. Plain hash
// gives a row of B to a group of lanes, some of which have nothing to do where it is short.
#include <array>

#include "accumulators/common/device/task.hpp"
#include "accumulators/hash/registers.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND::hash {

/// Products of a row that a kernel takes at most; eight of them a lane, of the last sixteen (the paper's bins 3 to 8;
/// one kernel serves what is in its first three).
inline constexpr auto kInRegisters = kShapes.hash_registers.products.value;
static_assert(kInRegisters.back() == rowan::hash::registers.max_nprod);

struct DeviceRegisters {
  static constexpr std::string_view kName = rowan::hash::registers.name;
  static constexpr int kSymbolicKernels = static_cast<int>(kInRegisters.size());
  static constexpr int kNumericKernels = 0;
  static constexpr int symbolic_kernel(const SizeQuery& q) {
    constexpr auto kSizes = kInRegisters;  // of its own: devices cannot see the host's
    int k = 0;
    while (q.nprod_max > kSizes[static_cast<std::size_t>(k)]) k++;
    return k;
  }
  static constexpr int numeric_kernel(const SizeQuery&) { return 0; }
  // products are shared out one by one, whichever row of B they are from
  static constexpr int symbolic_threads(int) { return 1; }
  static constexpr int numeric_threads(int) { return 1; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  static void symbolic(const SymbolicLaunch& launch, int kernel);
  template <class T>
  static void numeric(const NumericLaunch<T>&, int) {}
};

}  // namespace rowan::device::inline ROWAN_BACKEND::hash
