#include "lib/host/galerkin/middle_rows.hpp"

#include <vector>

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

namespace rowan::test {

using fused::MiddleRows;

namespace {

/// Row i: lengths and entries that tell the row and the time it was made.
void make(MiddleRows<double>& rows, std::int64_t i, std::int64_t nnz) {
  const auto place = rows.place();
  for (std::int64_t k = 0; k < nnz; k++)
    place.col[k] = static_cast<Column>(1000 * i + k), place.val[k] = static_cast<double>(i) + 0.5;
  rows.keep(i, nnz);
}

bool whole(const MiddleRows<double>& rows, std::int64_t i, std::int64_t nnz) {
  const auto row = rows.row(i);
  bool same = row.nnz == nnz;
  for (std::int64_t k = 0; same && k < nnz; k++)
    same = row.col[k] == 1000 * i + k && row.val[k] == static_cast<double>(i) + 0.5;
  return same;
}

}  // namespace

TEST_CASE("rows of A P: the last ones are there, whole, while the ring has room, older ones are not") {
  constexpr std::int64_t kRows = 500, kLongest = 9;
  MiddleRows<double> rows(kRows, kLongest, 100, 100);
  CHECK_FALSE(rows.has(0));
  for (std::int64_t i = 0; i < kRows; i++) {
    make(rows, i, i % (kLongest + 1));
    for (std::int64_t j = 0; j <= i; j++)
      if (rows.has(j)) REQUIRE(whole(rows, j, j % (kLongest + 1)));
    REQUIRE(rows.has(i));
    if (i >= 9) REQUIRE(rows.has(i - 9));
  }
  CHECK_FALSE(rows.has(kRows - 100));
}

TEST_CASE("rows of A P: where many are made again the ring grows, and keeps what it has") {
  constexpr std::int64_t kRows = 400, kLongest = 5;
  MiddleRows<double> rows(kRows, kLongest, 8, kRows * kLongest);
  Random random(3);
  std::int64_t again = 0, last = 0;
  for (std::int64_t n = 0; n < 40'000; n++) {
    const std::int64_t i = random.between(0, kRows - 1);
    if (!rows.has(i)) make(rows, i, 1 + i % kLongest), again = n;
    REQUIRE(whole(rows, i, 1 + i % kLongest));
    if (n > 0) REQUIRE((!rows.has(last) || whole(rows, last, 1 + last % kLongest)));
    last = i;
  }
  CHECK_LT(again, 20'000);  // by then all rows fit
}

TEST_CASE("rows of A P: a row as long as the ring") {
  MiddleRows<double> rows(3, 1000, 1, 1);
  for (int round = 0; round < 3; round++)
    for (std::int64_t i = 0; i < 3; i++) {
      make(rows, i, 1000);
      REQUIRE(whole(rows, i, 1000));
    }
}

}  // namespace rowan::test
