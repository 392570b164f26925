// Finite elements: hexahedra, every unknown of a node coupled with every unknown of the nodes that share an element
// with it. A node's rows have one pattern.
#include "lib/generate/build.hpp"
#include "lib/generate/grid.hpp"
#include "lib/generate/kind.hpp"

namespace rowan::gen {
namespace {

constexpr GeneratorParameter kFemParameters[] = {{"nx", "nodes along x", 9, 1, kMostRows},
                                                 {"ny", "nodes along y", 9, 1, kMostRows},
                                                 {"nz", "nodes along z; 1 makes a plate", 257, 1, kMostRows},
                                                 {"unknowns", "of a node", 3, 1, 32},
                                                 kSeed};

Csr<double> make_fem(const Values& v) {
  const Grid grid{v["nx"], v["ny"], v["nz"]};
  const std::int64_t unknowns = v["unknowns"], n = grid.nodes() * unknowns;
  return from_rows({.rows = n, .cols = n, .seed = v["seed"], .symmetric = true},
                   [&](std::int64_t i, std::vector<Column>& columns) {
                     grid.for_box(i / unknowns, [&](std::int64_t node) {
                       for (std::int64_t u = 0; u < unknowns; u++)
                         columns.push_back(static_cast<std::int32_t>(node * unknowns + u));
                     });
                   });
}

}  // namespace

constinit const MatrixKind kFem{.shown = {"fem", "mesh of hexahedra with 1 to 6 unknowns a node", true, kFemParameters},
                                .size =
                                    [](const Values& v) {
                                      const std::int64_t n = product({v["nx"], v["ny"], v["nz"], v["unknowns"]});
                                      return MatrixSize{n, n, product({27, v["unknowns"], n})};
                                    },
                                .make = make_fem};

}  // namespace rowan::gen
