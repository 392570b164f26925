#include "lib/host/assemble.hpp"

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {

// direct-shift counts first. dense-window, which has the ends of lines, writes behind its rows, where chunks end as
// lines do.
TEST_CASE("grids far beyond the caches: several workers that write to their places write nothing else") {
  for (std::int64_t nx = 240; nx < 300; nx++) {
    CAPTURE(nx);
    const Csr<double> a = generate("stencil3d:nx=" + std::to_string(nx) + ",ny=8,nz=8,points=27");
    const CsrView<double> view = a;
    const auto product = [&](int threads) {
      Context context({.threads = threads});
      Stats stats;
      Csr<double> c = context.multiply(view, view, &stats);
      REQUIRE_GE(stats.nprod * static_cast<std::int64_t>(sizeof(double)), kStreamFrom);
      return c;
    };
    const Csr<double> expected = product(1);
    if (nx == 240) CHECK_EQ(difference(expected, textbook(view, view)), "");
    for (const int threads : {2, 3}) {
      CAPTURE(threads);
      const Csr<double> c = product(threads);
      CHECK(std::equal(c.row_ptr().begin(), c.row_ptr().end(), expected.row_ptr().begin()));
      CHECK(std::equal(c.col().begin(), c.col().end(), expected.col().begin()));
      CHECK(std::equal(c.val().begin(), c.val().end(), expected.val().begin()));
    }
  }
}

}  // namespace rowan::test
