// Smoothed aggregation (Vanek, Mandel, Brezina 1996) on a box. Aggregates are bricks of three nodes along each axis,
// which is what the method finds on a box; P is the tentative prolongation smoothed once, of the pattern A * T. From
// the second level on, R * A * P couples a node with all around it. Elasticity: `unknowns` 3, `modes` 3 or 6 (columns
// an aggregate).
#include <algorithm>

#include "lib/generate/multigrid.hpp"

namespace rowan::gen {
namespace {

constexpr std::int64_t kBrick = 3;  // nodes along an axis

constexpr GeneratorParameter kAggregationParameters[] = {
    {"nx", "nodes of the first level along x", 44, 1, kMostRows},
    {"ny", "nodes along y", 44, 1, kMostRows},
    {"nz", "nodes along z; 1 makes a rectangle", 44, 1, kMostRows},
    {"corners", "0: 5- or 7-point stencil; 1: 9- or 27-point", 0, 0, 1},
    {"unknowns", "of a node of the first level", 1, 1, 32},
    {"modes", "columns of P an aggregate, unknowns from level 2 on", 1, 1, 32},
    {"level", "1 is the finest", 1, 1, 5},
    {"diagonal", "1: strong along the diagonal (rotated anisotropy): rectangles of one unknown, level 1, corners", 0, 0,
     1},
    kPart,
    kSeed};

Grid coarser(const Grid& g) {
  const auto bricks = [](std::int64_t n) { return (n - 1) / kBrick + 1; };
  return {bricks(g.nx), bricks(g.ny), bricks(g.nz)};
}

/// The diagonals of a rectangle, and aggregates of up to kBrick nodes one behind another along each. Diagonal d has the
/// nodes with x - y + ny - 1 = d.
struct Diagonals {
  std::int64_t nx, ny;

  [[nodiscard]] std::int64_t all() const { return nx + ny - 1; }
  [[nodiscard]] std::int64_t length(std::int64_t d) const { return std::min({d + 1, all() - d, nx, ny}); }
  /// Aggregates before diagonal d: diagonals grow by a node, are all as long as the shorter side, and shrink.
  [[nodiscard]] std::int64_t begin(std::int64_t d) const {
    const std::int64_t shorter = std::min(nx, ny), longer = std::max(nx, ny);
    const auto of_first = [](std::int64_t k) {  // of diagonals of 1 to k nodes
      const std::int64_t q = k / kBrick, r = k % kBrick;
      return kBrick * q * (q + 1) / 2 + r * (q + 1);
    };
    const std::int64_t of_longest = (shorter + kBrick - 1) / kBrick;
    if (d <= shorter) return of_first(d);
    if (d <= longer) return of_first(shorter) + (d - shorter) * of_longest;
    return of_first(shorter) + (longer - shorter) * of_longest + of_first(shorter - 1) - of_first(all() - d);
  }
};

/// A rectangle whose couplings are strong along the diagonal alone (anisotropic diffusion, turned by 45 degrees): P is
/// smoothed by the strong couplings.
MultigridLevel along_diagonals(const Values& v) {
  const Diagonals diagonals{v["nx"], v["ny"]};
  return {.grid = {diagonals.nx, diagonals.ny, 1},
          .corners = true,
          .unknowns = 1,
          .coarse_nodes = diagonals.begin(diagonals.all()),
          .coarse_unknowns = 1,
          .interpolate = [=](std::int64_t node, std::vector<Column>& coarse) {
            const std::int64_t x = node % diagonals.nx, y = node / diagonals.nx, d = x - y + diagonals.ny - 1;
            const std::int64_t at = std::min(x, y), end = diagonals.length(d) - 1;
            for (std::int64_t k = std::max<std::int64_t>(at - 1, 0) / kBrick; k <= std::min(at + 1, end) / kBrick; k++)
              coarse.push_back(static_cast<Column>(diagonals.begin(d) + k));
          }};
}

MultigridLevel aggregation_level(const Values& v) {
  if (v["diagonal"] != 0) return along_diagonals(v);
  Grid grid{v["nx"], v["ny"], v["nz"]};
  for (std::int64_t l = 1; l < v["level"]; l++) grid = coarser(grid);
  const Grid bricks = coarser(grid);
  const bool corners = v["corners"] != 0 || v["level"] > 1;
  return {.grid = grid,
          .corners = corners,
          .unknowns = v["level"] > 1 ? v["modes"] : v["unknowns"],
          .coarse_nodes = product({bricks.nx, bricks.ny, bricks.nz}),
          .coarse_unknowns = v["modes"],
          .interpolate = [=](std::int64_t node, std::vector<Column>& coarse) {
            const auto first = std::ssize(coarse);
            const auto add = [&](std::int64_t j) {
              const std::int64_t x = j % grid.nx, y = j / grid.nx % grid.ny, z = j / grid.nx / grid.ny;
              coarse.push_back(static_cast<Column>(((z / kBrick) * bricks.ny + y / kBrick) * bricks.nx + x / kBrick));
            };
            if (corners)
              grid.for_box(node, add);
            else
              grid.for_cross(node, add);
            std::sort(coarse.begin() + first, coarse.end());
            coarse.erase(std::unique(coarse.begin() + first, coarse.end()), coarse.end());
          }};
}

MatrixSize aggregation_size(const Values& v) {
  if (v["diagonal"] != 0) {
    require(v["nz"] == 1 && v["corners"] == 1 && v["level"] == 1 && v["unknowns"] == 1 && v["modes"] == 1,
            "aggregation: diagonal is for nz=1, corners=1, level=1, unknowns=1, modes=1");
    require(product({v["nx"], v["ny"]}) <= kMostRows, "aggregation: nx times ny exceeds 2147483647");
  }
  const MultigridLevel level = aggregation_level(v);
  const std::int64_t nodes = product({level.grid.nx, level.grid.ny, level.grid.nz});
  // of a node inside a box: the stencil, the bricks within one step, and those within two
  constexpr std::int64_t kCross[] = {7, 4, 4, 7}, kBox[] = {27, 8, 8, 27}, kDiagonal[] = {9, 2, 2, 10};
  const std::int64_t part = v["part"];
  const std::int64_t* const entries = v["diagonal"] != 0 ? kDiagonal : level.corners ? kBox : kCross;
  return size_of(level, part, product({nodes, entries[part]}));
}

}  // namespace

constinit const MatrixKind kAggregation{
    .shown = {"aggregation", "smoothed aggregation on a box: P of a level, or its A, R, A * P", false,
              kAggregationParameters},
    .size = aggregation_size,
    .make = [](const Values& v) { return make_part(aggregation_level(v), v["part"], v["seed"]); }};

}  // namespace rowan::gen
