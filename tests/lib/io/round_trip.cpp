#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/lib/io/matrices.hpp"

namespace rowan::test {
namespace {

using Limits = std::numeric_limits<double>;

/// One row of doubles that are easily lost on the way.
Plain awkward() {
  Plain matrix{1, 0, {0}, {}, {}};
  for (const double magnitude : {0.0,
                                 Limits::denorm_min(),
                                 3 * Limits::denorm_min(),
                                 2.2250738585072009e-308,
                                 Limits::min(),
                                 Limits::max(),
                                 Limits::infinity(),
                                 Limits::quiet_NaN(),
                                 0.1,
                                 1.0 / 3,
                                 1 + Limits::epsilon(),
                                 1 - Limits::epsilon() / 2,
                                 5e-324,
                                 9007199254740993.0,
                                 1e22,
                                 1e23,
                                 123456789012345680.0,
                                 1.7976931348623155e308,
                                 8.41e21,
                                 2.0e-3,
                                 4.35,
                                 100.0})
    for (const double value : {magnitude, -magnitude}) matrix.val.push_back(value);
  for (std::uint64_t bits = 1; bits < 1ULL << 62; bits = bits * 3 + 7)
    matrix.val.push_back(std::bit_cast<double>(bits));
  for (std::size_t k = 0; k != matrix.val.size(); ++k) matrix.col.push_back(static_cast<std::int32_t>(k));
  matrix.cols = static_cast<std::int64_t>(matrix.val.size());
  matrix.row_ptr.push_back(matrix.cols);
  return matrix;
}

/// Unsorted rows, duplicates, zeros, empty rows; indices up to the largest.
Plain untidy() {
  return {4, 2147483647, {0, 3, 3, 5, 5}, {2147483646, 0, 2147483646, 7, 7}, {1, 0, -3, -0.0, 1e300}};
}

}  // namespace

TEST_CASE("round trip: every form gives back the same bits") {
  const Folder folder;
  for (const Plain& matrix : {awkward(), untidy(), Plain{0, 0, {0}, {}, {}}, Plain{3, 2, {0, 0, 0, 0}, {}, {}}})
    for (const char* name : {"m.mtx", "m.mtx.gz", "m.bin", "m.bin.gz", "m.rowan", "m.rowan.gz"}) {
      CAPTURE(name);
      write_matrix(folder.path(name), matrix.view());
      CHECK(plain(read_matrix(folder.path(name))) == matrix);
    }
}

TEST_CASE("round trip: numbers are as short as they can be") {
  const Folder folder;
  const Plain matrix{1, 4, {0, 4}, {0, 1, 2, 3}, {0.1, 1e22, Limits::denorm_min(), -100}};
  write_matrix(folder.path("m.mtx"), matrix.view());
  CHECK(content(folder.path("m.mtx")) ==
        "%%MatrixMarket matrix coordinate real general\n1 4 4\n1 1 0.1\n1 2 1e+22\n1 3 5e-324\n1 4 -100\n");
}

}  // namespace rowan::test
