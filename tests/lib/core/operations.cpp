#include <doctest/doctest.h>

#include "tests/lib/io/files.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/operations.hpp>

namespace rowan::test {

TEST_CASE_TEMPLATE("operations take what multiply returns as they take its view", T, float, double) {
  const Factors<T> f(shape("unsorted"), Values::reals);
  const Csr<T> c = multiply(f.a(), f.b());
  const Product<T> expected = textbook(f.a(), f.b());
  CHECK_NOTHROW(validate(c));
  CHECK_NOTHROW(validate(c, "C"));
  CHECK(is_canonical(c));
  CHECK_EQ(difference(copy(c), expected), "");
  CHECK_EQ(difference(canonical(c), expected), "");
  CHECK_EQ(difference(transpose(transpose(c)), expected), "");
  CHECK_EQ(difference(copy(transposed(transpose(c))), expected), "");
  CHECK(transposed(c).transposed);
  CHECK_EQ(transposed(c).val.data(), c.val().data());
}

TEST_CASE("a broken matrix that owns its arrays is refused by its name") {
  Array<std::int32_t> col(1);
  col[0] = 7;
  auto row_ptr = Array<std::int64_t>::zeroed(2);
  row_ptr[1] = 1;
  const Csr<double> broken(1, 3, std::move(row_ptr), std::move(col), Array<double>::zeroed(1));
  CHECK_EQ(error_of([&] { validate(broken, "C"); }), "invalid_argument: C: column 7 in row 0 is outside [0, 3)");
}

}  // namespace rowan::test
