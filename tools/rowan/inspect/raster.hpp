#pragma once
// Where a matrix has entries, in cells of several rows and columns: what pictures of matrices of any size are made of.
#include <cstdint>
#include <functional>
#include <vector>

#include <rowan/csr.hpp>

namespace rowan::tool {

struct Raster {
  static constexpr std::uint8_t kEmpty = 255;

  std::int64_t rows = 0, cols = 0, nnz = 0;  // of the matrix
  int down = 0, across = 0;                  // cells; at most 320 each
  std::vector<std::uint8_t> kind = {};       // by cell: that of most of its entries, or kEmpty
  std::vector<std::uint8_t> amount = {};     // by cell: 1 to 255, by the logarithm of its entries; 0: none
};

/// `kind_of(row)` is the number, below `kinds`, of what a row is coloured by. A transposed view is shown as what it
/// stands for.
[[nodiscard]] Raster raster_of(const CsrView<double>& matrix, int kinds,
                               const std::function<std::uint8_t(std::int64_t)>& kind_of);

}  // namespace rowan::tool
