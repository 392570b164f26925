#include "accumulators/common/equal_rows.hpp"
#include "lib/host/replay/kernels.hpp"

namespace rowan::replay {
namespace {

/// Calls f(first of the rows, whether they are several, row of B) for each row of B whose positions are written down.
template <class F>
void for_b_rows(const PlannedRows& r, const F& f) {
  for (std::int64_t i = r.first; i < r.last;) {
    if (in_shifts(r.rows[i])) {
      i++;
      continue;
    }
    const std::int64_t end = end_of_run(r, i), last = r.a.ptr[i + 1];
    const bool several = end - i > 1;
    for (std::int64_t e = r.a.ptr[i]; e < last;) {
      f(i, several, std::int64_t{r.a.col[e]});
      e += several && r.sorted_b ? equal_rows(r.a, r.b_run, e, last) : 1;
    }
    i = end;
  }
}

}  // namespace

PositionCount count_positions(const PlannedRows& r) noexcept {
  PositionCount count;
  for_b_rows(r, [&](std::int64_t i, bool several, std::int64_t j) {
    const std::int64_t n = r.row_ptr[i + 1] - r.row_ptr[i];
    count.positions += r.b.length(j);
    count.longest = std::max(count.longest, n);
    if (several) count.run_longest = std::max(count.run_longest, n);
  });
  return count;
}

template <class P>
void write_positions(const PlannedRows& r, const Column* col, std::uint32_t* position_of, P* positions) {
  std::int64_t tabled = -1;  // whose columns have their positions in `position_of`
  for_b_rows(r, [&](std::int64_t i, bool, std::int64_t j) {
    if (i != tabled)
      for (std::int64_t k = r.row_ptr[i]; k < r.row_ptr[i + 1]; k++)
        position_of[col[k]] = static_cast<std::uint32_t>(k - r.row_ptr[i]);
    tabled = i;
    for (std::int64_t k = r.b.ptr[j]; k < r.b.ptr[j + 1]; k++) *positions++ = static_cast<P>(position_of[r.b.col[k]]);
  });
}
template void write_positions(const PlannedRows&, const Column*, std::uint32_t*, std::uint16_t*);
template void write_positions(const PlannedRows&, const Column*, std::uint32_t*, std::uint32_t*);

}  // namespace rowan::replay
