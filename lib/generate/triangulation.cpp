// Points in neighbouring cells make a quadrilateral that does not cross itself (its sides lie in different rows or
// columns of cells), so one diagonal or the other cuts it into two triangles, and together these tile the plane. Edges
// that are not Delaunay's are then flipped until there is none (Lawson 1977). All in whole numbers, without rounding.
#include "lib/generate/triangulation.hpp"

#include "lib/core/parallel.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr std::int64_t kCell = 1 << 16;  // a cell's side: a point is one of 2^32
constexpr std::int64_t kTriangleGrain = 1 << 12;

/// Twice the area of the triangle, positive where it is counterclockwise.
Wide area(Point a, Point b, Point c) {
  return Wide{b.x - a.x} * (c.y - a.y) - Wide{b.y - a.y} * (c.x - a.x);
}

std::size_t next(std::size_t corner) {
  return corner == 2 ? 0 : corner + 1;
}

class Flipping {
 public:
  explicit Flipping(Triangulation& t) : points_(t.points), triangles_(t.triangles) {}

  /// Flips around triangle `t`, and around those that change by it.
  void settle(std::int32_t t) {
    waiting_.push_back(t);
    while (!waiting_.empty()) {
      const std::int32_t at = waiting_.back();
      waiting_.pop_back();
      for (std::size_t k = 0; k < 3; k++)
        if (flip(at, k)) break;
    }
  }

 private:
  [[nodiscard]] Point point(std::int32_t corner) const { return points_[static_cast<std::size_t>(corner)]; }
  Triangle& triangle(std::int32_t t) { return triangles_[static_cast<std::size_t>(t)]; }

  /// The corner of `t` that lies across from triangle `other`.
  std::size_t across(std::int32_t t, std::int32_t other) {
    std::size_t k = 0;
    while (triangle(t).beside[k] != other) k++;
    return k;
  }
  /// In `t`, `now` takes the position of `before`.
  void rename(std::int32_t t, std::int32_t before, std::int32_t now) {
    if (t >= 0) triangle(t).beside[across(t, before)] = now;
  }

  /// Triangles pqr and srq become pqs and psr, if s lies in the circle of pqr (their union is then convex).
  bool flip(std::int32_t t, std::size_t k) {
    const std::int32_t o = triangle(t).beside[k];
    if (o < 0) return false;
    const std::size_t j = across(o, t);
    const Triangle one = triangle(t), other = triangle(o);
    const std::int32_t p = one.corner[k], q = one.corner[next(k)], r = one.corner[next(next(k))];
    const std::int32_t s = other.corner[j];
    if (!in_circle(point(p), point(q), point(r), point(s))) return false;
    const std::int32_t rp = one.beside[next(k)], pq = one.beside[next(next(k))];
    const std::int32_t qs = other.beside[next(j)], sr = other.beside[next(next(j))];
    triangle(t) = {{p, q, s}, {qs, o, pq}};
    triangle(o) = {{p, s, r}, {sr, rp, t}};
    rename(qs, o, t);
    rename(rp, t, o);
    waiting_.push_back(t);
    waiting_.push_back(o);
    return true;
  }

  const std::vector<Point>& points_;
  std::vector<Triangle>& triangles_;
  std::vector<std::int32_t> waiting_;
};

/// The two triangles of a quadrilateral, given with what lies beyond its sides.
struct Quadrilateral {
  std::int32_t a, b, c, d;  // counterclockwise from below left
  bool rising;              // cut from a to c, else from b to d
};

std::vector<Point> scatter(std::int64_t nx, std::int64_t ny, std::int64_t seed) {
  std::vector<Point> points(static_cast<std::size_t>(nx * ny));
  Team().for_blocks(nx * ny, kTriangleGrain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; i++) {
      Random random(seed, i);
      const std::int64_t x = i % nx * kCell + random.below(kCell);
      points[static_cast<std::size_t>(i)] = {x, i / nx * kCell + random.below(kCell)};
    }
  });
  return points;
}

}  // namespace

bool in_circle(Point a, Point b, Point c, Point d) {
  const auto from_d = [&](Point p) { return Point{p.x - d.x, p.y - d.y}; };
  const Point u = from_d(a), v = from_d(b), w = from_d(c);
  const auto cross = [](Point p, Point q) { return p.x * q.y - p.y * q.x; };
  const auto square = [](Point p) { return p.x * p.x + p.y * p.y; };
  return Wide{square(u)} * cross(v, w) + Wide{square(v)} * cross(w, u) + Wide{square(w)} * cross(u, v) > 0;
}

Triangulation triangulate(std::int64_t nx, std::int64_t ny, std::int64_t seed) {
  Triangulation made{scatter(nx, ny, seed), {}};
  const std::int64_t quads_x = nx - 1, quads_y = ny - 1;
  const auto point = [&](std::int32_t i) { return made.points[static_cast<std::size_t>(i)]; };
  const auto quad = [&](std::int64_t x, std::int64_t y) {
    const auto a = static_cast<std::int32_t>(y * nx + x), d = static_cast<std::int32_t>(a + nx), b = a + 1, c = d + 1;
    return Quadrilateral{a, b, c, d, area(point(a), point(b), point(c)) > 0 && area(point(a), point(c), point(d)) > 0};
  };
  // quadrilateral q has triangle 2q at its lower side and 2q + 1 at its upper one
  const auto lower = [&](std::int64_t x, std::int64_t y) {
    return y < quads_y ? static_cast<std::int32_t>(2 * (y * quads_x + x)) : -1;
  };
  const auto upper = [&](std::int64_t x, std::int64_t y) { return y >= 0 ? lower(x, y) + 1 : -1; };
  const auto leftmost = [&](std::int64_t x, std::int64_t y) {
    if (x >= quads_x) return -1;
    return quad(x, y).rising ? upper(x, y) : lower(x, y);
  };
  const auto rightmost = [&](std::int64_t x, std::int64_t y) {
    if (x < 0) return -1;
    return quad(x, y).rising ? lower(x, y) : upper(x, y);
  };
  made.triangles.resize(static_cast<std::size_t>(2 * quads_x * quads_y));
  Team().for_blocks(quads_x * quads_y, kTriangleGrain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t q = first; q < last; q++) {
      const std::int64_t x = q % quads_x, y = q / quads_x;
      const Quadrilateral s = quad(x, y);
      const std::int32_t low = lower(x, y), high = upper(x, y), below = upper(x, y - 1), above = lower(x, y + 1);
      const std::int32_t left = rightmost(x - 1, y), right = leftmost(x + 1, y);
      Triangle* t = made.triangles.data() + 2 * q;
      t[0] =
          s.rising ? Triangle{{s.a, s.b, s.c}, {right, high, below}} : Triangle{{s.a, s.b, s.d}, {high, left, below}};
      t[1] = s.rising ? Triangle{{s.a, s.c, s.d}, {above, left, low}} : Triangle{{s.b, s.c, s.d}, {above, low, right}};
    }
  });
  Flipping flipping(made);
  for (std::int64_t t = 0; t < std::ssize(made.triangles); t++) flipping.settle(static_cast<std::int32_t>(t));
  return made;
}

}  // namespace rowan::gen
