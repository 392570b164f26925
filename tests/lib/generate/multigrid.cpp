// The parts of a level belong together: R is P', A * P and the next level's A have the patterns of the products.
#include <algorithm>

#include <doctest/doctest.h>

#include "tests/lib/generate/made.hpp"
#include <rowan/rowan.hpp>

namespace rowan::test {
namespace {

constexpr const char* kLevels[] = {"aggregation:nx=10,ny=8,nz=7",
                                   "aggregation:nx=10,ny=9,nz=1",
                                   "aggregation:nx=7,ny=8,nz=5,corners=1",
                                   "aggregation:nx=5,ny=4,nz=6,corners=1,unknowns=3,modes=6",
                                   "aggregation:nx=11,ny=9,nz=10,unknowns=3,modes=3",
                                   "aggregation:nx=13,ny=8,nz=1,corners=1,diagonal=1",
                                   "aggregation:nx=6,ny=17,nz=1,corners=1,diagonal=1",
                                   "classical:nx=6,ny=5,nz=7",
                                   "classical:nx=5,ny=6,nz=5",
                                   "classical:nx=9,ny=8,nz=1",
                                   "classical:nx=7,ny=6,nz=9,corners=1"};

Csr<double> part(const std::string& level, int number) {
  return generate(level + ",part=" + std::to_string(number));
}

bool same_pattern(const Csr<double>& x, const Csr<double>& y) {
  return x.rows() == y.rows() && x.cols() == y.cols() && std::ranges::equal(x.row_ptr(), y.row_ptr()) &&
         std::ranges::equal(x.col(), y.col());
}

}  // namespace

TEST_CASE("generate multigrid: R is P transposed, part 3 is A * P") {
  for (const std::string level : kLevels) {
    CAPTURE(level);
    CHECK(same_pattern(part(level, 2), transpose(part(level, 1).view())));
    CHECK(same_pattern(part(level, 3), multiply(part(level, 0), part(level, 1))));
  }
}

TEST_CASE("generate multigrid: the next level's A is R * A * P") {
  for (const std::string level : kLevels) {
    if (level.starts_with("classical") && !level.ends_with("corners=1")) continue;  // a chessboard is the last level
    if (level.ends_with("diagonal=1")) continue;                                    // the first is the only one
    CAPTURE(level);
    CHECK(same_pattern(part(level + ",level=2", 0), multiply(part(level, 2), part(level, 3))));
  }
}

TEST_CASE("generate multigrid: aggregates along the diagonal are three nodes, one behind another") {
  for (const std::string size : {"nx=9,ny=9", "nx=14,ny=5", "nx=4,ny=11", "nx=1,ny=1", "nx=6,ny=1"}) {
    CAPTURE(size);
    const Csr<double> r = part("aggregation:" + size + ",nz=1,corners=1,diagonal=1", 2);
    for (std::int64_t k = 0; k < r.rows(); k++) {
      CHECK_GE(row_of(r, k).size(), 1U);  // every aggregate has nodes
      CHECK_LE(row_of(r, k).size(), 5U);  // its own and one more at each end
    }
  }
  const Csr<double> p = part("aggregation:nx=30,ny=30,nz=1,corners=1,diagonal=1", 1);
  for (std::int64_t i = 0; i < p.rows(); i++) CHECK_LE(row_of(p, i).size(), 2U);
  CHECK_THROWS_AS(static_cast<void>(generate("aggregation:diagonal=1")), Error);
  CHECK_THROWS_AS(static_cast<void>(generate("aggregation:nx=2000000000,ny=2000000000,nz=1,corners=1,diagonal=1")),
                  Error);
}

TEST_CASE("generate multigrid: a chessboard has no second level") {
  CHECK_THROWS_AS(static_cast<void>(generate("classical:level=2")), Error);
}

TEST_CASE("generate multigrid: every unknown of a node has the node's columns") {
  const Csr<double> p = part("aggregation:nx=9,ny=9,nz=9,unknowns=3,modes=6", 1);
  CHECK(p.rows() == 3 * 729);
  CHECK(p.cols() == 6 * 27);
  CHECK(columns(p, 3 * 364) == columns(p, 3 * 364 + 2));
  CHECK(row_of(p, 3 * 364).size() == 6);  // the middle of a brick
}

}  // namespace rowan::test
