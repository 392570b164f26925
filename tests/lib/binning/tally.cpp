#include "lib/binning/tally.hpp"

#include <doctest/doctest.h>

#include "tests/support/measured.hpp"

namespace rowan::test {
namespace {

constexpr RowNumbers kShort{.nprod = 3, .bound = 2, .a_nnz = 2, .span = 9, .b_max = 2, .in_run = true},
    kLong{.nprod = 50, .bound = 40, .a_nnz = 7, .span = 90, .b_max = 20, .in_shift = true};

}  // namespace

TEST_CASE("a tally has the sums and maxima of its rows' numbers") {
  Tally t;
  t.add(kLong);
  t.add(kShort, 3);
  CHECK_EQ(t.rows, 4);
  CHECK_EQ(t.nprod, 59);
  CHECK_EQ(t.nprod_max, 50);
  CHECK_EQ(t.bound, 46);
  CHECK_EQ(t.bound_max, 40);
  CHECK_EQ(t.a_nnz, 13);
  CHECK_EQ(t.a_nnz_max, 7);
  CHECK_EQ(t.span, 117);
  CHECK_EQ(t.span_max, 90);
  CHECK_EQ(t.b_row_max, 20);
  CHECK_EQ(t.in_runs, 3);
  CHECK_EQ(t.in_shifts, 1);
  CHECK_EQ(t.nprod_squares, 2527);
}

TEST_CASE("tallies add up to the tally of all rows, and differ where a field does") {
  Tally first, second, all;
  first.add(kLong), second.add(kShort), second.add(kShort);
  all.add(kShort, 2), all.add(kLong);
  CHECK_FALSE(same(first, all));
  first.add(second);
  CHECK(same(first, all));
  for (double Tally::*field : {&Tally::nprod_squares}) {
    Tally other = all;
    other.*field += 1;
    CHECK_FALSE(same(other, all));
  }
  for (std::int64_t Tally::*field : {&Tally::rows, &Tally::span_max, &Tally::b_row_max, &Tally::in_runs}) {
    Tally other = all;
    other.*field += 1;
    CHECK_FALSE(same(other, all));
  }
}

TEST_CASE("a row of C is a tally's numbers") {
  CRow row{.nprod = 4, .lo = 10, .hi = 12, .b_max = 3, .run = {.rows = 2, .shifts = 1, .same = false, .shifted = true}};
  Tally t, expected;
  t.add(row, 2, row.bound());
  expected.add({.nprod = 4, .bound = 3, .a_nnz = 2, .span = 3, .b_max = 3, .in_run = true, .in_shift = true});
  CHECK(same(t, expected));
}

}  // namespace rowan::test
