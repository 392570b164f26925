#pragma once
// Points in the plane, one at random in each cell of a grid, and their Delaunay triangulation.
#include <array>
#include <cstdint>
#include <vector>

namespace rowan::gen {

struct Point {
  std::int64_t x = 0, y = 0;
};

struct Triangle {
  std::array<std::int32_t, 3> corner;  // counterclockwise
  std::array<std::int32_t, 3> beside;  // the triangle across the edge opposite each corner; -1 at the border
};

struct Triangulation {
  std::vector<Point> points;  // x first, as the cells lie
  std::vector<Triangle> triangles;
};

/// Of nx * ny points, both at least 2. The border is the closed line through the points of the outermost cells, which
/// need not be convex; inside of it no triangle's circle holds a point that the triangle could see.
[[nodiscard]] Triangulation triangulate(std::int64_t nx, std::int64_t ny, std::int64_t seed);

/// Whether d lies inside the circle through a, b and c, which are given counterclockwise. Exact.
[[nodiscard]] bool in_circle(Point a, Point b, Point c, Point d);

}  // namespace rowan::gen
