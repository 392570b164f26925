#include "lib/pipeline/assemble.hpp"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/oracle.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {

// direct-shift counts first; sort and dense-window, which have the ends of lines, write behind their rows.
TEST_CASE("grids far beyond the caches: several workers that write to their places write nothing else") {
  const Csr<double> a = generate("stencil2d:nx=420,ny=412");
  const CsrView<double> view = a;
  const Product<double> expected = textbook(view, view);
  for (const int threads : {1, 2, 5}) {
    CAPTURE(threads);
    Context context({.threads = threads});
    Stats stats;
    const Csr<double> c = context.multiply(view, view, &stats);
    REQUIRE_GE(stats.nprod * static_cast<std::int64_t>(sizeof(double)), kStreamFrom);
    CHECK_EQ(difference(c, expected), "");
  }
}

}  // namespace rowan::test
