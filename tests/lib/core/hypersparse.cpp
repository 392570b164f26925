#include "lib/core/hypersparse.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// Whether the kept rows are the matrix's, in order, and all others are empty.
template <class T>
void check_same(const NonEmptyRows<T>& kept, const CsrView<T>& whole) {
  REQUIRE_EQ(kept.operand.rows, static_cast<std::int64_t>(kept.row.size()));
  CHECK_EQ(kept.operand.cols, whole.cols);
  CHECK_EQ(kept.operand.nnz(), whole.nnz());
  std::int64_t n = 0;
  for (std::int64_t i = 0; i < whole.rows; i++) {
    const std::int64_t begin = whole.row_ptr[i], length = whole.row_ptr[i + 1] - begin;
    if (length == 0) continue;
    REQUIRE_LT(n, kept.operand.rows);
    CHECK_EQ(kept.row[n], i);
    REQUIRE_EQ(kept.operand.length(n), length);
    CHECK(std::equal(whole.col.data() + begin, whole.col.data() + begin + length,
                     kept.operand.col + kept.operand.ptr[n]));
    CHECK(std::equal(whole.val.data() + begin, whole.val.data() + begin + length,
                     kept.operand.val + kept.operand.ptr[n]));
    n++;
  }
  CHECK_EQ(n, kept.operand.rows);
}

}  // namespace

TEST_CASE("a matrix is hypersparse from four rows an entry on, if it has some rows") {
  CHECK(!is_hypersparse(100, 0));
  CHECK(is_hypersparse(4096, 1023));
  CHECK(!is_hypersparse(4096, 1024));
  CHECK(is_hypersparse(std::int64_t{1} << 31, 5));
}

TEST_CASE_TEMPLATE("rows that have entries are kept as they stand, without a copy of them", T, float, double) {
  for (const char* name : {"few entries in many rows", "few entries in many rows of A", "all empty", "no rows"}) {
    CAPTURE(name);
    const Matrix<T> m = filled<T>(shape(name).a, Values::reals, 1);
    const NonEmptyRows<T> kept = non_empty_rows(m.view());
    check_same(kept, m.view());
    CHECK_EQ(kept.operand.col, m.pattern.col.data());
    CHECK_EQ(kept.operand.val, m.val.data());
    CHECK_LE(kept.bytes(), non_empty_bytes(m.view()));
    check_same(non_empty_rows(m.narrow_view()), m.view());
  }
}

TEST_CASE_TEMPLATE("of a transposed view the rows of the transpose are kept", T, float, double) {
  for (const char* name : {"few entries in many rows", "wide", "duplicates in both", "unsorted", "very wide"}) {
    CAPTURE(name);
    const Shape& s = shape(name);
    const Matrix<T> m = filled<T>(s.b ? *s.b : s.a, Values::reals, 1);
    const Csr<T> expected = transpose(m.view());
    const NonEmptyRows<T> kept = non_empty_rows(transposed(m.view()));
    check_same(kept, expected.view());
    CHECK_LE(kept.bytes(), non_empty_bytes(transposed(m.view())));
  }
}

TEST_CASE_TEMPLATE("columns are renumbered to the rows of B that are kept, by search and by list", T, float, double) {
  Random random(3);
  for (const std::int64_t cols : {40, 100000})  // more and fewer than A has entries
    for (const int threads : {1, 3}) {
      CAPTURE(cols);
      const Matrix<T> m = filled<T>(scattered(9000, cols, 0, 2, 5), Values::reals, 1);
      std::vector<std::int32_t> kept = some_columns(random, cols / 3, 0, cols);
      const Prepared<T> a(m.view(), "A", true, Team(1));
      const NonEmptyRows<T> out = renumbered(a.operand(), std::span<const std::int32_t>(kept), Team(threads));
      CHECK_EQ(out.operand.rows, 9000);
      CHECK_EQ(out.operand.cols, static_cast<std::int64_t>(kept.size()));
      CHECK_LE(out.bytes(), renumbered_bytes(a.operand()));
      std::int64_t at = 0;
      for (std::int64_t i = 0; i < 9000; i++) {
        REQUIRE_EQ(out.operand.ptr[i], at);
        for (std::int64_t k = m.view().row_ptr[i]; k < m.view().row_ptr[i + 1]; k++) {
          const auto place = static_cast<std::size_t>(k);
          const auto found = std::lower_bound(kept.begin(), kept.end(), m.pattern.col[place]);
          if (found == kept.end() || *found != m.pattern.col[place]) continue;
          REQUIRE_EQ(out.operand.col[at], found - kept.begin());
          REQUIRE_EQ(out.operand.val[at], m.val[place]);
          at++;
        }
      }
      CHECK_EQ(out.operand.nnz(), at);
    }
}

}  // namespace rowan::test
