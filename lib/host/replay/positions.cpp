#include "accumulators/common/equal_rows.hpp"
#include "lib/host/replay/kernels.hpp"

namespace rowan::replay {
namespace {

/// Calls f(first of the rows, whether they are several, row of B) for each row of B whose places are written down.
template <class F>
void for_b_rows(const Rows& r, const F& f) {
  for (std::int64_t i = r.first; i < r.last;) {
    if (in_shifts(r.rows[i])) {
      i++;
      continue;
    }
    const std::int64_t end = end_of_run(r, i), last = r.a.ptr[i + 1];
    const bool several = end - i > 1;
    for (std::int64_t e = r.a.ptr[i]; e < last;) {
      f(i, several, std::int64_t{r.a.col[e]});
      e += several && r.sorted_b ? dense::equal_rows(r.a, r.b_run, e, last) : 1;
    }
    i = end;
  }
}

}  // namespace

PlaceCount count_places(const Rows& r) noexcept {
  PlaceCount count;
  for_b_rows(r, [&](std::int64_t i, bool several, std::int64_t j) {
    const std::int64_t n = r.row_ptr[i + 1] - r.row_ptr[i];
    count.places += r.b.length(j);
    count.longest = std::max(count.longest, n);
    if (several) count.run_longest = std::max(count.run_longest, n);
  });
  return count;
}

template <class P>
void write_places(const Rows& r, const Column* col, std::uint32_t* slot, P* places) {
  std::int64_t slotted = -1;  // whose columns have their places in `slot`
  for_b_rows(r, [&](std::int64_t i, bool, std::int64_t j) {
    if (i != slotted)
      for (std::int64_t k = r.row_ptr[i]; k < r.row_ptr[i + 1]; k++)
        slot[col[k]] = static_cast<std::uint32_t>(k - r.row_ptr[i]);
    slotted = i;
    for (std::int64_t k = r.b.ptr[j]; k < r.b.ptr[j + 1]; k++) *places++ = static_cast<P>(slot[r.b.col[k]]);
  });
}
template void write_places(const Rows&, const std::int32_t*, std::uint32_t*, std::uint16_t*);
template void write_places(const Rows&, const std::int32_t*, std::uint32_t*, std::uint32_t*);

}  // namespace rowan::replay
