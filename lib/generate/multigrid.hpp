#pragma once
// The matrices of one level of a multigrid method on a box of nodes: A, the prolongation P, the restriction R = P', and
// A * P. They have the patterns of these products; values are drawn as for every other kind.
#include <functional>
#include <vector>

#include "lib/generate/grid.hpp"
#include "lib/generate/kind.hpp"

namespace rowan::gen {

enum LevelPart : std::int64_t { kPartA, kPartP, kPartR, kPartAP };
inline constexpr GeneratorParameter kPart{"part", "0: A; 1: P; 2: R, which is P'; 3: A * P, the operand of R", 1, 0, 3};

struct MultigridLevel {
  Grid grid;             // of the level
  bool corners = false;  // A couples a node with all around it, not only along the axes
  std::int64_t unknowns = 1;
  std::int64_t coarse_nodes = 0, coarse_unknowns = 1;
  /// Appends the coarse nodes that a node is interpolated from, in any order, each once.
  std::function<void(std::int64_t node, std::vector<Column>& coarse)> interpolate = {};
};

/// Rows and columns of a part; `entries`: of the part at most, if every node had one unknown.
[[nodiscard]] MatrixSize size_of(const MultigridLevel& level, std::int64_t part, std::int64_t entries);

[[nodiscard]] Csr<double> make_part(const MultigridLevel& level, std::int64_t part, std::int64_t seed);

}  // namespace rowan::gen
