#include <algorithm>
#include <array>

#include <doctest/doctest.h>

#include "tests/lib/generate/made.hpp"

namespace rowan::test {

TEST_CASE("generate rmat: edges fall into the quadrants by their shares") {
  const Csr<double> m = generate("rmat:scale=18,edge_factor=1,a=50,b=30,c=15");
  CHECK(m.rows() == 262144);
  CHECK(m.nnz() <= 262144);
  CHECK(m.nnz() > 240000);  // few edges come twice
  std::array<double, 4> share{};
  for_entries(m, [&](std::int64_t i, Column j) { share[(i >= 131072 ? 2U : 0U) + (j >= 131072 ? 1U : 0U)] += 1; });
  for (double& s : share) s /= static_cast<double>(m.nnz());
  CHECK(share[0] == doctest::Approx(0.50).epsilon(0.03));
  CHECK(share[1] == doctest::Approx(0.30).epsilon(0.03));
  CHECK(share[2] == doctest::Approx(0.15).epsilon(0.03));
  CHECK(share[3] == doctest::Approx(0.05).epsilon(0.1));
}

TEST_CASE("generate rmat: the ends of its shares") {
  CHECK(generate("rmat:scale=0").nnz() == 1);
  const Csr<double> corner = generate("rmat:scale=6,a=0,b=100,c=0");
  CHECK(corner.nnz() == 1);
  CHECK(columns(corner, 0) == std::vector<std::int32_t>{63});
  const Csr<double> uniform = generate("rmat:scale=14,edge_factor=16,a=25,b=25,c=25");
  CHECK(longest_row(uniform) < 50);
  CHECK(longest_row(generate("rmat:scale=14,edge_factor=16")) > 500);
}

TEST_CASE("generate hubs: a full diagonal, wires within reach but for the share that is not, hubs") {
  const Csr<double> near = generate("hubs:n=4000,wires=3,reach=20,far=0,hubs=0");
  for_entries(near, [](std::int64_t i, Column j) { CHECK(std::abs(i - j) <= 20); });
  for (std::int64_t i = 0; i < 4000; i++) CHECK(std::ranges::binary_search(row_of(near, i), i));
  const Csr<double> hubs = generate("hubs:n=4000,wires=3,reach=20,far=20,hubs=2,hub_wires=2000");
  std::vector<std::size_t> lengths;
  for (std::int64_t i = 0; i < 4000; i++) lengths.push_back(row_of(hubs, i).size());
  std::ranges::sort(lengths, std::greater<>());
  CHECK(lengths[0] > 1400);  // 2000 draws of 4000 nodes meet about 1574
  CHECK(lengths[1] > 1400);
  CHECK(lengths[2] < 40);
  std::int64_t far = 0;
  for_entries(hubs, [&](std::int64_t i, Column j) {
    far += std::abs(i - j) > 20 && row_of(hubs, i).size() < 100 && row_of(hubs, j).size() < 100 ? 1 : 0;
  });
  CHECK(static_cast<double>(far) == doctest::Approx(2 * 4000 * 2 * 0.2).epsilon(0.1));
  CHECK(generate("hubs:n=9,wires=0,hubs=0").nnz() == 9);
}

TEST_CASE("generate roads: two neighbours along a street, up to four at a crossing, both ways, no diagonal") {
  const Csr<double> m = generate("roads:nx=60,ny=50");
  std::int64_t two = 0;
  for (std::int64_t i = 0; i < m.rows(); i++) {
    CHECK(row_of(m, i).size() <= 4);
    two += row_of(m, i).size() == 2 ? 1 : 0;
  }
  for_entries(m, [&](std::int64_t i, Column j) {
    CHECK(i != j);
    CHECK(std::ranges::binary_search(row_of(m, j), static_cast<Column>(i)));
  });
  CHECK(2 * two > m.rows());
  // a grid of crossings where no street has nodes and none is a dead end
  const Csr<double> grid = generate("roads:nx=5,ny=4,nodes=0,dead_ends=0");
  CHECK(grid.rows() == 20);
  CHECK(grid.nnz() == 2 * (4 * 4 + 5 * 3));
  CHECK(generate("roads:nx=5,ny=4,nodes=0,dead_ends=100").nnz() == 0);
  CHECK(generate("roads:nx=1,ny=1,nodes=7").nnz() == 2 * 7);
}

TEST_CASE("generate peers: leaves have no links, the others about as many as asked for") {
  const Csr<double> m = generate("peers:n=20000,links=8,leaves=70");
  std::int64_t empty = 0;
  for (std::int64_t i = 0; i < m.rows(); i++) {
    empty += row_of(m, i).empty() ? 1 : 0;
    CHECK(row_of(m, i).size() <= 15);
  }
  CHECK(static_cast<double>(empty) == doctest::Approx(14000).epsilon(0.03));
  CHECK(static_cast<double>(m.nnz()) == doctest::Approx(6000.0 * 8).epsilon(0.03));
}

TEST_CASE("generate geometric: rows hold the point itself and about as many neighbours as asked for") {
  const Csr<double> m = generate("geometric:n=20000,neighbours=30");
  for (std::int64_t i = 0; i < m.rows(); i++) CHECK(std::ranges::binary_search(row_of(m, i), i));
  const double mean = static_cast<double>(m.nnz() - m.rows()) / 20000;
  CHECK(mean < 30);
  CHECK(mean > 24);  // a point in seven lies within the radius of a face
  CHECK(generate("geometric:n=500,neighbours=0").nnz() == 500);
  CHECK(generate("geometric:n=50,neighbours=1000000").nnz() == 2500);
}

}  // namespace rowan::test
