#include "lib/api/row_cuts.hpp"

#include <algorithm>
#include <numeric>

#include "lib/api/place.hpp"
#include "lib/core/values.hpp"

namespace rowan {
namespace {

// What a device's time follows, in products: an entry of A is looked up, a row has metadata and row pointers.
constexpr std::int64_t kEntryCosts = 4, kRowCosts = 16;
// Below, an exchange and a second device's launches take as long as what they save. One device's time by entries of C
// and products: within a factor of two on 17 matrices and an H100.
constexpr double kSharedFrom = 0.8e-3, kEntryOfC = 35e-12, kProduct = 0.5e-12;  // seconds

}  // namespace

double device_seconds_of(double nprod, double c_nnz) {
  return kEntryOfC * c_nnz + kProduct * nprod;
}

template <class T>
double one_device_seconds(const CsrView<T>& a, const CsrView<T>& b) {
  if (a.transposed || b.transposed || a.row_ptr.size() != static_cast<std::size_t>(a.rows) + 1 ||
      b.row_ptr.size() != static_cast<std::size_t>(b.rows) + 1)
    return 1;
  const ProductOutline product = outline(a, b);
  return device_seconds_of(product.nprod, product.c_nnz);
}

template <class T>
std::vector<std::int64_t> row_cuts(const Operand<T>& a, const Operand<T>& b, int devices, double seconds,
                                   const Team& team) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(devices) + 1, a.rows);
  first[0] = 0;
  if (seconds < kSharedFrom) return first;
  constexpr std::int64_t kCostedRows = 1 << 12;  // whose costs are summed up first
  const std::int64_t blocks = (a.rows + kCostedRows - 1) / kCostedRows;
  const auto cost = [&](std::int64_t i) {
    std::int64_t products = 0;
    for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) products += b.length(a.col[e]);
    return products + kEntryCosts * a.length(i) + kRowCosts;
  };
  Array<std::int64_t> before = Array<std::int64_t>::zeroed(blocks + 1);
  team.for_blocks(a.rows, kCostedRows, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t sum = 0;
    for (std::int64_t i = begin; i < end; i++) sum += cost(i);
    before[begin / kCostedRows + 1] = sum;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  const std::int64_t all = before[blocks];
  for (int d = 1; d < devices; d++) {
    const std::int64_t goal = all / devices * d;
    const auto block = std::upper_bound(before.begin(), before.end(), goal) - before.begin() - 1;
    std::int64_t row = block * kCostedRows, sum = before[block];
    for (; row < a.rows; row++) {
      const std::int64_t mine = cost(row);
      if (sum + mine / 2 > goal) break;  // the nearer border
      sum += mine;
    }
    first[static_cast<std::size_t>(d)] = std::max(row, first[static_cast<std::size_t>(d) - 1]);
  }
  return first;
}

#define ROWAN_INSTANTIATE(T)                                                \
  template double one_device_seconds(const CsrView<T>&, const CsrView<T>&); \
  template std::vector<std::int64_t> row_cuts(const Operand<T>&, const Operand<T>&, int, double, const Team&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
