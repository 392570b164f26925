// dense-b: every number of columns, rows of B sorted or not, infinities beside holes, by every instruction set.
#include <limits>

#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/instruction_sets.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

constexpr std::int64_t kBothRows = 40;

/// Rows of A of no entry and more, times a B of so many columns, whose rows have none, some or all of them.
Shape small_b(std::int64_t columns) {
  Random random(static_cast<std::uint64_t>(columns));
  Rows a, b;
  for (std::int64_t i = 0; i < kBothRows; i++) {
    a.push_back(some_columns(random, random.between(0, 9), 0, kBothRows));
    b.push_back(some_columns(random, random.between(0, std::min<std::int64_t>(columns, 90)), 0, columns));
  }
  b[3] = some_columns(random, columns, 0, columns);
  b[4].clear();
  b[5] = {static_cast<std::int32_t>(columns - 1)};
  a[5] = {3, 4, 5};
  a[6].clear();
  return {"", from_rows(a, kBothRows), from_rows(b, columns)};
}

template <class T>
void check_dense_b(const Shape& shape) {
  for (const std::int64_t target : instruction_sets()) {
    CAPTURE(target);
    const OnlyTarget only(target);
    for (const Values values : kAllValues) {
      const Problem<T> p(shape, values);
      CHECK_EQ(kernel_fault(dense::dense_b, p, {0, 5, 6, 20, kBothRows}), "");
      CHECK_EQ(kernel_fault(dense::dense_b, p, {0, 20, kBothRows}, 0xA5A5A5A5, false, false), "");
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("products with a small B that is kept dense are the textbook's", T, float, double) {
  for (const std::int64_t columns :
       {1, 2, 7, 8, 9, 16, 17, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 256, 257, 384, 385, 511, 512}) {
    CAPTURE(columns);
    check_dense_b<T>(small_b(columns));
  }
}

TEST_CASE_TEMPLATE("rows of B may stand in any order, and have a column twice", T, float, double) {
  for (const std::int64_t columns : {12, 64, 128, 300}) {
    CAPTURE(columns);
    const Shape sorted = small_b(columns);
    check_dense_b<T>({"", sorted.a, shuffled(*sorted.b, 1)});
    check_dense_b<T>({"", sorted.a, repeated(*sorted.b, 3, 2)});
    // only the last rows of C meet a row that has one twice
    Shape late = sorted;
    const auto first = static_cast<std::size_t>(late.b->ptr[3]);
    late.b->col[first] = late.b->col[first + 1];
    check_dense_b<T>(late);
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
