#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"

namespace rowan::test {
namespace {

bool direct_takes(const Shape& shape) {
  return direct::candidate.feasible(Problem<double>(shape, Values::reals).extent());
}

}  // namespace

TEST_CASE("direct takes rows of at most one entry that meet sorted rows of B without duplicates") {
  CHECK(direct_takes({"", from_rows({{1}, {}, {0}}, 2), from_rows({{0, 3}, {1, 2}}, 4)}));
  CHECK(!direct_takes({"", from_rows({{0, 1}, {}, {0}}, 2), from_rows({{0, 3}, {1, 2}}, 4)}));
  CHECK(!direct_takes({"", from_rows({{1}, {}, {0}}, 2), from_rows({{0, 3}, {2, 1}}, 4)}));
  CHECK(!direct_takes({"", from_rows({{1}, {}, {0}}, 2), from_rows({{0, 3}, {1, 1}}, 4)}));
}

TEST_CASE("direct scales a row of B") {
  const Shape s{"", from_rows({{1}, {}, {0}, {1}}, 2), from_rows({{0, 3}, {1, 2, 3}}, 4)};
  for (const Values values : kAllValues) CHECK_EQ(kernel_fault(direct::candidate, Problem<float>(s, values)), "");
}

}  // namespace rowan::test
