// dense-narrow: every number of columns, rows of B that rise and others, by every instruction set.
#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

constexpr std::int64_t kRows = 40;

/// Rows of A of no entry and more, times a B of so many columns, whose rows have none, some or all of them.
Shape narrow(std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(columns));
  Rows a, b;
  for (std::int64_t i = 0; i < kRows; i++) {
    a.push_back(some_columns(random, random.between(0, 9), 0, kRows));
    b.push_back(some_columns(random, random.between(0, std::min<std::int64_t>(columns, 20)), 0, columns));
  }
  b[3] = some_columns(random, columns, 0, columns);
  b[4].clear();
  b.back() = {static_cast<std::int32_t>(columns - 1)};  // B ends with a row of one entry, and A meets it
  a[5] = {3, 4, static_cast<std::int32_t>(kRows - 1)};
  a[6].clear();
  return {"", from_rows(a, kRows), from_rows(b, columns)};
}

template <class T>
void check(const Shape& shape) {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const Values values : kAllValues) {
      const Problem<T> p(shape, values);
      CHECK_EQ(kernel_fault(dense::narrow, p, {0, 5, 6, 20, kRows}), "");
      CHECK_EQ(kernel_fault(dense::narrow, p, {0, 20, kRows}, 0xA5A5A5A5, false, false), "");
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("products with a B of few columns are the textbook's", T, float, double) {
  for (const std::int64_t columns : {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128}) {
    CAPTURE(columns);
    check<T>(narrow(columns));
  }
}

TEST_CASE_TEMPLATE("rows of B that do not rise are added one product after the other", T, float, double) {
  for (const std::int64_t columns : {12, 64, 128}) {
    CAPTURE(columns);
    const Shape rising = narrow(columns);
    check<T>({"", rising.a, shuffled(*rising.b, 1)});
    check<T>({"", rising.a, repeated(*rising.b, 3, 2)});
    // only the last rows of C meet a row that does not
    Shape late = rising;
    const auto first = static_cast<std::size_t>(late.b->ptr[3]);
    std::swap(late.b->col[first], late.b->col[first + 1]);
    check<T>(late);
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
  CHECK_EQ(kernel_fault(no_masks, p, {0, 20, kRows}), "");
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
