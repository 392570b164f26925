#include "accumulators/direct/device/direct.hpp"

#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::direct {
namespace {

constexpr int kThreads = kShapes.direct.block;

/// `group` lanes a row, the grid as many blocks as rows need; nothing in shared memory.
template <class T>
__global__ void __launch_bounds__(kThreads) numeric_rows(Operand<T> a, Operand<T> b, RowList rows,
                                                         const std::int64_t* row_ptr, Column* col, T* val, int group) {
  const int lane = static_cast<int>(threadIdx.x) & (group - 1);
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x) / group;
  if (i >= rows.count) return;
  const std::int64_t row = rows[i], k = a.ptr[row], j = a.col[k];
  const T scale = a.val[k];
  const std::int64_t from = b.ptr[j], n = b.ptr[j + 1] - from, to = row_ptr[row];
  for (std::int64_t e = lane; e < n; e += group) {
    col[to + e] = b.col[from + e];
    val[to + e] = T{0} + scale * b.val[from + e];  // a sum begins at +0
  }
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
