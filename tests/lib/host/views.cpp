// How inputs may be given: transposed, with either width of row pointers, one view twice or two.
#include <doctest/doctest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/patterns.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

template <class T>
struct Case {
  std::string name;
  CsrView<T> a, b;
};

template <class T>
void check(const std::vector<Case<T>>& cases) {
  for (const int threads : {1, 2})
    for (const Case<T>& c : cases) {
      CAPTURE(c.name);
      CAPTURE(threads);
      Options options;
      options.threads = threads;
      CHECK_EQ(difference(multiply(c.a, c.b, options), textbook(c.a, c.b)), "");
    }
}

}  // namespace

TEST_CASE_TEMPLATE("transposed views stand for the transpose", T, float, double) {
  const Matrix<T> a = filled<T>(scattered(70, 50, 0, 12, 1), Values::reals, 3);
  const Matrix<T> b = filled<T>(scattered(70, 90, 0, 12, 2), Values::reals, 4);
  const Matrix<T> c = filled<T>(repeated(shuffled(scattered(30, 50, 0, 12, 5), 6), 3, 7), Values::reals, 8);
  check<T>({{"A^T B", transposed(a.view()), b.view()},
            {"A B^T", a.view(), transposed(c.view())},
            {"A^T A", transposed(a.view()), a.view()},
            {"A A^T", a.view(), transposed(a.view())},
            {"C C^T, unsorted with duplicates", c.view(), transposed(c.view())},
            {"B^T A^TT", transposed(b.view()), transposed(transposed(a.view()))},
            {"C A^T", c.view(), transposed(a.view())}});
}

TEST_CASE_TEMPLATE("A^T A^T of one view is one matrix", T, float, double) {
  const Matrix<T> a = filled<T>(shape("power law with a hub").a, Values::reals, 1);
  check<T>({{"A^T A^T", transposed(a.view()), transposed(a.view())}});
}

TEST_CASE_TEMPLATE("row pointers may be 32 or 64 bits wide", T, float, double) {
  const Matrix<T> a = filled<T>(scattered(60, 70, 0, 9, 1), Values::reals, 2);
  const Matrix<T> b = filled<T>(scattered(70, 40, 0, 9, 3), Values::reals, 4);
  check<T>({{"both narrow", a.narrow_view(), b.narrow_view()},
            {"A narrow", a.narrow_view(), b.view()},
            {"B narrow", a.view(), b.narrow_view()},
            {"narrow and transposed", transposed(b.narrow_view()), transposed(a.narrow_view())}});
}

TEST_CASE_TEMPLATE("A A is the same from one view and from two of equal content", T, float, double) {
  const Matrix<T> a = filled<T>(shape("runs of 1 to 6 equal rows").a, Values::reals, 1), again = a;
  check<T>({{"one view", a.view(), a.view()},
            {"two copies", a.view(), again.view()},
            {"other row pointers", a.view(), a.narrow_view()}});
}

TEST_CASE("views of one pattern with other values are two matrices") {
  const Sparsity& pattern = shape("banded").a;
  const Matrix<double> a = filled<double>(pattern, Values::reals, 1), other = filled<double>(pattern, Values::reals, 2);
  CsrView<double> b = a.view();
  b.val = other.val;
  check<double>({{"shared pattern", a.view(), b}});
}

TEST_CASE("the inputs stay as they were") {
  const Matrix<double> a = filled<double>(shape("duplicates in both").a, Values::reals, 1), before = a;
  static_cast<void>(multiply(transposed(a.view()), a.view()));
  CHECK_EQ(a.pattern.ptr, before.pattern.ptr);
  CHECK_EQ(a.pattern.col, before.pattern.col);
  CHECK_EQ(a.val, before.val);
}

}  // namespace rowan::test
