// Delaunay triangulations as graphs: planar, six neighbours a node on average, no diagonal.
#include <numeric>

#include "lib/generate/build.hpp"
#include "lib/generate/kind.hpp"
#include "lib/generate/random.hpp"
#include "lib/generate/triangulation.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kDelaunayParameters[] = {
    {"nx", "points along x, one at random in each cell of a grid", 1000, 2, kMostRows},
    {"ny", "points along y", 1000, 2, kMostRows},
    {"shuffle", "length of stretches of points that are numbered at random; 0 or 1: none, n or more: all", 0, 0,
     kMostRows},
    kSeed};

/// The numbers of points, shuffled (Fisher and Yates) within windows.
std::vector<std::int32_t> numbering(std::int64_t n, std::int64_t window, std::int64_t seed) {
  std::vector<std::int32_t> number(static_cast<std::size_t>(n));
  std::iota(number.begin(), number.end(), 0);
  if (window <= 1) return number;
  Random random(seed, kSharedStream);
  for (std::int64_t first = 0; first < n; first += window)
    for (std::int64_t i = std::min(n, first + window) - 1; i > first; i--)
      std::swap(number[static_cast<std::size_t>(i)], number[static_cast<std::size_t>(random.between(first, i))]);
  return number;
}

Csr<double> make_delaunay(const Values& v) {
  const Triangulation mesh = triangulate(v["nx"], v["ny"], v["seed"]);
  const std::int64_t n = std::ssize(mesh.points);
  const std::vector<std::int32_t> number = numbering(n, v["shuffle"], v["seed"]);
  const auto item = [&](std::int64_t k, const auto& emit) {
    const Triangle& t = mesh.triangles[static_cast<std::size_t>(k)];
    for (std::size_t c = 0; c < 3; c++) {
      const auto corner = [&](std::size_t d) { return number[static_cast<std::size_t>(t.corner[(c + d) % 3])]; };
      emit(corner(1), corner(2));
      if (t.beside[c] < 0) emit(corner(2), corner(1));  // elsewhere the other triangle has the way back
    }
  };
  return from_pairs({.rows = n, .cols = n, .seed = v["seed"], .symmetric = true}, std::ssize(mesh.triangles), item);
}

}  // namespace

constinit const MatrixKind kDelaunay{
    .shown = {"delaunay", "Delaunay triangulation, ordered or shuffled", true, kDelaunayParameters},
    .size =
        [](const Values& v) {
          const std::int64_t n = product({v["nx"], v["ny"]});
          return MatrixSize{n, n, product({6, n})};
        },
    .make = make_delaunay};

}  // namespace rowan::gen
