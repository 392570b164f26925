#include <algorithm>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

template <class T>
bool is_pattern_of(const CsrPattern& c, const Product<T>& e) {
  return c.rows == e.rows && c.cols == e.cols && std::ranges::equal(c.row_ptr, e.row_ptr) &&
         std::ranges::equal(c.col, e.col);
}

}  // namespace

TEST_CASE("the pattern of a product is the textbook's, structural zeros kept") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& s : *list)
      for (const int threads : {1, 4}) {
        CAPTURE(s.name);
        CAPTURE(threads);
        const Factors<double> f(s, Values::integers);
        const CsrPattern c = pattern(pattern_view(f.a()), pattern_view(f.b()), {.threads = threads});
        CHECK(is_pattern_of(c, textbook(f.a(), f.b())));
      }
}

TEST_CASE("patterns may be transposed, and have either width of row pointers") {
  const Matrix<double> a = filled<double>(shape("wide").a, Values::integers, 1);
  const CsrPattern c = pattern(transposed(pattern_view(a.narrow_view())), pattern_view(a.view()));
  CHECK(is_pattern_of(c, textbook(transposed(a.view()), a.view())));
}

TEST_CASE("the pattern of a product is an operand of the next") {
  const Factors<double> f(shape("banded"), Values::integers);
  const CsrPattern c = pattern(pattern_view(f.a()), pattern_view(f.b()));
  const CsrPattern twice = pattern(c, c);
  const Csr<double> m = multiply(f.a(), f.b());
  CHECK(is_pattern_of(twice, textbook(m.view(), m.view())));
}

TEST_CASE("a broken pattern and patterns that do not fit together are refused by name") {
  const Factors<double> f(shape("banded"), Values::integers);
  PatternView broken = pattern_view(f.b());
  std::vector<Column> col(broken.col.begin(), broken.col.end());
  col[0] = -1, broken.col = col;
  CHECK_EQ(error_of([&] { static_cast<void>(pattern(pattern_view(f.a()), broken)); }).find("invalid_argument: B: "),
           0U);
  PatternView other = pattern_view(f.b());
  other.col = other.col.first(other.col.size() - 1);
  CHECK_EQ(error_of([&] { static_cast<void>(pattern(other, other)); }).find("invalid_argument: A: "), 0U);
}

}  // namespace rowan::test
