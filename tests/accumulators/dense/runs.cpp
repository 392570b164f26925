// dense-run: how long runs of A are, meeting runs of B of any length.
#include <doctest/doctest.h>

#include "tests/accumulators/kernels.hpp"
#include "tests/support/patterns.hpp"

namespace rowan::test {
namespace {

/// Runs of `length` equal rows in A, whose consecutive columns meet runs of `met` equal rows in B.
Shape runs(std::int64_t length, std::int64_t met, bool duplicates) {
  Random random(static_cast<std::uint64_t>(10 * length + met));
  Rows a, b;
  for (int run = 0; run < 6; run++) {
    const std::vector<std::int32_t> row = some_columns(random, run == 0 ? 24 : 12, 0, 24);
    a.insert(a.end(), static_cast<std::size_t>(length), row);
  }
  while (b.size() < 24) {
    std::vector<std::int32_t> row = some_columns(random, random.between(0, 9), 0, 200);
    if (duplicates && !row.empty()) row.push_back(row.front());
    b.insert(b.end(), static_cast<std::size_t>(met), row);
  }
  b.resize(24);
  return {"", from_rows(a, 24), from_rows(b, 200)};
}

}  // namespace

TEST_CASE_TEMPLATE("runs of any length may meet runs of any length", T, float, double) {
  for (std::int64_t length = 2; length <= 9; length++)
    for (std::int64_t met = 1; met <= 10; met++)
      for (const bool duplicates : {false, true}) {
        CAPTURE(length);
        CAPTURE(met);
        CAPTURE(duplicates);
        const Problem<T> p(runs(length, met, duplicates), Values::reals);
        REQUIRE(dense::run.feasible(p.extent()));
        CHECK_EQ(kernel_fault(dense::run, p), "");
        for (std::int64_t cut = 1; cut < length + 2; cut++)
          for (const bool streamed : {false, true})
            CHECK_EQ(kernel_fault(dense::run, p, {0, cut, cut + 1, p.a.rows}, 0xA5A5A5A5, streamed), "");
      }
}

TEST_CASE("dense-run takes nothing but runs") {
  CHECK(!dense::run.feasible(Problem<double>(shape("banded"), Values::reals).extent()));
}

TEST_CASE_TEMPLATE("spans that end at a bitmap word's border and one off are read out whole", T, float, double) {
  for (const std::int64_t span : {1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 4096, 4097})
    for (const Candidate* c : {&dense::window, &dense::rank, &dense::run}) {
      CAPTURE(span);
      CAPTURE(c->name);
      std::vector<std::int32_t> ends{3};
      if (span > 1) ends.push_back(static_cast<std::int32_t>(2 + span));
      std::vector<std::int32_t> all;
      for (std::int64_t j = 3; j < 3 + span; j++) all.push_back(static_cast<std::int32_t>(j));
      const Shape s{"", from_rows({{0, 1}, {0, 1}, {0, 2}, {0, 2}, {0}, {0}}, 3), from_rows({ends, ends, all}, 5000)};
      CHECK_EQ(kernel_fault(*c, Problem<T>(s, Values::reals)), "");
    }
}

}  // namespace rowan::test
