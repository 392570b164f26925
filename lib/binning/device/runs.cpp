#include "lib/binning/device/runs.hpp"

#include "lib/device/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kThreads = 256;

__global__ void __launch_bounds__(kThreads)
    teams_of_rows(std::int64_t rows, const std::uint8_t* relation, std::int64_t* nnz, std::uint8_t* team) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (row >= rows) return;
  std::int64_t first = row, end = row + 1;
  while (goes_on(relation, first)) first--;
  while (end < rows && goes_on(relation, end)) end++;
  if (first != row) nnz[row] = nnz[first];
  // teams of almost one size, the larger ones first: six rows are three and three, five are three and two
  const int length = static_cast<int>(end - first), teams = (length + kTeamRows - 1) / kTeamRows;
  const int small = length / teams, large = length % teams;  // rows of a team; teams of one row more
  const int place = static_cast<int>(row - first), behind = place - large * (small + 1);
  const int within = behind < 0 ? place % (small + 1) : behind % small;
  team[row] = static_cast<std::uint8_t>(within != 0 ? 0 : behind < 0 ? small + 1 : small);
}

}  // namespace

void make_teams(std::int64_t rows, const std::uint8_t* relation, std::int64_t* nnz, std::uint8_t* team,
                hipStream_t stream) {
  launch(teams_of_rows, {.grid = (rows + kThreads - 1) / kThreads, .block = kThreads}, stream, rows, relation, nnz,
         team);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
