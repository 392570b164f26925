#include "accumulators/common/equal_rows.hpp"
#include "lib/host/replay/kernels.hpp"

namespace rowan::replay {
namespace {

/// f(first row, whether they are several) for the rows that are multiplied together and no shift run.
template <class F>
void for_runs(const PlannedRows& r, const F& f) {
  for (std::int64_t i = r.first; i < r.last;) {
    if (in_shifts(r.rows[i])) {
      i++;
      continue;
    }
    const std::int64_t end = end_of_run(r, i);
    f(i, end - i > 1);
    i = end;
  }
}

/// f(row of B) for each whose positions are written down.
template <class F>
void for_b_rows(const PlannedRows& r, std::int64_t i, bool several, const F& f) {
  const std::int64_t last = r.a.ptr[i + 1];
  for (std::int64_t e = r.a.ptr[i]; e < last;) {
    f(std::int64_t{r.a.col[e]});
    e += several && r.sorted_b ? equal_rows(r.a, r.b_run, e, last) : 1;
  }
}

}  // namespace

PositionCount count_positions(const PlannedRows& r) noexcept {
  PositionCount count;
  for_runs(r, [&](std::int64_t i, bool several) {
    if (!several && masked(r, i)) {
      count.mask_bytes += masked_bytes(r, i);
      return;
    }
    const std::int64_t n = r.row_ptr[i + 1] - r.row_ptr[i];
    for_b_rows(r, i, several, [&](std::int64_t j) { count.positions += r.b.length(j); });
    count.longest = std::max(count.longest, n);
    if (several) {
      count.run_longest = std::max(count.run_longest, n);
      count.run_a_longest = std::max<std::int64_t>(count.run_a_longest, r.a.length(i));
    }
  });
  return count;
}

template <class P>
void write_positions(const PlannedRows& r, const Column* col, std::uint32_t* position_of, P* positions) {
  for_runs(r, [&](std::int64_t i, bool several) {
    const std::int64_t begin = r.row_ptr[i], n = r.row_ptr[i + 1] - begin;
    for (std::int64_t k = 0; k < n; k++) position_of[col[begin + k]] = static_cast<std::uint32_t>(k);
    if (!several && masked(r, i)) {
      write_masks(r.a, r.b, i, n, position_of, reinterpret_cast<std::byte*>(positions));
      positions += masked_bytes(r, i) / static_cast<std::int64_t>(sizeof(P));
      return;
    }
    for_b_rows(r, i, several, [&](std::int64_t j) {
      for (std::int64_t k = r.b.ptr[j]; k < r.b.ptr[j + 1]; k++) *positions++ = static_cast<P>(position_of[r.b.col[k]]);
    });
  });
}
template void write_positions(const PlannedRows&, const Column*, std::uint32_t*, std::uint16_t*);
template void write_positions(const PlannedRows&, const Column*, std::uint32_t*, std::uint32_t*);

}  // namespace rowan::replay
