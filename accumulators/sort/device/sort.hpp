#pragma once
// Sort on a device (register-aware, section 3.1; ESC, Bell 2012): the products of a short row are gathered by a few
// lanes, sorted in their registers by (column, position) and summed in that order: the textbook's sums, bit by bit. No
// table is cleared, probed, packed; all lanes of a wave do the same, whatever the columns are.
#include <array>

#include "accumulators/common/device/task.hpp"
#include "accumulators/sort/candidate.hpp"
#include "lib/device/runtime/shapes.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

/// Lanes that have a row, and how many of its products' keys are in a lane's registers.
using NetworkSize = tuning::NetworkSize;
/// A row takes the first that has room for its products.
inline constexpr auto kSizes = kShapes.sort.networks.value;

[[nodiscard]] constexpr int products_of(const NetworkSize& s) noexcept {
  return s.lanes * s.keys;
}
static_assert(products_of(kSizes.back()) == rowan::sort::kMaxProducts);

/// Borders of bins that the sizes ask for, in products.
inline constexpr auto kBorders = [] {
  std::array<std::int64_t, kSizes.size()> b{};
  for (std::size_t i = 0; i < kSizes.size(); i++) b[i] = products_of(kSizes[i]);
  return b;
}();

[[nodiscard]] constexpr int kernel_of(std::int64_t nprod) noexcept {
  constexpr auto kAll = kSizes;  // of its own: devices cannot see the host's
  int s = 0;
  while (nprod > products_of(kAll[static_cast<std::size_t>(s)])) s++;
  return s;
}

void symbolic(const SymbolicLaunch& launch, int kernel);
template <class T>
void numeric(const NumericLaunch<T>& launch, int kernel);

struct DeviceSort {
  static constexpr std::string_view kName = rowan::sort::candidate.name;
  static constexpr int kSymbolicKernels = static_cast<int>(kSizes.size());
  static constexpr int kNumericKernels = static_cast<int>(kSizes.size());
  static constexpr bool kTakesShorterRows = true;  // each kernel those of the kernels before it
  // keys are 32 bits, of which a position takes nine
  static constexpr bool takes(Phase, const SizeQuery& q) { return q.span_max <= rowan::sort::kMaxSpan; }
  static constexpr int symbolic_kernel(const SizeQuery& q) { return kernel_of(q.nprod_max); }
  static constexpr int numeric_kernel(const SizeQuery& q) { return kernel_of(q.nprod_max); }
  // products are shared out one by one, whichever row of B they are from
  static constexpr int symbolic_threads(int) { return 1; }
  static constexpr int numeric_threads(int) { return 1; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  static void symbolic(const SymbolicLaunch& l, int kernel) { sort::symbolic(l, kernel); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, int kernel) {
    sort::numeric(l, kernel);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
