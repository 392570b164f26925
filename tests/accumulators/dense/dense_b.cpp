// dense-b: every number of columns, rows of B sorted or not, infinities beside holes, by every instruction set.
#include <limits>

#include "tests/accumulators/dense/few_columns.hpp"

namespace rowan::test {
namespace {

Shape small_b(std::int64_t columns) {
  return few_columns(columns, 90);
}

}  // namespace

TEST_CASE_TEMPLATE("products with a small B that is kept dense are the textbook's", T, float, double) {
  for (const std::int64_t columns :
       {1, 2, 7, 8, 9, 16, 17, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 256, 257, 384, 385, 511, 512}) {
    CAPTURE(columns);
    check_few_columns<T>(dense::dense_b, small_b(columns));
  }
}

TEST_CASE_TEMPLATE("rows of B may stand in any order, and have a column twice", T, float, double) {
  for (const std::int64_t columns : {12, 64, 128, 300}) {
    CAPTURE(columns);
    check_falling_columns<T>(dense::dense_b, small_b(columns), [](auto* col) { col[0] = col[1]; });
  }
}

TEST_CASE_TEMPLATE("infinities of A make no NaN where B has no entry", T, float, double) {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    Problem<T> p(small_b(70), Values::reals);
    std::vector<T> values(p.a.val, p.a.val + p.a.nnz());
    for (std::size_t k = 0; k < values.size(); k += 3) values[k] = std::numeric_limits<T>::infinity();
    CsrView<T> a = p.factors.a();
    a.val = values;
    p.a = Problem<T>::operand(a), p.expected = textbook(a, p.factors.b());
    REQUIRE(std::ranges::any_of(p.expected.val, [](T x) { return std::isfinite(x); }));
    REQUIRE(std::ranges::any_of(p.expected.val, [](T x) { return std::isinf(x); }));
    CHECK_EQ(kernel_fault(dense::dense_b, p), "");
  }
}

TEST_CASE("dense-b takes a B that is small and met often") {
  constexpr std::int64_t kRowsOfB = dense::kMostDenseBArea / dense::kDenseBColumns;
  const Extent most{.columns = dense::kDenseBColumns, .b_rows = kRowsOfB, .b_uses = dense::kLeastDenseBUses};
  CHECK(dense::dense_b.feasible(most));
  CHECK(dense::dense_b.feasible_unmeasured(most));
  for (const auto& change :
       {+[](Extent& e) { e.columns++; }, +[](Extent& e) { e.b_rows++; }, +[](Extent& e) { e.b_uses--; }}) {
    Extent beyond = most;
    change(beyond);
    CHECK_FALSE(dense::dense_b.feasible(beyond));
  }
}

}  // namespace rowan::test
