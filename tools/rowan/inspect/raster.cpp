#include "tools/rowan/inspect/raster.hpp"

#include <algorithm>
#include <cmath>

#include "tools/rowan/common.hpp"

namespace rowan::tool {
namespace {

constexpr std::int64_t kMostCells = 320;  // a screen's width on a phone, half of one elsewhere

}  // namespace

Raster raster_of(const CsrView<double>& m, int kinds, const std::function<std::uint8_t(std::int64_t)>& kind_of) {
  Raster r{.rows = rows_of(m), .cols = cols_of(m)};
  r.down = static_cast<int>(std::min(r.rows, kMostCells)), r.across = static_cast<int>(std::min(r.cols, kMostCells));
  const auto cells = static_cast<std::size_t>(r.down) * static_cast<std::size_t>(r.across);
  const auto each = static_cast<std::size_t>(kinds);
  std::vector<std::uint32_t> entries(cells * each);
  for (std::int64_t i = 0; i < m.rows; i++)
    for (std::int64_t e = m.row_ptr[i]; e < m.row_ptr[i + 1]; e++) {
      const std::int64_t other = m.col[static_cast<std::size_t>(e)];
      const std::int64_t row = m.transposed ? other : i, col = m.transposed ? i : other;
      const auto cell = static_cast<std::size_t>(row * r.down / r.rows * r.across + col * r.across / r.cols);
      entries[cell * each + kind_of(row)]++, r.nnz++;
    }
  r.kind.assign(cells, Raster::kEmpty), r.amount.assign(cells, 0);
  std::vector<double> sums(cells);
  double most = 1;
  for (std::size_t c = 0; c < cells; c++) {
    const auto first = entries.begin() + static_cast<std::ptrdiff_t>(c * each);
    for (std::size_t k = 0; k < each; k++) sums[c] += first[static_cast<std::ptrdiff_t>(k)];
    if (sums[c] > 0) r.kind[c] = static_cast<std::uint8_t>(std::max_element(first, first + kinds) - first);
    most = std::max(most, sums[c]);
  }
  constexpr double kLeast = 1, kRange = 254;
  for (std::size_t c = 0; c < cells; c++)
    if (sums[c] > 0)
      r.amount[c] = static_cast<std::uint8_t>(kLeast + kRange * std::log(1 + sums[c]) / std::log(1 + most));
  return r;
}

}  // namespace rowan::tool
