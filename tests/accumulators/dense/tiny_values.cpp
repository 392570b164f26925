#include "accumulators/dense/tiny_values.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace rowan::test {
namespace {

/// B of one row with these values.
template <class T>
struct OneRow {
  std::vector<T> val;
  std::vector<Column> col = std::vector<Column>(val.size());
  std::vector<Offset> ptr{0, static_cast<Offset>(val.size())};
  Operand<T> b{{.rows = 1, .cols = 1, .ptr = ptr.data(), .col = col.data()}, val.data()};
};

template <class T>
bool vanishes(std::vector<T> b_values, T a) {
  const OneRow<T> row{std::move(b_values)};
  alignas(64) std::byte known[dense::TinyValues<T>::kBytes] = {};
  dense::TinyValues<T> tiny(row.b, known);
  return tiny.may_vanish(&a, 1, 1000);
}

}  // namespace

TEST_CASE_TEMPLATE("products may vanish where a value is zero, tiny or no number", T, float, double) {
  const T least = std::numeric_limits<T>::min(), nan = std::numeric_limits<T>::quiet_NaN();
  CHECK(!vanishes<T>({1, -2, T(1e-9)}, T(-1e-9)));
  CHECK(!vanishes<T>({1, std::numeric_limits<T>::infinity()}, 3));
  for (const T small : {T{0}, -T{0}, least, -least, std::numeric_limits<T>::denorm_min(), nan}) {
    CHECK(vanishes<T>({1, small, 2}, 1));
    CHECK(vanishes<T>({1, 2}, small));
  }
}

TEST_CASE("two values that are not tiny have a product that is not zero") {
  for (const double x : {1.1e-150, -1.1e-150}) {
    CHECK(!vanishes<double>({x}, x));
    CHECK(x * x != 0);
  }
  for (const float x : {1.1e-18F, -1.1e-18F}) {
    CHECK(!vanishes<float>({x}, x));
    CHECK(x * x != 0);
  }
}

TEST_CASE("B is looked through once a quarter of its values was met") {
  const OneRow<double> row{std::vector<double>(400, 1.0)};
  alignas(64) std::byte known[dense::TinyValues<double>::kBytes] = {};
  const double one = 1;
  dense::TinyValues<double> tiny(row.b, known);
  CHECK(tiny.may_vanish(&one, 1, 60));  // not known yet
  CHECK(!tiny.may_vanish(&one, 1, 60));
  dense::TinyValues<double> later(row.b, known);  // the next task of the same worker
  CHECK(!later.may_vanish(&one, 1, 0));
}

}  // namespace rowan::test
