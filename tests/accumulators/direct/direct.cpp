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

TEST_CASE("direct takes any row where rows of B have at most one entry, whose columns never fall") {
  const auto a = from_rows({{0, 2}, {}, {0, 1, 2}}, 3);
  CHECK(direct_takes({"a diagonal", a, from_rows({{0}, {1}, {2}}, 3)}));
  CHECK(direct_takes({"groups of neighbours", a, from_rows({{0}, {0}, {1}}, 2)}));
  CHECK(direct_takes({"some columns", a, from_rows({{0}, {}, {1}}, 2)}));
  CHECK(!direct_takes({"an order of its own", a, from_rows({{1}, {0}, {2}}, 3)}));
  CHECK(!direct_takes({"rows of two", a, from_rows({{0}, {0, 1}, {2}}, 3)}));
}

TEST_CASE("direct scales and renumbers rows of A, and sums neighbours, whether measured or not") {
  const auto sorted = from_rows({{0, 2, 3, 7}, {}, {1}, {0, 1, 2, 3, 4, 5, 6, 7}, {}, {}, {6, 7}}, 8);
  const auto unsorted = from_rows({{7, 2, 3, 0}, {}, {1}, {4, 5, 4, 1, 0, 6, 4}, {2, 2}}, 8);
  const auto diagonal = from_rows({{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, 8);
  const auto groups = from_rows({{0}, {0}, {0}, {1}, {1}, {3}, {3}, {3}}, 4);
  const auto some = from_rows({{}, {0}, {}, {2}, {2}, {}, {5}, {}}, 6);
  for (const auto& a : {sorted, unsorted})
    for (const auto& b : {diagonal, groups, some})
      for (const Values values : kAllValues)
        for (const bool measured : {true, false}) {
          const Problem<double> p(Shape{"", a, b}, values);
          CHECK_EQ(kernel_fault(direct::candidate, p, {0, a.rows}, 0xA5A5A5A5, false, measured), "");
          CHECK_EQ(kernel_fault(direct::candidate, p, {0, 1, 3, a.rows}, 0xA5A5A5A5, false, measured), "");
        }
}

TEST_CASE("rows of B that fall, or have a column twice, are sorted and summed where nothing was measured") {
  const auto a = from_rows({{1}, {}, {0}, {2}, {3}}, 4);
  const auto b =
      from_rows({{3, 0}, {1, 1, 0, 5, 0}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 8}}, 10);
  for (const Values values : kAllValues)
    CHECK_EQ(
        kernel_fault(direct::candidate, Problem<double>(Shape{"", a, b}, values), {0, 5}, 0xA5A5A5A5, false, false),
        "");
}

}  // namespace rowan::test
