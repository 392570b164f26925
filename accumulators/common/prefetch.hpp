#pragma once
// Rows of B are fetched through A's columns a few entries ahead: their addresses follow no pattern a core could guess.
// rand4: 24 -> 18 ms, mdual: 45 -> 34 ms in the first trials.
#include <hwy/cache_control.h>

#include "accumulators/candidate.hpp"
#include "lib/core/far.hpp"
#include "lib/core/pattern.hpp"

namespace rowan {

/// Whether B is far, and it is not in the first caches anyway (five prefetches an entry of A made A P of a 27-point
/// grid take 1.15 times as long).
[[nodiscard]] inline bool is_far(const Pattern& b, const Extent& rows) noexcept {
  return is_far(b) && !rows.near_b;
}

/// Prefetches the row pointer that entry k + 2 * distance of A needs, and the columns and values of B's row that entry
/// k + distance meets. Requires k + 2 * distance < nnz(A).
// Forced inline: g++ 12 takes a function of nothing but prefetches for pure and drops its calls.
template <class T>
HWY_INLINE void prefetch_followed(const Operand<T>& a, const Operand<T>& b, std::int64_t k, std::int64_t distance) {
  hwy::Prefetch(b.ptr + a.col[k + 2 * distance]);
  const std::int64_t row = b.ptr[a.col[k + distance]];
  hwy::Prefetch(b.col + row);
  hwy::Prefetch(b.val + row);
  const std::int64_t last = b.ptr[a.col[k + distance] + 1] - 1;  // short rows lie on two lines as often as on one
  hwy::Prefetch(b.col + last);
  hwy::Prefetch(b.val + last);
}
template <class T>
HWY_INLINE void prefetch_b(const Operand<T>& a, const Operand<T>& b, std::int64_t k, std::int64_t distance) {
  if (k + 2 * distance < a.nnz()) prefetch_followed(a, b, k, distance);
}

/// The same where B's columns are not read.
template <class T>
HWY_INLINE void prefetch_followed_values(const Operand<T>& a, const Operand<T>& b, std::int64_t k,
                                         std::int64_t distance) {
  hwy::Prefetch(b.ptr + a.col[k + 2 * distance]);
  const std::int64_t row = b.ptr[a.col[k + distance]], end = b.ptr[a.col[k + distance] + 1];
  hwy::Prefetch(b.val + row);
  hwy::Prefetch(b.val + end - 1);
}
template <class T>
HWY_INLINE void prefetch_b_values(const Operand<T>& a, const Operand<T>& b, std::int64_t k, std::int64_t distance) {
  if (k + 2 * distance < a.nnz()) prefetch_followed_values(a, b, k, distance);
}

HWY_INLINE void prefetch_b(const Pattern& a, const Pattern& b, std::int64_t k, std::int64_t distance) {
  if (k + 2 * distance >= a.nnz()) return;
  hwy::Prefetch(b.ptr + a.col[k + 2 * distance]);
  hwy::Prefetch(b.col + b.ptr[a.col[k + distance]]);
}

}  // namespace rowan
