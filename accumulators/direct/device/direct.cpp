#include "accumulators/direct/device/direct.hpp"

#include "accumulators/common/device/walk.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::direct {
namespace {

constexpr int kThreads = kShapes.direct.block;

/// A row of C, where it lies and what it is a multiple of.
template <class T>
struct ScaledRow {
  std::int64_t from, n, to;
  T scale;

  /// By the `rank`-th of `size` threads.
  __device__ void copy(const Operand<T>& b, Column* col, T* val, int rank, int size) const {
    for (std::int64_t e = rank; e < n; e += size) {
      col[to + e] = b.col[from + e];
      val[to + e] = T{0} + scale * b.val[from + e];  // a sum begins at +0
    }
  }
};

/// `group` lanes a row, the grid as many blocks as rows need. Rows that are long for them are put off, in shared
/// memory, and taken by whole waves, the longest by the block: by a few lanes one row of thousands held up the product,
/// as it was copied long after everything else was done.
template <class T>
__global__ void __launch_bounds__(kThreads) numeric_rows(Operand<T> a, Operand<T> b, RowList rows,
                                                         const std::int64_t* row_ptr, Column* col, T* val, int group) {
  if (rows.cancelled) return;
  ROWAN_SHARED(ScaledRow<T>, late, kThreads);
  ROWAN_SHARED(int, late_rows, 1);
  const int t = static_cast<int>(threadIdx.x), lane = t & (group - 1);
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * kThreads + t) / group;
  if (t == 0) late_rows[0] = 0;
  __syncthreads();
  if (i < rows.count) {
    const std::int64_t row = rows[i], k = a.ptr[row], j = a.col[k], from = b.ptr[j];
    const ScaledRow<T> own{from, b.ptr[j + 1] - from, row_ptr[row], a.val[k]};
    if (own.n <= kMostSteps * group)
      own.copy(b, col, val, lane, group);
    else if (lane == 0)
      late[simt::atomic_add(late_rows, 1)] = own;
  }
  __syncthreads();
  const int width = simt::wave_width();
  for (int k = t / width; k < late_rows[0]; k += kThreads / width)
    if (late[k].n <= kMostSteps * width) late[k].copy(b, col, val, simt::lane(), width);
  for (int k = 0; k < late_rows[0]; k++)
    if (late[k].n > kMostSteps * width) late[k].copy(b, col, val, t, kThreads);
}

}  // namespace

template <class T>
void numeric(const NumericLaunch<T>& l) {
  const std::int64_t rows = kThreads / l.group;
  launch(numeric_rows<T>, {.grid = (l.rows.count + rows - 1) / rows, .block = kThreads}, l.stream, l.a, l.b, l.rows,
         l.row_ptr, l.col, l.val, l.group);
}

#define ROWAN_INSTANTIATE(T) template void numeric(const NumericLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::direct
