// dense-window: eight rows that meet the same rows of B are multiplied together, to the bits of rows by themselves.
#include <algorithm>
#include <limits>

#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// `rows` rows that each meet one of `of` of B's `met` rows, at random, which fill a third of `span` columns.
Shape sharing(std::int64_t rows, std::int64_t met, std::int64_t of, std::int64_t span) {
  Random random(static_cast<std::uint64_t>(rows + met + of + span));
  Rows a, b;
  for (std::int64_t j = 0; j < met; j++)
    b.push_back(some_columns(random, std::max<std::int64_t>(span / 3, 1), 7, 6 + span));
  for (std::int64_t i = 0; i < rows; i++)
    a.push_back(some_columns(random, std::max<std::int64_t>(met / of, 1), 0, met - 1));
  return {"", from_rows(a, met), from_rows(b, span + 20)};
}

template <class T>
void check(const Shape& s, Values values) {
  const Problem<T> p(s, values);
  const std::int64_t n = p.a.rows;
  CHECK_EQ(kernel_fault(dense::window, p), "");
  CHECK_EQ(kernel_fault(dense::window, p, {0, std::min<std::int64_t>(8, n), n}), "");
  CHECK_EQ(kernel_fault(dense::window, p, {0, n / 3, n / 2, n}), "");
}

}  // namespace

TEST_CASE_TEMPLATE("rows that share rows of B give what they give alone, whatever their products are", T, float,
                   double) {
  for (const std::int64_t span : {48, 64, 65, 300})
    for (const std::int64_t of : {1, 2, 3, 8})
      for (const Values values : kAllValues) {
        CAPTURE(span);
        CAPTURE(of);
        check<T>(sharing(29, 120, of, span), values);
      }
}

TEST_CASE_TEMPLATE("any number of rows may be left at the end", T, float, double) {
  for (std::int64_t rows = 1; rows <= 17; rows++) {
    CAPTURE(rows);
    check<T>(sharing(rows, 60, 2, 100), Values::reals);
  }
}

TEST_CASE("more rows of B than are listed at a time, and columns of A far apart") {
  check<double>(sharing(16, 3000, 2, 60), Values::reals);
  Shape apart = sharing(16, 400, 2, 60);
  Rows a, b;
  Random random(3);
  for (int j = 0; j < 9000; j++)
    b.push_back(j % 90 == 0 ? some_columns(random, 20, 0, 59) : std::vector<std::int32_t>{});
  for (int i = 0; i < 16; i++) {
    a.emplace_back();
    for (std::int32_t j = 0; j < 9000; j += 90)
      if (random.below(3) != 0) a.back().push_back(j);
  }
  check<double>({"", from_rows(a, 9000), from_rows(b, 60)}, Values::reals);
}

TEST_CASE("rows of A whose columns do not rise keep the order of their products") {
  Shape s = sharing(24, 100, 2, 90);
  Rows a, b;
  Random random(5);
  for (int i = 0; i < 24; i++) {
    auto row = some_columns(random, 50, 0, 99);
    if (i % 9 == 4) std::swap(row[10], row[30]);
    if (i % 9 == 5) row[11] = row[10];
    a.push_back(row);
  }
  for (int j = 0; j < 100; j++) {
    auto row = some_columns(random, 30, 0, 89);
    if (j % 7 == 3) std::swap(row[3], row[9]);
    if (j % 7 == 5) row[4] = row[3];
    b.push_back(row);
  }
  check<double>({"", from_rows(a, 100), from_rows(b, 90)}, Values::reals);
}

TEST_CASE("equal rows, empty rows and rows of other columns are among them") {
  Rows a, b;
  Random random(7);
  for (int j = 0; j < 80; j++) b.push_back(some_columns(random, 25, j < 40 ? 0 : 50, j < 40 ? 70 : 120));
  for (int i = 0; i < 40; i++) {
    if (i % 6 == 1)
      a.push_back(a.back());
    else if (i % 11 == 7)
      a.emplace_back();
    else
      a.push_back(some_columns(random, 20, i % 4 == 0 ? 40 : 0, i % 4 == 0 ? 79 : 39));
  }
  for (const Values values : kAllValues) check<double>({"", from_rows(a, 80), from_rows(b, 300)}, values);
}

TEST_CASE_TEMPLATE("values so small that a product may be -0 are watched", T, float, double) {
  for (const bool vanish : {false, true}) {
    CAPTURE(vanish);
    Problem<T> p(sharing(24, 100, 2, 90), Values::reals);
    // the products of this one are zero only with another as small
    const_cast<T*>(p.a.val)[70] = -std::numeric_limits<T>::min();
    if (vanish) std::fill_n(const_cast<T*>(p.b.val), p.b.ptr[p.a.col[70] + 1], std::numeric_limits<T>::min());
    p.expected = textbook(p.factors.a(), p.factors.b());
    CHECK_EQ(kernel_fault(dense::window, p), "");
  }
}

TEST_CASE("spans up to the widest and beyond") {
  for (const std::int64_t span : {4096, 8192, 8193, 9000}) {
    CAPTURE(span);
    check<double>(sharing(10, 40, 2, span), Values::reals);
  }
}

}  // namespace rowan::test
