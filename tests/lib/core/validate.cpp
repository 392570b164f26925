#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include <rowan/context.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {
namespace {

/// A matrix by its parts, right or wrong.
struct Parts {
  std::int64_t rows, cols;
  std::vector<std::int64_t> ptr;
  std::vector<Column> col;
  std::size_t values;
};

struct Case {
  std::string message;
  Parts parts;
};

const std::vector<Case>& broken() {
  static const std::vector<Case> all{
      {"invalid_argument: M: -1 rows", {-1, 2, {}, {}, 0}},
      {"invalid_argument: M: -7 columns", {2, -7, {0, 0, 0}, {}, 0}},
      {"overflow: M: 2147483648 rows do not fit 32-bit indices", {2147483648, 2, {0}, {}, 0}},
      {"overflow: M: 2147483648 columns do not fit 32-bit indices", {0, 2147483648, {0}, {}, 0}},
      {"invalid_argument: M: 2 rows need 3 row pointers, not 2", {2, 2, {0, 0}, {}, 0}},
      {"invalid_argument: M: 0 rows need 1 row pointers, not 0", {0, 0, {}, {}, 0}},
      {"invalid_argument: M: 2 rows need 3 row pointers, not 4", {2, 2, {0, 0, 0, 0}, {}, 0}},
      {"invalid_argument: M: 2 columns, but 1 values", {1, 2, {0, 2}, {0, 1}, 1}},
      {"invalid_argument: M: the first row pointer is 1, it must be 0", {1, 2, {1, 2}, {0, 1}, 2}},
      {"invalid_argument: M: the first row pointer is -1, it must be 0", {1, 2, {-1, 2}, {0, 1}, 2}},
      {"invalid_argument: M: row pointers fall from 2 to 1 at row 1", {3, 2, {0, 2, 1, 2}, {0, 1}, 2}},
      {"invalid_argument: M: row pointers fall from 0 to -3 at row 0", {2, 2, {0, -3, 2}, {0, 1}, 2}},
      {"invalid_argument: M: the last row pointer is 1, but there are 2 columns", {2, 2, {0, 1, 1}, {0, 1}, 2}},
      {"invalid_argument: M: the last row pointer is 9, but there are 2 columns", {2, 2, {0, 1, 9}, {0, 1}, 2}},
      {"invalid_argument: M: column 2 in row 1 is outside [0, 2)", {2, 2, {0, 1, 2}, {0, 2}, 2}},
      {"invalid_argument: M: column -1 in row 0 is outside [0, 2)", {2, 2, {0, 1, 2}, {-1, 5}, 2}},
      {"invalid_argument: M: column 0 in row 1 is outside [0, 0)", {2, 0, {0, 0, 1}, {0}, 1}},
  };
  return all;
}

/// The message for the matrix with wide and with narrow row pointers; they are the same.
template <class T>
std::string fault(const Parts& p) {
  const std::vector<T> val(p.values);
  const std::vector<std::int32_t> narrow(p.ptr.begin(), p.ptr.end());
  CsrView<T> view{.rows = p.rows, .cols = p.cols, .row_ptr = {}, .col = p.col, .val = val};
  view.row_ptr = std::span<const std::int64_t>(p.ptr);
  const std::string wide = error_of([&] { validate(view, "M"); });
  view.row_ptr = std::span<const std::int32_t>(narrow);
  CHECK_EQ(error_of([&] { validate(view, "M"); }), wide);
  return wide;
}

}  // namespace

TEST_CASE_TEMPLATE("a broken matrix is refused with what and where", T, float, double) {
  for (const Case& c : broken()) CHECK_EQ(fault<T>(c.parts), c.message);
}

TEST_CASE("every shape is valid") {
  for (const auto* list : {&shapes(), &large_shapes()})
    for (const Shape& shape : *list) {
      const Factors<float> f(shape, Values::integers);
      CHECK_NOTHROW(validate(f.a()));
      CHECK_NOTHROW(validate(f.b()));
    }
}

TEST_CASE("the first fault of a long matrix is named wherever it lies") {
  Matrix<double> m = filled<double>(shape("large scattered").a, Values::integers, 1);
  const std::size_t k = m.pattern.col.size() - 3;
  m.pattern.col[k] = 3000;
  CHECK_EQ(error_of([&] { validate(m.view()); }),
           "invalid_argument: the matrix: column 3000 in row 2999 is outside [0, 3000)");
  m.pattern.col[1] = -5;
  CHECK_EQ(error_of([&] { validate(m.view()); }),
           "invalid_argument: the matrix: column -5 in row 0 is outside [0, 3000)");
}

TEST_CASE("multiply, symbolic, plan and inspect name the broken argument") {
  const Matrix<double> good = filled<double>(shape("identity").a, Values::integers, 1);
  Matrix<double> bad = good;
  bad.pattern.col[5] = 70;
  const Context context;
  const std::string what = ": column 70 in row 5 is outside [0, 70)", code = "invalid_argument: ";
  const auto check = [&](const CsrView<double>& a, const CsrView<double>& b, const std::string& message) {
    CHECK_EQ(error_of([&] { static_cast<void>(context.multiply(a, b)); }), message);
    CHECK_EQ(error_of([&] { static_cast<void>(context.symbolic(a, b)); }), message);
    CHECK_EQ(error_of([&] { static_cast<void>(context.plan(a, b)); }), message);
    CHECK_EQ(error_of([&] { static_cast<void>(context.inspect(a, b)); }), message);
  };
  check(bad.view(), good.view(), code + "A" + what);
  check(good.view(), bad.view(), code + "B" + what);
  check(bad.view(), bad.view(), code + "A" + what);
  check(good.view(), transposed(bad.view()), code + "B" + what);
  const Matrix<double> other = filled<double>(shape("banded").a, Values::integers, 1);
  check(good.view(), other.view(), code + "A has 70 columns, but B has 200 rows");
  const Matrix<double> wide = filled<double>(shape("wide").a, Values::integers, 1);
  check(transposed(wide.view()), transposed(wide.view()), code + "A has 20 columns, but B has 300 rows");
}

TEST_CASE("a valid matrix need not be checked again") {
  const Matrix<double> good = filled<double>(shape("banded").a, Values::integers, 1);
  Options options;
  options.validate = false;
  CHECK_EQ(multiply(good.view(), good.view(), options).nnz(), multiply(good.view(), good.view()).nnz());
}

}  // namespace rowan::test
