#include "accumulators/common/count_by_positions.hpp"

#include "accumulators/common/positions.hpp"
#include "accumulators/common/prefetch.hpp"

namespace rowan {

void count_by_positions(const SymbolicTask& t) {
  ColumnPositions positions(t.scratch.persistent, t.extent.span_max);
  constexpr std::int64_t kAhead = 12;
  const bool far = is_far(t.b);
  for (std::int64_t i = t.first; i < t.last; i++) {
    const Column lo = t.rows[i].lo;
    const std::int64_t row = positions.begin_row(1);
    ColumnPositions::Position* const position = positions.of_column() - lo;
    std::int64_t n = 0;
    for (std::int64_t k = t.a.ptr[i]; k < t.a.ptr[i + 1]; k++) {
      if (far) prefetch_b(t.a, t.b, k, kAhead);
      for (std::int64_t l = t.b.ptr[t.a.col[k]], last = t.b.ptr[t.a.col[k] + 1]; l < last; l++) {
        ColumnPositions::Position& at = position[t.b.col[l]];
        n += at < row ? 1 : 0;
        at = static_cast<ColumnPositions::Position>(row);
      }
    }
    positions.end_row(1);
    t.nnz[i] = static_cast<Offset>(n);
  }
}

}  // namespace rowan
