#include "lib/choose/extent.hpp"

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

Tally tally(std::int64_t span) {
  Tally t;
  t.add({.nprod = 30, .bound = 20, .a_nnz = 4, .span = span, .b_max = 9, .in_run = true, .in_shift = true});
  t.add({.nprod = 10, .bound = 10, .a_nnz = 8, .span = 50, .b_max = 2, .in_run = true});
  return t;
}

}  // namespace

TEST_CASE("the extent of rows has their maxima, and is of runs where all rows are") {
  for (const bool sorted : {false, true}) {
    const Extent e = extent_of(tally(100), sorted);
    CHECK_EQ(e.nprod_max, 30);
    CHECK_EQ(e.bound_max, 20);
    CHECK_EQ(e.span_max, 100);
    CHECK_EQ(e.a_nnz_max, 8);
    CHECK_EQ(e.sorted_b, sorted);
    CHECK(e.runs);
    CHECK_FALSE(e.shifts);
    CHECK_EQ(e.span_per_product, 0);
  }
}

TEST_CASE("columns a product count where a span is more than a window") {
  CHECK_EQ(extent_of(tally(kNarrowSpan), true, 40).span_per_product, 0);
  CHECK_EQ(extent_of(tally(kNarrowSpan), true, 40).widest_per_product, 0);
  const Extent wide = extent_of(tally(kNarrowSpan + 1), true, 100);
  CHECK_EQ(wide.span_per_product, (kNarrowSpan + 51) / 40);
  CHECK_EQ(wide.widest_per_product, (kNarrowSpan + 1) / 100);
  CHECK_EQ(extent_of({.span = 2 * kNarrowSpan, .span_max = 2 * kNarrowSpan}, true, 0).widest_per_product,
           2 * kNarrowSpan);
}

TEST_CASE("an extent takes in other rows: maxima, and whether B is sorted") {
  Extent e;
  e.add({.nprod_max = 5, .bound_max = 1, .span_max = 7, .a_nnz_max = 2});
  e.add({.nprod_max = 4, .bound_max = 3, .span_max = 9, .a_nnz_max = 1, .sorted_b = false});
  CHECK_EQ(e.nprod_max, 5);
  CHECK_EQ(e.bound_max, 3);
  CHECK_EQ(e.span_max, 9);
  CHECK_EQ(e.a_nnz_max, 2);
  CHECK_FALSE(e.sorted_b);
}

}  // namespace rowan::test
