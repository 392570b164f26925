// Smoothed aggregation (Vanek, Mandel, Brezina 1996) on a box. Aggregates are bricks of three nodes along each axis,
// which is what the method finds on a box; P is the tentative prolongation smoothed once, of the pattern A * T. From
// the second level on, R * A * P couples a node with all around it. Elasticity: `unknowns` 3, `modes` 3 or 6 (columns
// an aggregate).
#include <algorithm>

#include "lib/generate/multigrid.hpp"

namespace rowan::gen {
namespace {

constexpr std::int64_t kBrick = 3;  // nodes along an axis

constexpr GeneratorParameter kParameters[] = {
    {"nx", "nodes of the first level along x", 44, 1, kMostRows},
    {"ny", "nodes along y", 44, 1, kMostRows},
    {"nz", "nodes along z; 1 makes a rectangle", 44, 1, kMostRows},
    {"corners", "0: 5- or 7-point stencil; 1: 9- or 27-point", 0, 0, 1},
    {"unknowns", "of a node of the first level", 1, 1, 32},
    {"modes", "columns of P an aggregate, unknowns from level 2 on", 1, 1, 32},
    {"level", "1 is the finest", 1, 1, 5},
    kPart,
    kSeed};

Grid coarser(const Grid& g) {
  const auto bricks = [](std::int64_t n) { return (n - 1) / kBrick + 1; };
  return {bricks(g.nx), bricks(g.ny), bricks(g.nz)};
}

MultigridLevel level_of(const Values& v) {
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

MatrixSize size(const Values& v) {
  const MultigridLevel level = level_of(v);
  const std::int64_t nodes = product({level.grid.nx, level.grid.ny, level.grid.nz});
  // of a node inside a box: the stencil, the bricks within one step, and those within two
  constexpr std::int64_t kCross[] = {7, 4, 4, 7}, kBox[] = {27, 8, 8, 27};
  const std::int64_t part = v["part"];
  return size_of(level, part, product({nodes, level.corners ? kBox[part] : kCross[part]}));
}

}  // namespace

constinit const MatrixKind kAggregation{
    .shown = {"aggregation", "smoothed aggregation on a box: P of a level, or its A, R, A * P", false, kParameters},
    .size = size,
    .make = [](const Values& v) { return make_part(level_of(v), v["part"], v["seed"]); }};

}  // namespace rowan::gen
