// Patterns of multigrid's prolongation P on a grid, and of A P: what Galerkin products A P and R (A P) are made of.
#include <algorithm>

#include "lib/generate/build.hpp"
#include "lib/generate/grid.hpp"
#include "lib/generate/kind.hpp"

namespace rowan::gen {
namespace {

constexpr std::int64_t kWidth = 3;  // nodes of an aggregate along each axis (Vanek, Mandel and Brezina 1996)

constexpr GeneratorParameter kAggregation[] = {{"nx", "nodes along x", 44, 1, kMostRows},
                                               {"ny", "nodes along y", 44, 1, kMostRows},
                                               {"nz", "nodes along z", 44, 1, kMostRows},
                                               {"points", "of the stencil: 7 or 27", 7, 7, 27},
                                               {"steps", "0: piecewise constant P, 1: smoothed P, 2: A P", 1, 0, 2},
                                               {"unknowns", "rows of a node", 1, 1, 16},
                                               {"modes", "columns of an aggregate", 1, 1, 16},
                                               kSeed};
constexpr GeneratorParameter kClassical[] = {{"nx", "nodes along x, an even number", 48, 2, kMostRows},
                                             {"ny", "nodes along y", 48, 1, kMostRows},
                                             {"nz", "nodes along z", 48, 1, kMostRows},
                                             {"steps", "1: P, 2: A P", 1, 1, 2},
                                             kSeed};

/// Makes `list` rise without duplicates.
void sort_unique(std::vector<std::int64_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::int64_t coarse(std::int64_t n) {
  return (n + kWidth - 1) / kWidth;
}

/// The nodes at most `steps` of the stencil away, in any order.
std::vector<std::int64_t> around(const Grid& grid, std::int64_t node, std::int64_t steps, bool corners) {
  std::vector<std::int64_t> nodes{node}, further;
  for (std::int64_t s = 0; s < steps; s++) {
    further.clear();
    const auto add = [&](std::int64_t j) { further.push_back(j); };
    for (const std::int64_t i : nodes) corners ? grid.for_box(i, add) : grid.for_cross(i, add);
    sort_unique(further);
    std::swap(nodes, further);
  }
  return nodes;
}

Csr<double> aggregation(const Values& v) {
  const Grid grid{v["nx"], v["ny"], v["nz"]};
  const std::int64_t unknowns = v["unknowns"], modes = v["modes"], steps = v["steps"];
  const std::int64_t mx = coarse(grid.nx), my = coarse(grid.ny), mz = coarse(grid.nz);
  const bool corners = v["points"] == 27;
  const Build build{.rows = grid.nodes() * unknowns, .cols = mx * my * mz * modes, .seed = v["seed"]};
  return from_rows(build, [&](std::int64_t i, std::vector<Column>& columns) {
    std::vector<std::int64_t> aggregates;
    for (const std::int64_t j : around(grid, i / unknowns, steps, corners)) {
      const std::int64_t x = j % grid.nx, y = j / grid.nx % grid.ny, z = j / grid.nx / grid.ny;
      aggregates.push_back((z / kWidth * my + y / kWidth) * mx + x / kWidth);
    }
    sort_unique(aggregates);
    for (const std::int64_t aggregate : aggregates)
      for (std::int64_t m = 0; m < modes; m++) columns.push_back(static_cast<Column>(aggregate * modes + m));
  });
}

/// Red nodes are coarse; black ones are interpolated from their red neighbours (direct interpolation of Ruge and
/// Stueben 1987 for a stencil without corners).
Csr<double> classical(const Values& v) {
  const Grid grid{v["nx"], v["ny"], v["nz"]};
  const auto red = [&](std::int64_t j) {
    return (j % grid.nx + j / grid.nx % grid.ny + j / grid.nx / grid.ny) % 2 == 0;
  };
  const Build build{.rows = grid.nodes(), .cols = grid.nodes() / 2, .seed = v["seed"]};
  return from_rows(build, [&](std::int64_t i, std::vector<Column>& columns) {
    std::vector<std::int64_t> met;
    const auto interpolate = [&](std::int64_t j) {
      if (red(j)) return met.push_back(j / 2);  // two of a row of nodes are one coarse column
      grid.for_cross(j, [&](std::int64_t k) {
        if (k != j) met.push_back(k / 2);
      });
    };
    if (v["steps"] == 1)
      interpolate(i);
    else
      grid.for_cross(i, interpolate);
    sort_unique(met);
    for (const std::int64_t j : met) columns.push_back(static_cast<Column>(j));
  });
}

}  // namespace

constinit const MatrixKind kAggregationKind{
    .shown = {"aggregation", "multigrid's P by smoothed aggregation on a box, or A P", false, kAggregation},
    .size =
        [](const Values& v) {
          require(v["points"] == 7 || v["points"] == 27, "aggregation: points is 7 or 27");
          const std::int64_t rows = product({v["nx"], v["ny"], v["nz"], v["unknowns"]});
          // of each axis a step reaches one aggregate more for two nodes of three, two steps 4/3 more
          const bool corners = v["points"] == 27;
          const std::int64_t most = v["steps"] == 0 ? 1 : v["steps"] == 1 ? (corners ? 8 : 4) : corners ? 16 : 8;
          return MatrixSize{rows, product({coarse(v["nx"]), coarse(v["ny"]), coarse(v["nz"]), v["modes"]}),
                            product({rows, most, v["modes"]})};
        },
    .make = aggregation};

constinit const MatrixKind kClassicalKind{
    .shown = {"classical", "multigrid's P by red-black interpolation on a box, or A P", false, kClassical},
    .size =
        [](const Values& v) {
          require(v["nx"] % 2 == 0, "classical: nx is even");
          const std::int64_t rows = product({v["nx"], v["ny"], v["nz"]});
          const std::int64_t most = v["steps"] == 1 ? 4 : 16;  // on average
          return MatrixSize{rows, rows / 2, product({rows, most})};
        },
    .make = classical};

}  // namespace rowan::gen
