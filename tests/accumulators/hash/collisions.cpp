// hash: columns that want one place.
#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"

namespace rowan::test {

TEST_CASE_TEMPLATE("columns that collide are told apart", T, float, double) {
  // multiples of large powers of two differ in few of the bits that a multiplicative hash keeps
  for (const int power : {4, 8, 12, 16, 20}) {
    CAPTURE(power);
    std::vector<std::int32_t> row;
    for (std::int64_t k = 0; k < 600 && k << power < INT32_MAX; k++)
      row.push_back(static_cast<std::int32_t>(k << power));
    const Shape s{"", from_rows({{0, 0, 1}, {1}, {}, {1, 0}}, 2), from_rows({row, row}, INT32_MAX)};
    CHECK_EQ(kernel_fault(hash::candidate, Problem<T>(s, Values::reals)), "");
  }
}

TEST_CASE("a table as full as its bound allows serves rows of any size one after another") {
  Rows a, b;
  std::vector<std::int32_t> row;
  for (std::int32_t n = 0; n < 140; n++) {
    b.push_back(row);
    a.push_back({139 - n});
    row.push_back(n);
  }
  const Shape s{"", from_rows(a, 140), from_rows(b, 140)};
  CHECK_EQ(kernel_fault(hash::candidate, Problem<double>(s, Values::reals)), "");
}

}  // namespace rowan::test
