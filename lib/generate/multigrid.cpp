#include "lib/generate/multigrid.hpp"

#include <algorithm>

#include "lib/generate/build.hpp"

namespace rowan::gen {
namespace {

/// Appends the unknowns of the nodes from `first` on, rising, in place of these, each node once.
void nodes_to_unknowns(std::vector<Column>& nodes, std::int64_t first, std::int64_t unknowns) {
  std::sort(nodes.begin() + first, nodes.end());
  nodes.erase(std::unique(nodes.begin() + first, nodes.end()), nodes.end());
  const std::vector<Column> kept(nodes.begin() + first, nodes.end());
  nodes.resize(static_cast<std::size_t>(first));
  for (const Column node : kept)
    for (std::int64_t u = 0; u < unknowns; u++) nodes.push_back(static_cast<Column>(node * unknowns + u));
}

template <class F>
void for_coupled(const MultigridLevel& level, std::int64_t node, const F& f) {
  if (level.corners)
    level.grid.for_box(node, f);
  else
    level.grid.for_cross(node, f);
}

}  // namespace

MatrixSize size_of(const MultigridLevel& level, std::int64_t part, std::int64_t entries) {
  const std::int64_t fine = product({level.grid.nx, level.grid.ny, level.grid.nz, level.unknowns});
  const std::int64_t coarse = product({level.coarse_nodes, level.coarse_unknowns});
  const std::int64_t all = product({entries, level.unknowns, part == kPartA ? level.unknowns : level.coarse_unknowns});
  return {part == kPartR ? coarse : fine, part == kPartP || part == kPartAP ? coarse : fine, all};
}

Csr<double> make_part(const MultigridLevel& level, std::int64_t part, std::int64_t seed) {
  const MatrixSize size = size_of(level, part, 0);
  const Build build{.rows = size.rows, .cols = size.cols, .seed = seed, .symmetric = part == kPartA};
  const std::int64_t unknowns = level.unknowns, coarse_unknowns = level.coarse_unknowns;
  if (part == kPartR)
    return from_pairs(build, level.grid.nodes(), [&](std::int64_t node, const auto& emit) {
      std::vector<Column> coarse;
      level.interpolate(node, coarse);
      for (const Column c : coarse)
        for (std::int64_t to = 0; to < coarse_unknowns; to++)
          for (std::int64_t u = 0; u < unknowns; u++) emit(c * coarse_unknowns + to, node * unknowns + u);
    });
  return from_rows(build, [&](std::int64_t i, std::vector<Column>& columns) {
    const std::int64_t node = i / unknowns, first = std::ssize(columns);
    if (part == kPartP) level.interpolate(node, columns);
    if (part != kPartP)
      for_coupled(level, node, [&](std::int64_t j) {
        if (part == kPartA)
          columns.push_back(static_cast<Column>(j));
        else
          level.interpolate(j, columns);
      });
    nodes_to_unknowns(columns, first, part == kPartA ? unknowns : coarse_unknowns);
  });
}

}  // namespace rowan::gen
