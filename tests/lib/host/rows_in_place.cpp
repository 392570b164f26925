// Rows of known sizes into their place: every chunk of rows, with the bits of the whole product.
#include "lib/host/rows_in_place.hpp"

#include <doctest/doctest.h>

#include "lib/core/prepared.hpp"
#include "models/embedded.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>

namespace rowan::test {
namespace {

/// C = A B in chunks of so many rows, the last first, beside a progress callback that must not be called.
Csr<double> in_chunks(const CsrView<double>& a, const CsrView<double>& b, std::int64_t chunk, Options options = {}) {
  const Team team(1);
  const Prepared<double> left(a, "A", true, team), right(b, "B", true, team);
  const Symbolic sizes = Context().symbolic(a, b);
  options.progress = [](double) { FAIL("progress is somebody else's"); };
  const Settings settings{.options = options, .policy = embedded_policies().front()};
  RowsInPlace<double> rows(left.operand(), right.operand(), settings, 2);
  Array<std::int64_t> row_ptr(a.rows + 1);
  Array<Column> col(sizes.nnz);
  Array<double> val(sizes.nnz);
  for (std::int64_t i = 0; i <= a.rows; i++) row_ptr[i] = sizes.row_ptr[static_cast<std::size_t>(i)];
  for (std::int64_t first = (a.rows - 1) / chunk * chunk; first >= 0 && a.rows > 0; first -= chunk) {
    std::vector<std::int64_t> own;
    for (std::int64_t i = first; i <= std::min(first + chunk, a.rows); i++) own.push_back(row_ptr[i] - row_ptr[first]);
    rows.fill(first, {own, col.data() + row_ptr[first], val.data() + row_ptr[first]});
  }
  return {a.rows, b.cols, std::move(row_ptr), std::move(col), std::move(val)};
}

TEST_CASE("chunks of rows have the bits of the whole") {
  for (const Shape& shape : shapes()) {
    CAPTURE(shape.name);
    const Factors<double> f(shape, Values::reals);
    const auto expected = textbook(f.a(), f.b());
    for (const std::int64_t parts : {1, 3})
      CHECK_EQ(difference(in_chunks(f.a(), f.b(), f.a().rows / parts + 1), expected), "");
  }
}

TEST_CASE("a stop is heeded, and sizes of another product are refused") {
  const Factors<double> f(shape("up to 600 products"), Values::integers);
  std::stop_source stop;
  stop.request_stop();
  Options stopped;
  stopped.stop = stop.get_token();
  CHECK_THROWS_AS((void)in_chunks(f.a(), f.b(), f.a().rows, stopped), Error);
  const Team team(1);
  const Prepared<double> left(f.a(), "A", true, team), right(f.b(), "B", true, team);
  const Options options;
  RowsInPlace<double> rows(left.operand(), right.operand(), {.options = options, .policy = embedded_policies().front()},
                           1);
  const std::vector<std::int64_t> none(static_cast<std::size_t>(f.a().rows) + 1, 0);
  Column col = 0;
  double val = 0;
  CHECK_THROWS_AS(rows.fill(0, {none, &col, &val}), Error);
}

}  // namespace
}  // namespace rowan::test
