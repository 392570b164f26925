// dense-narrow: every number of columns, rows of B that rise and others, by every instruction set.
#include <utility>

#include "tests/accumulators/dense/few_columns.hpp"

namespace rowan::test {
namespace {

Shape narrow(std::int64_t columns) {
  return few_columns(columns, 20);
}

}  // namespace

TEST_CASE_TEMPLATE("products with a B of few columns are the textbook's", T, float, double) {
  for (const std::int64_t columns : {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128}) {
    CAPTURE(columns);
    check_few_columns<T>(dense::narrow, narrow(columns));
  }
}

TEST_CASE_TEMPLATE("rows of B that do not rise are added one product after the other", T, float, double) {
  for (const std::int64_t columns : {12, 64, 128}) {
    CAPTURE(columns);
    check_falling_columns<T>(dense::narrow, narrow(columns), [](auto* col) { std::swap(col[0], col[1]); });
  }
}

TEST_CASE_TEMPLATE("a B of very many rows has no masks, and its products are the textbook's all the same", T, float,
                   double) {
  const Problem<T> p(narrow(50), Values::reals);
  Candidate no_masks = dense::narrow;
  no_masks.scratch = [](const Extent& extent, std::size_t value_bytes) {
    Extent many = extent;
    many.b_rows = std::int64_t{1} << 30;
    return dense::narrow_scratch(many, value_bytes);
  };
  CHECK_EQ(no_masks.scratch(p.extent(), sizeof(T)).persistent, 0);
  CHECK_EQ(kernel_fault(no_masks, p, {0, 20, kFewColumnsRows}), "");
}

TEST_CASE("only a B of few columns is narrow") {
  Extent extent{.columns = dense::kNarrowColumns};
  CHECK(dense::narrow.feasible(extent));
  CHECK(dense::narrow.feasible_unmeasured(extent));
  extent.columns++;
  CHECK_FALSE(dense::narrow.feasible(extent));
  CHECK_FALSE(dense::narrow.feasible_unmeasured(extent));
}

}  // namespace rowan::test
