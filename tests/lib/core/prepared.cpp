#include "lib/core/prepared.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"

namespace rowan::test {

TEST_CASE("a view with 64-bit row pointers comes inside without a copy") {
  const Matrix<double> m = filled<double>(shape("banded").a, Values::reals, 1);
  const Prepared<double> p(m.view(), "A", true, Team(1));
  CHECK_EQ(p.operand().ptr, m.pattern.ptr.data());
  CHECK_EQ(p.operand().col, m.pattern.col.data());
  CHECK_EQ(p.operand().val, m.val.data());
  CHECK_EQ(p.operand().nnz(), m.pattern.nnz());
}

TEST_CASE("32-bit row pointers are widened, columns and values stay where they are") {
  const Matrix<float> m = filled<float>(shape("large with many empty rows").a, Values::reals, 1);
  for (const int threads : {1, 3}) {
    const Prepared<float> p(m.narrow_view(), "A", true, Team(threads));
    CHECK(std::equal(m.pattern.ptr.begin(), m.pattern.ptr.end(), p.operand().ptr));
    CHECK_EQ(p.operand().col, m.pattern.col.data());
    CHECK_EQ(p.bytes(), (m.pattern.rows + 1) * 8 + 8);
  }
}

TEST_CASE("a transposed view is turned once, at the border") {
  const Matrix<double> m = filled<double>(shape("wide").a, Values::reals, 1);
  const Prepared<double> p(transposed(m.narrow_view()), "A", true, Team(1));
  CHECK_EQ(p.operand().rows, 300);
  CHECK_EQ(p.operand().cols, 20);
  CHECK_EQ(p.operand().nnz(), m.pattern.nnz());
  CHECK_GE(p.bytes(), m.pattern.nnz() * 12 + 301 * 8);
  CHECK_FALSE(p.view().transposed);
  CHECK_EQ(p.view().rows, 300);
  CHECK_EQ(p.view().col.data(), p.operand().col);
  CHECK_EQ(p.view().val.data(), p.operand().val);
}

TEST_CASE("what is not asked to be checked is not") {
  Matrix<double> m = filled<double>(shape("identity").a, Values::reals, 1);
  m.pattern.col[3] = 1000;
  CHECK_NOTHROW(Prepared<double>(m.view(), "A", false, Team(1)));
  CHECK_EQ(error_of([&] { const Prepared<double> p(m.view(), "A", true, Team(1)); }),
           "invalid_argument: A: column 1000 in row 3 is outside [0, 70)");
}

}  // namespace rowan::test
