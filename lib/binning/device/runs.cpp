#include "lib/binning/device/runs.hpp"

#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kThreads = 256;
constexpr int kShiftThreads = 1024, kBits = 32;

/// A run is found by its zeros: bits of all rows of the block, those that go on with the row before.
__global__ void __launch_bounds__(kShiftThreads) shift_teams_of_rows(std::int64_t rows, std::uint8_t* place) {
  ROWAN_SHARED(unsigned, moved, kShiftThreads / kBits);
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kShiftThreads + t;
  const Mask of_wave = simt::ballot(simt::wave_mask(), t > 0 && row < rows && place[row] != 0);
  if (t % kBits == 0) moved[t / kBits] = static_cast<unsigned>(of_wave >> (simt::lane() / kBits * kBits));
  __syncthreads();
  if (row >= rows) return;
  int w = t / kBits;
  unsigned zeros = ~moved[w] & (~0U >> (kBits - 1 - t % kBits));
  while (zeros == 0) zeros = ~moved[--w];  // the block's first row is one
  const int first = w * kBits + kBits - 1 - __clz(static_cast<int>(zeros));
  int end = t + 1;
  if (end < kShiftThreads) {
    w = end / kBits, zeros = ~moved[w] & (~0U << (end % kBits));
    while (zeros == 0 && ++w < kShiftThreads / kBits) zeros = ~moved[w];
    end = zeros == 0 ? kShiftThreads : w * kBits + __ffs(zeros) - 1;
  }
  const int behind = (t - first) % kMostShifts, left = end - (t - behind);
  const int length = left < kMostShifts ? left : kMostShifts;
  place[row] = static_cast<std::uint8_t>(length < kLeastShifts ? 0 : behind == 0 ? length : kMostShifts + behind);
}

__global__ void __launch_bounds__(kThreads)
    teams_of_rows(std::int64_t rows, const std::uint8_t* relation, const std::uint8_t* shift_place, std::int64_t* nnz,
                  std::uint8_t* team, KeptAt* kept) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (row >= rows) return;
  if (const int at = shift_place == nullptr ? 0 : shift_place[row]; at != 0) {
    if (follows(static_cast<std::uint8_t>(at))) nnz[row] = nnz[row - (at - kMostShifts)];
    team[row] = 1;
    return;
  }
  std::int64_t first = row, end = row + 1;
  while (goes_on(relation, first)) first--;
  while (end < rows && goes_on(relation, end)) end++;
  if (first != row) nnz[row] = nnz[first];
  if (first != row && kept != nullptr) kept[row] = kept[first];
  // teams of almost one size, the larger ones first: six rows are three and three, five are three and two
  const int length = static_cast<int>(end - first), teams = (length + kTeamRows - 1) / kTeamRows;
  const int small = length / teams, large = length % teams;  // rows of a team; teams of one row more
  const int place = static_cast<int>(row - first), behind = place - large * (small + 1);
  const int within = behind < 0 ? place % (small + 1) : behind % small;
  team[row] = static_cast<std::uint8_t>(within != 0 ? 0 : behind < 0 ? small + 1 : small);
}

}  // namespace

void make_shift_teams(std::int64_t rows, std::uint8_t* place, hipStream_t stream) {
  launch(shift_teams_of_rows, {.grid = (rows + kShiftThreads - 1) / kShiftThreads, .block = kShiftThreads}, stream,
         rows, place);
}

void make_teams(std::int64_t rows, const std::uint8_t* relation, const std::uint8_t* place, std::int64_t* nnz,
                std::uint8_t* team, KeptAt* kept, hipStream_t stream) {
  launch(teams_of_rows, {.grid = (rows + kThreads - 1) / kThreads, .block = kThreads}, stream, rows, relation, place,
         nnz, team, kept);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
