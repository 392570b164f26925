#include "lib/binning/device/runs.hpp"

#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

constexpr int kThreads = 256;
constexpr int kShiftThreads = 1024, kBits = 32;

/// A thread has a row, a block 1024 neighbours; the grid covers all rows. In shared memory a bit of each row of the
/// block, whether it is moved: where a run begins and ends is found by its zeros. Writes `mark` behind a barrier that
/// all reads of `moved` are before.
__global__ void __launch_bounds__(kShiftThreads)
    shift_bundles_of_rows(std::int64_t rows, const std::uint8_t* is_moved, ShiftMark* mark) {
  ROWAN_SHARED(unsigned, moved, kShiftThreads / kBits);
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kShiftThreads + t;
  const Mask of_wave = simt::ballot(simt::wave_mask(), t > 0 && row < rows && is_moved[row] != 0);
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
  const int behind = (t - first) % ShiftMark::kMaxRows, left = end - (t - behind);
  const int length = left < ShiftMark::kMaxRows ? left : ShiftMark::kMaxRows;
  mark[row] = length < ShiftMark::kMinRows ? ShiftMark()
              : behind == 0                ? ShiftMark::leader(length)
                                           : ShiftMark::follower(behind);
}

/// A thread has a row; the grid covers all rows. A follower looks for its run's leader itself, at most kRunRows rows
/// before it.
__global__ void __launch_bounds__(kThreads)
    bundles_of_rows(std::int64_t rows, const std::uint8_t* relation, const ShiftMark* shift_mark, std::int64_t* nnz,
                    std::uint8_t* bundle_rows, SavedRange* saved) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (row >= rows) return;
  if (const ShiftMark mark = shift_mark == nullptr ? ShiftMark() : shift_mark[row]; mark.in_bundle()) {
    if (mark.is_follower()) nnz[row] = nnz[row - mark.behind()];
    bundle_rows[row] = 1;
    return;
  }
  std::int64_t first = row, end = row + 1;
  while (goes_on(relation, first)) first--;
  while (end < rows && goes_on(relation, end)) end++;
  if (first != row) nnz[row] = nnz[first];
  if (first != row && saved != nullptr) saved[row] = saved[first];
  // bundles of almost one size, the larger ones first: six rows are three and three, five are three and two
  const int length = static_cast<int>(end - first), bundles = (length + kMaxBundleRows - 1) / kMaxBundleRows;
  const int small = length / bundles, large = length % bundles;  // rows of a bundle; bundles of one row more
  const int of_run = static_cast<int>(row - first), behind_large = of_run - large * (small + 1);
  const int of_bundle = behind_large < 0 ? of_run % (small + 1) : behind_large % small;
  bundle_rows[row] = static_cast<std::uint8_t>(of_bundle != 0 ? 0 : behind_large < 0 ? small + 1 : small);
}

}  // namespace

void make_shift_bundles(std::int64_t rows, const std::uint8_t* moved, ShiftMark* mark, hipStream_t stream) {
  launch(shift_bundles_of_rows, {.grid = (rows + kShiftThreads - 1) / kShiftThreads, .block = kShiftThreads}, stream,
         rows, moved, mark);
}

void make_bundles(std::int64_t rows, const std::uint8_t* relation, const ShiftMark* mark, std::int64_t* nnz,
                  std::uint8_t* bundle_rows, SavedRange* saved, hipStream_t stream) {
  launch(bundles_of_rows, {.grid = (rows + kThreads - 1) / kThreads, .block = kThreads}, stream, rows, relation, mark,
         nnz, bundle_rows, saved);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
