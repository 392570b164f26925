// Finite differences on a grid: each row is mostly the one before moved by one column.
#include "lib/generate/build.hpp"
#include "lib/generate/grid.hpp"
#include "lib/generate/kind.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kFlat[] = {
    {"nx", "nodes along x", 1000, 1, kMostRows}, {"ny", "nodes along y", 1000, 1, kMostRows}, kSeed};
constexpr GeneratorParameter kSolid[] = {{"nx", "nodes along x", 60, 1, kMostRows},
                                         {"ny", "nodes along y", 60, 1, kMostRows},
                                         {"nz", "nodes along z", 60, 1, kMostRows},
                                         {"points", "of the stencil: 7 or 27", 7, 7, 27},
                                         kSeed};

Csr<double> make(const Grid& grid, bool corners, std::int64_t seed) {
  const Build build{.rows = grid.nodes(), .cols = grid.nodes(), .seed = seed, .symmetric = true};
  return from_rows(build, [&](std::int64_t i, std::vector<Column>& columns) {
    const auto add = [&](std::int64_t j) { columns.push_back(static_cast<std::int32_t>(j)); };
    if (corners)
      grid.for_box(i, add);
    else
      grid.for_cross(i, add);
  });
}

}  // namespace

constinit const MatrixKind kStencil2d{
    .shown = {"stencil2d", "5-point stencil on a rectangle", true, kFlat},
    .size =
        [](const Values& v) {
          const std::int64_t n = product({v["nx"], v["ny"]});
          return MatrixSize{n, n, product({5, n})};
        },
    .make = [](const Values& v) { return make({.nx = v["nx"], .ny = v["ny"]}, false, v["seed"]); }};

constinit const MatrixKind kStencil3d{.shown = {"stencil3d", "7- or 27-point stencil on a box", true, kSolid},
                                      .size =
                                          [](const Values& v) {
                                            require(v["points"] == 7 || v["points"] == 27,
                                                    "stencil3d: points is 7 or 27");
                                            const std::int64_t n = product({v["nx"], v["ny"], v["nz"]});
                                            return MatrixSize{n, n, product({v["points"], n})};
                                          },
                                      .make =
                                          [](const Values& v) {
                                            return make({v["nx"], v["ny"], v["nz"]}, v["points"] == 27, v["seed"]);
                                          }};

}  // namespace rowan::gen
