#include "lib/host/count_products.hpp"

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/instruction_sets.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

Pattern pattern(const Sparsity& s) {
  return {s.rows, s.cols, s.ptr.data(), s.col.data()};
}

/// All rows of A, and some of them, counted with what the processor has.
void check(const Sparsity& left, const Sparsity& right) {
  const Pattern a = pattern(left), b = pattern(right);
  std::vector<std::int64_t> of_row(static_cast<std::size_t>(a.rows));
  for (std::int64_t i = 0; i < a.rows; i++)
    for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++) of_row[static_cast<std::size_t>(i)] += b.length(a.col[k]);
  for (const std::int64_t first : {std::int64_t{0}, a.rows / 3}) {
    std::vector<std::int64_t> counted(static_cast<std::size_t>((a.rows - first + 7) / kCountedTogether));
    const std::int64_t longest = count_products(a, b, first, a.rows, counted.data());
    std::int64_t most = 0;
    for (std::size_t g = 0; g < counted.size(); g++) {
      const auto begin = static_cast<std::size_t>(first) + g * kCountedTogether;
      std::int64_t n = 0;
      for (std::size_t i = begin; i < std::min(begin + kCountedTogether, of_row.size()); i++)
        n += of_row[i], most = std::max(most, of_row[i]);
      CHECK_EQ(counted[g], n);
    }
    CHECK_GE(longest, most);
    CHECK_LE(longest, std::max(most, kProductsTogether));
  }
}

}  // namespace

TEST_CASE("products of rows are counted, and none has more than is told, with every instruction set") {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const Shape& shape : shapes()) {
      CAPTURE(shape.name);
      check(shape.a, shape.right());
    }
    // rows of about as many products as are counted in one loop, by ones, twos, fours and eights, and longer ones
    for (const std::int64_t each : {5, 12, 25, 60, 128, 300})
      check(scattered(101, 400, each / 2, each, 1), scattered(400, 50, 2, 8, 2));
    check(power_law(300, 200, 3), power_law(300, 200, 4));
    check(from_rows({}, 5), from_rows({{}, {}, {}, {}, {}}, 2));
  }
}

}  // namespace rowan::test
