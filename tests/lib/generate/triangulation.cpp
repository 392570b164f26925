#include "lib/generate/triangulation.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/lib/generate/made.hpp"

namespace rowan::test {
namespace {

using gen::Point;
using gen::Triangle;
using gen::Triangulation;

std::int64_t twice_area(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

Point corner(const Triangulation& t, const Triangle& triangle, std::size_t k) {
  return t.points[static_cast<std::size_t>(triangle.corner[k % 3])];
}

/// Twice the area inside the line through the outermost cells' points.
std::int64_t outline_area(const Triangulation& t, std::int64_t nx, std::int64_t ny) {
  std::vector<Point> line;
  const auto add = [&](std::int64_t x, std::int64_t y) {
    line.push_back(t.points[static_cast<std::size_t>(y * nx + x)]);
  };
  for (std::int64_t x = 0; x < nx - 1; x++) add(x, 0);
  for (std::int64_t y = 0; y < ny - 1; y++) add(nx - 1, y);
  for (std::int64_t x = nx - 1; x > 0; x--) add(x, ny - 1);
  for (std::int64_t y = ny - 1; y > 0; y--) add(0, y);
  std::int64_t area = 0;
  for (std::size_t k = 0; k < line.size(); k++) {
    const Point p = line[k], q = line[(k + 1) % line.size()];
    area += p.x * q.y - p.y * q.x;
  }
  return area;
}

}  // namespace

TEST_CASE("gen::in_circle is exact") {
  const Point a{0, 0}, b{10, 0}, c{0, 10};
  CHECK(gen::in_circle(a, b, c, {9, 9}));
  CHECK_FALSE(gen::in_circle(a, b, c, {10, 10}));  // on it
  CHECK_FALSE(gen::in_circle(a, b, c, {11, 10}));
  const std::int64_t far = 1 << 30;
  CHECK_FALSE(gen::in_circle({0, 0}, {far, 0}, {0, far}, {far, far}));
  CHECK(gen::in_circle({0, 0}, {far, 0}, {0, far}, {far, far - 1}));
}

TEST_CASE("gen::triangulate: triangles tile the outline, and no circle holds the point across an edge") {
  for (const auto& [nx, ny] : {std::pair{2, 2}, {2, 9}, {9, 2}, {17, 23}, {60, 50}})
    for (std::int64_t seed = 1; seed <= 5; seed++) {
      CAPTURE(nx);
      CAPTURE(ny);
      CAPTURE(seed);
      const Triangulation t = gen::triangulate(nx, ny, seed);
      CHECK(std::ssize(t.points) == nx * ny);
      CHECK(std::ssize(t.triangles) == 2 * (nx - 1) * (ny - 1));
      std::int64_t area = 0, border = 0, wrong = 0;
      for (std::size_t i = 0; i < t.triangles.size(); i++) {
        const Triangle& one = t.triangles[i];
        const std::int64_t own = twice_area(corner(t, one, 0), corner(t, one, 1), corner(t, one, 2));
        wrong += own > 0 ? 0 : 1;
        area += own;
        for (std::size_t k = 0; k < 3; k++) {
          if (one.beside[k] < 0) {
            border++;
            continue;
          }
          const Triangle& other = t.triangles[static_cast<std::size_t>(one.beside[k])];
          const auto back = std::ranges::find(other.beside, static_cast<std::int32_t>(i));
          REQUIRE(back != other.beside.end());
          const auto j = static_cast<std::size_t>(back - other.beside.begin());
          wrong += one.corner[(k + 1) % 3] == other.corner[(j + 2) % 3] ? 0 : 1;
          wrong += one.corner[(k + 2) % 3] == other.corner[(j + 1) % 3] ? 0 : 1;
          wrong += gen::in_circle(corner(t, one, 0), corner(t, one, 1), corner(t, one, 2), corner(t, other, j)) ? 1 : 0;
        }
      }
      CHECK(wrong == 0);
      CHECK(border == 2 * (nx - 1) + 2 * (ny - 1));
      CHECK(area == outline_area(t, nx, ny));
    }
}

TEST_CASE("generate delaunay: as many edges as a triangulation has, degrees as random points have, no diagonal") {
  const Csr<double> m = generate("delaunay:nx=100,ny=80");
  CHECK(m.nnz() == 6 * 8000 + 2 - 4 * (100 + 80));
  for_entries(m, [](std::int64_t i, Column j) { CHECK(i != j); });
  std::size_t shortest = 100;
  for (std::int64_t i = 0; i < m.rows(); i++) shortest = std::min(shortest, row_of(m, i).size());
  CHECK(shortest >= 2);
  CHECK(longest_row(m) >= 9);
  CHECK(longest_row(m) <= 16);
}

TEST_CASE("generate delaunay: shuffling moves no more than its window, and keeps the degrees") {
  const auto degrees = [](const Csr<double>& m) {
    std::vector<std::size_t> all;
    for (std::int64_t i = 0; i < m.rows(); i++) all.push_back(row_of(m, i).size());
    return all;
  };
  const Csr<double> ordered = generate("delaunay:nx=64,ny=64"), none = generate("delaunay:nx=64,ny=64,shuffle=1");
  const Csr<double> some = generate("delaunay:nx=64,ny=64,shuffle=512"),
                    all = generate("delaunay:nx=64,ny=64,shuffle=9999");
  CHECK(std::ranges::equal(ordered.col(), none.col()));
  auto expected = degrees(ordered);
  for (std::size_t first = 0; first < 4096; first += 512) {
    auto before = expected, after = degrees(some);
    const auto window = [&](auto& list) { return std::span(list).subspan(first, 512); };
    CHECK_FALSE(std::ranges::equal(window(before), window(after)));
    std::ranges::sort(window(before));
    std::ranges::sort(window(after));
    CHECK(std::ranges::equal(window(before), window(after)));
  }
  const auto mean_distance = [](const Csr<double>& m) {
    double sum = 0;
    for_entries(m, [&](std::int64_t i, Column j) { sum += static_cast<double>(std::abs(i - j)); });
    return sum / static_cast<double>(m.nnz());
  };
  CHECK(mean_distance(ordered) < 60);
  CHECK(mean_distance(some) < 300);
  CHECK(mean_distance(all) > 1200);  // a third of 4096
  auto shuffled = degrees(all);
  std::ranges::sort(shuffled), std::ranges::sort(expected);
  CHECK(shuffled == expected);
}

}  // namespace rowan::test
