#include <doctest/doctest.h>

#include "tests/lib/generate/made.hpp"
#include <rowan/rowan.hpp>

namespace rowan::test {

using Columns = std::vector<std::int32_t>;

TEST_CASE("generate stencil2d: a node and its four neighbours") {
  const Csr<double> m = generate("stencil2d:nx=3,ny=4");
  REQUIRE(m.rows() == 12);
  CHECK(columns(m, 0) == Columns{0, 1, 3});
  CHECK(columns(m, 2) == Columns{1, 2, 5});
  CHECK(columns(m, 4) == Columns{1, 3, 4, 5, 7});
  CHECK(columns(m, 11) == Columns{8, 10, 11});
  CHECK(m.nnz() == 5 * 12 - 2 * 3 - 2 * 4);
  CHECK(columns(generate("stencil2d:nx=1,ny=1"), 0) == Columns{0});
}

TEST_CASE("generate stencil3d: 7 points or 27") {
  const Csr<double> faces = generate("stencil3d:nx=3,ny=4,nz=5");
  CHECK(columns(faces, 16) == Columns{4, 13, 15, 16, 17, 19, 28});
  CHECK(faces.nnz() == 7 * 60 - 2 * (12 + 15 + 20));
  const Csr<double> corners = generate("stencil3d:nx=3,ny=4,nz=5,points=27");
  CHECK(corners.nnz() == 7 * 10 * 13);
  CHECK(row_of(corners, 16).size() == 27);
  CHECK(columns(corners, 0) == Columns{0, 1, 3, 4, 12, 13, 15, 16});
}

TEST_CASE("generate fem: the rows of a node's unknowns have one pattern, blocks are dense") {
  for (std::int64_t unknowns = 1; unknowns <= 6; unknowns++) {
    const Csr<double> m = generate("fem:nx=3,ny=3,nz=4,unknowns=" + std::to_string(unknowns));
    const Csr<double> nodes = generate("stencil3d:nx=3,ny=3,nz=4,points=27");
    REQUIRE(m.rows() == 36 * unknowns);
    for (std::int64_t i = 0; i < m.rows(); i++) {
      Columns expected;
      for (const std::int32_t node : row_of(nodes, i / unknowns))
        for (std::int64_t u = 0; u < unknowns; u++) expected.push_back(static_cast<std::int32_t>(node * unknowns + u));
      CHECK(columns(m, i) == expected);
    }
  }
}

TEST_CASE("generate lattice4d: the published counts of conf5_4-8x8-05") {
  const Csr<double> m = generate("lattice4d");
  CHECK(m.rows() == 49152);
  CHECK(m.nnz() == 1916928);
  const Symbolic square = Context().symbolic(m, m);
  CHECK(square.nprod == 74760192);
  CHECK(square.nnz == 10911744);
}

TEST_CASE("generate lattice4d: dense blocks, the same number in every row and column, across the border") {
  for (const char* spins : {"1", "4"}) {
    const Csr<double> m = generate("lattice4d:nx=3,ny=4,nz=3,nt=5,block=2,spins=" + std::string(spins));
    const std::size_t blocks = *spins == '1' ? 9 : 13;
    std::vector<std::size_t> in_column(static_cast<std::size_t>(m.cols()));
    for (std::int64_t i = 0; i < m.rows(); i += 2) {
      const auto row = columns(m, i);
      CHECK(row.size() == 2 * blocks);
      CHECK(row == columns(m, i + 1));
      for (std::size_t k = 0; k < row.size(); k += 2) CHECK((row[k] % 2 == 0 && row[k + 1] == row[k] + 1));
    }
    for_entries(m, [&](std::int64_t, Column j) { in_column[static_cast<std::size_t>(j)]++; });
    CHECK(in_column == std::vector<std::size_t>(in_column.size(), 2 * blocks));
  }
  const Csr<double> small = generate("lattice4d:nx=2,ny=1,nz=1,nt=1,spins=1,block=1");
  CHECK(columns(small, 0) == Columns{0, 1});
}

}  // namespace rowan::test
