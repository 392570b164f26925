// Points at random in a cube, each coupled with all that lie within a radius, itself too; numbered at random, as meshes
// come from a generator (poisson3Da). Coordinates are whole numbers, so distances are exact. Points are sought in
// cells at least as wide as the radius: in a point's own and the 26 around it.
#include <algorithm>
#include <array>

#include "lib/generate/build.hpp"
#include "lib/generate/grid.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kGeometricParameters[] = {
    {"n", "points", 13500, 1, kMostRows},
    {"neighbours", "of a point inside, expected; fewer at the cube's faces", 26, 0, 1 << 20},
    kSeed};

constexpr std::int64_t kSide = 1 << 20;  // of the cube: a squared distance fits an int64
using Place = std::array<std::int32_t, 3>;

/// The largest radius whose ball holds `neighbours` of n points in the cube, on average, or fewer.
std::int64_t radius_for(double n, double neighbours) {
  constexpr double kBall = 4.1887902047863905;  // 4 pi / 3
  constexpr double kVolume = static_cast<double>(kSide) * static_cast<double>(kSide) * static_cast<double>(kSide);
  std::int64_t low = 0, high = 2 * kSide;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    const auto r = static_cast<double>(middle);
    (kBall * r * r * r * n <= neighbours * kVolume ? low : high) = middle;
  }
  return low;
}

struct Numbered {
  Place place;
  std::int32_t number;
};

/// Points by the cell they lie in.
struct Cells {
  Grid grid;
  std::vector<std::int64_t> first;  // of each cell, in `points`
  std::vector<Numbered> points;

  Cells(const std::vector<Place>& places, std::int64_t a_side) : grid{a_side, a_side, a_side} {
    first.resize(static_cast<std::size_t>(grid.nodes()) + 1);
    for (const Place& p : places) first[of(p)]++;
    for (std::size_t c = 1; c < first.size(); c++) first[c] += first[c - 1];
    points.resize(places.size());
    for (std::size_t i = places.size(); i-- > 0;)
      points[static_cast<std::size_t>(--first[of(places[i])])] = {places[i], static_cast<std::int32_t>(i)};
  }
  [[nodiscard]] std::size_t of(const Place& p) const {
    const auto along = [&](std::size_t d) { return p[d] * grid.nx / kSide; };
    return static_cast<std::size_t>((along(2) * grid.ny + along(1)) * grid.nx + along(0));
  }
  /// Calls f(point) for every point of the cell.
  template <class F>
  void for_points(std::int64_t cell, const F& f) const {
    const auto c = static_cast<std::size_t>(cell);
    std::for_each(points.begin() + first[c], points.begin() + first[c + 1], f);
  }
};

/// Cells along a side: none narrower than the radius, and no more cells than points.
std::int64_t cells_along(std::int64_t n, std::int64_t radius) {
  std::int64_t side = std::max<std::int64_t>(1, kSide / std::max<std::int64_t>(1, radius));
  while (side > 1 && product({side, side, side}) > n) side--;
  return side;
}

Csr<double> make_geometric(const Values& v) {
  const std::int64_t n = v["n"], seed = v["seed"];
  const std::int64_t radius = radius_for(static_cast<double>(n), static_cast<double>(v["neighbours"]));
  std::vector<Place> places(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; i++) {
    Random random(seed, i);
    for (std::int32_t& x : places[static_cast<std::size_t>(i)]) x = static_cast<std::int32_t>(random.below(kSide));
  }
  const Cells cells(places, cells_along(n, radius));
  const auto near = [&](const Place& p, const Place& q) {
    std::int64_t square = 0;
    for (std::size_t d = 0; d < 3; d++) square += std::int64_t{p[d] - q[d]} * (p[d] - q[d]);
    return square <= radius * radius;
  };
  return from_rows({.rows = n, .cols = n, .seed = seed, .symmetric = true},
                   [&](std::int64_t i, std::vector<Column>& columns) {
                     const auto start = std::ssize(columns);
                     const Place& p = places[static_cast<std::size_t>(i)];
                     cells.grid.for_box(static_cast<std::int64_t>(cells.of(p)), [&](std::int64_t cell) {
                       cells.for_points(cell, [&](const Numbered& q) {
                         if (near(p, q.place)) columns.push_back(q.number);
                       });
                     });
                     std::sort(columns.begin() + start, columns.end());
                   });
}

}  // namespace

constinit const MatrixKind kGeometric{
    .shown = {"geometric", "random points in a cube coupled with the near ones", true, kGeometricParameters},
    .size =
        [](const Values& v) {
          const std::int64_t most = std::min(v["n"], v["neighbours"] + 1);
          return MatrixSize{v["n"], v["n"], product({v["n"], most})};
        },
    .make = make_geometric};

}  // namespace rowan::gen
