#pragma once
// Sort on a device (register-aware, section 3.1; ESC, Bell 2012): the products of a short row are gathered by a few
// lanes, sorted in their registers by (column, position) and summed in that order: the textbook's sums, bit by bit. No
// table is cleared, probed, packed; all lanes of a wave do the same, whatever the columns are.
#include <array>
#include <span>

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

/// Sizes with so many keys a lane or fewer have one launch in the numeric phase, the others another.
inline constexpr int kFewKeys = kShapes.sort.few_keys;

/// Rows of several kernels, all of which have the same launch (launch_of); its own rows are not looked at.
void symbolic(const SymbolicLaunch& launch, std::span<const RowsOfKernel> rows);
template <class T>
void numeric(const NumericLaunch<T>& launch, std::span<const RowsOfKernel> rows);

struct DeviceSort {
  static constexpr std::string_view kName = rowan::sort::candidate.name;
  static constexpr int kSymbolicKernels = static_cast<int>(kSizes.size());
  static constexpr int kNumericKernels = static_cast<int>(kSizes.size());
  // keys are 32 bits, of which a position takes nine
  static constexpr bool takes(Phase, const SizeQuery& q) { return q.span_max <= rowan::sort::kMaxSpan; }
  static constexpr int symbolic_kernel(const SizeQuery& q) { return kernel_of(q.nprod_max); }
  static constexpr int numeric_kernel(const SizeQuery& q) { return kernel_of(q.nprod_max); }
  // products are shared out one by one, whichever row of B they are from
  static constexpr int symbolic_threads(int) { return 1; }
  static constexpr int numeric_threads(int) { return 1; }
  static constexpr bool wants_tables(Phase, int) { return false; }
  /// Kernels with the same number are launched together: a launch takes 3 to 4 us of the host, which is what most of
  /// them take on the device where there are few rows of each.
  static constexpr int launch_of(Phase phase, int kernel) {
    constexpr auto kAll = kSizes;
    return phase == Phase::symbolic || kAll[static_cast<std::size_t>(kernel)].keys <= kFewKeys ? 0 : 1;
  }
  static void symbolic(const SymbolicLaunch& l, std::span<const RowsOfKernel> rows) { sort::symbolic(l, rows); }
  template <class T>
  static void numeric(const NumericLaunch<T>& l, std::span<const RowsOfKernel> rows) {
    sort::numeric(l, rows);
  }
};

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
