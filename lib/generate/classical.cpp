// Classical multigrid (Ruge and Stueben 1987) with direct interpolation on a box. Coarse nodes of the 5- and 7-point
// stencils are every second one, as on a chessboard: the others are interpolated from their neighbours along the axes.
// Those of the 9- and 27-point stencils are the nodes with even coordinates; a node between them is interpolated from
// all nearest ones, and R * A * P has the same stencil on half the nodes along each axis. This is what the method finds
// there. After a chessboard no stencil is left: levels beyond the first are for `corners=1`.
#include <algorithm>

#include "lib/generate/multigrid.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kClassicalParameters[] = {
    {"nx", "nodes of the first level along x", 40, 1, kMostRows},
    {"ny", "nodes along y", 40, 1, kMostRows},
    {"nz", "nodes along z; 1 makes a rectangle", 40, 1, kMostRows},
    {"corners", "0: 5- or 7-point stencil; 1: 9- or 27-point", 0, 0, 1},
    {"level", "1 is the finest; 2 to 5 with corners=1", 1, 1, 5},
    kPart,
    kSeed};

Grid halved(const Grid& g) {
  return {(g.nx + 1) / 2, (g.ny + 1) / 2, (g.nz + 1) / 2};
}

/// Nodes of a chessboard's first colour before this one.
std::int64_t chess_number(const Grid& g, std::int64_t node) {
  const std::int64_t x = node % g.nx, y = node / g.nx % g.ny, z = node / g.nx / g.ny;
  const std::int64_t first_rows = (z + 1) / 2 * ((g.ny + 1) / 2) + z / 2 * (g.ny / 2) + (y + 1 - z % 2) / 2;
  const std::int64_t second_rows = z * g.ny + y - first_rows;  // that begin with the other colour
  return first_rows * ((g.nx + 1) / 2) + second_rows * (g.nx / 2) + (x + 1 - (y + z) % 2) / 2;
}

std::int64_t chess_nodes(const Grid& g) {
  const std::int64_t nodes = product({g.nx, g.ny, g.nz});
  return nodes / 2 + nodes % 2;
}

void interpolate_chess(const Grid& g, std::int64_t node, std::vector<Column>& coarse) {
  const auto is_coarse = [&](std::int64_t j) { return (j % g.nx + j / g.nx % g.ny + j / g.nx / g.ny) % 2 == 0; };
  if (is_coarse(node)) return coarse.push_back(static_cast<Column>(chess_number(g, node)));
  g.for_cross(node, [&](std::int64_t j) {
    if (j != node) coarse.push_back(static_cast<Column>(chess_number(g, j)));
  });
}

void interpolate_box(const Grid& g, std::int64_t node, std::vector<Column>& coarse) {
  const Grid half = halved(g);
  const std::int64_t at[] = {node % g.nx, node / g.nx % g.ny, node / g.nx / g.ny};
  const std::int64_t n[] = {half.nx, half.ny, half.nz};
  const auto last = [&](std::size_t d) { return std::min((at[d] + 1) / 2, n[d] - 1); };
  for (std::int64_t z = at[2] / 2; z <= last(2); z++)
    for (std::int64_t y = at[1] / 2; y <= last(1); y++)
      for (std::int64_t x = at[0] / 2; x <= last(0); x++)
        coarse.push_back(static_cast<Column>((z * half.ny + y) * half.nx + x));
}

MultigridLevel classical_level(const Values& v) {
  Grid grid{v["nx"], v["ny"], v["nz"]};
  const bool corners = v["corners"] != 0;
  for (std::int64_t l = 1; l < v["level"]; l++) grid = halved(grid);
  const Grid half = halved(grid);
  return {.grid = grid,
          .corners = corners,
          .coarse_nodes = corners ? product({half.nx, half.ny, half.nz}) : chess_nodes(grid),
          .interpolate = [=](std::int64_t node, std::vector<Column>& coarse) {
            corners ? interpolate_box(grid, node, coarse) : interpolate_chess(grid, node, coarse);
          }};
}

MatrixSize classical_size(const Values& v) {
  require(v["corners"] == 1 || v["level"] == 1, "classical: levels beyond the first need corners=1");
  const MultigridLevel level = classical_level(v);
  const Grid& g = level.grid;
  const std::int64_t nodes = product({g.nx, g.ny, g.nz});
  // twice the entries a node inside a box: on a chessboard the mean of 1 and 6 for P, of 19 and 6 for A * P
  constexpr std::int64_t kChess[] = {14, 7, 7, 25}, kBox[] = {54, 7, 7, 32};
  const std::int64_t part = v["part"];
  return size_of(level, part, sum(product({nodes, level.corners ? kBox[part] : kChess[part]}) / 2, 19));
}

}  // namespace

constinit const MatrixKind kClassical{
    .shown = {"classical", "classical multigrid on a box: P of a level, or its A, R, A * P", false,
              kClassicalParameters},
    .size = classical_size,
    .make = [](const Values& v) { return make_part(classical_level(v), v["part"], v["seed"]); }};

}  // namespace rowan::gen
