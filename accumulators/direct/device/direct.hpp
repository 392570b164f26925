#pragma once
// Direct rows on a device (DCU-nsparse, section 5.3): A's row has one entry, C's is a scaled row of B. Nothing is
// counted: the products are the entries.
#include "accumulators/common/device/task.hpp"
#include "accumulators/direct/candidate.hpp"

namespace rowan::device::inline ROWAN_BACKEND::direct {

template <class T>
void numeric(const NumericLaunch<T>& launch);

struct DeviceDirect {
  static constexpr std::string_view kName = rowan::direct::candidate.name;
  static constexpr int kSymbolicKernels = 0;  // what the feature pass found is exact
  static constexpr int kNumericKernels = 1;
  static constexpr int symbolic_kernel(const SizeQuery&) { return 0; }
  static constexpr int numeric_kernel(const SizeQuery&) { return 0; }
  static constexpr int symbolic_threads(int) { return 1; }
  static constexpr int numeric_threads(int) { return kShapes.direct.most_lanes; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  static void symbolic(const SymbolicLaunch&, int) {}
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int) {
    direct::numeric(l);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::direct
