#pragma once
// The products of one row that a whole block has, its entries of A staged in shared memory: one wait for memory finds
// out where the rows of B of as many entries as there are threads are, any number of threads can take one of them, and
// threads have several loads on their way. In walk.hpp each wave finds out by itself, for 32 or 64 entries, and loads
// one product at a time.
#include "accumulators/common/device/walk.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Some entries of a row of A, an entry a thread, and their rows of B. In shared memory.
template <class V, int kThreads>
struct StagedEntries {
  Held<std::int64_t, kThreads> from;   // where the entry's row of B begins in B
  Held<V, kThreads> scale;             // A's value, where walks have values
  Held<std::int32_t, kThreads> n;      // of that row; negative: it is among the late ones
  Held<std::uint16_t, kThreads> late;  // entries whose rows of B all threads walk together
  Held<int, 2> late_count;             // of this part of the row, and of the next
};

inline constexpr int kAhead = kShapes.walk.ahead;  // loads of a thread that are on their way together

/// use(load(place in B), scale) for entries `first`, `first + step` ... of a row of B: loads go ahead of uses.
template <class V, class Load, class Use>
__device__ void walk_part(std::int64_t from, int n, int first, int step, V scale, const Load& load, const Use& use) {
  for (int i = first; i < n; i += kAhead * step) {
    Held<decltype(load(from)), kAhead> loaded{};
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++)
      if (i + u * step < n) loaded[u] = load(from + i + u * step);
    ROWAN_UNROLL
    for (int u = 0; u < kAhead; u++)
      if (i + u * step < n) use(loaded[u], scale);
  }
}

/// Calls use(load(place in B), A's value) for every product of the row, in any order. Without `a_val` columns alone are
/// looked at, and a row of B that is known to be the same as the one before is left out. Teams of `group` threads, more
/// where there are more teams than entries, take an entry each; rows of B that are long for a team are walked at the
/// end of their part, in pieces that waves take in turn, whichever rows they are of: row by row by all threads, each
/// row was a wait for memory. Products outside `columns` are left out. Afterwards the block must pass a barrier.
template <class V, int kThreads, class Load, class Use>
__device__ void walk_staged(StagedEntries<V, kThreads>& staged, const Pattern& a, const V* a_val, const RowsOfB& b,
                            const ColumnsOfB& columns, std::int64_t row, int group, const Load& load, const Use& use) {
  const int me = static_cast<int>(threadIdx.x);
  const std::int64_t begin = a.ptr[row], end = a.ptr[row + 1];
  const auto scale_of = [&](int e) { return a_val != nullptr ? staged.scale[e] : V{}; };
  if (me == 0) staged.late_count[0] = 0;
  __syncthreads();
  int part = 0;  // counts parts modulo 2: a counter is cleared while the other is in use
  for (std::int64_t base = begin; base < end; base += kThreads, part ^= 1) {
    const int entries = end - base < kThreads ? static_cast<int>(end - base) : kThreads;
    int team = group;
    while (team < kThreads && kThreads / team > entries) team *= 2;
    if (me < entries) {
      const std::int64_t k = base + me, j = a.col[k];
      std::int64_t from = b.ptr[j];
      int n = static_cast<int>(b.ptr[j + 1] - from);
      if (a_val != nullptr)
        staged.scale[me] = a_val[k];
      else if (b.same != nullptr && b.same[j] == kSameAsPrevious && k > begin && a.col[k - 1] == j - 1)
        n = 0;
      columns.cut(from, n);
      if (team < kThreads && n > kMostSteps * team) {
        staged.late[simt::atomic_add(&staged.late_count[part], 1)] = static_cast<std::uint16_t>(me);
        n = -n;
      }
      staged.from[me] = from, staged.n[me] = n;
    }
    __syncthreads();
    if (me == 0) staged.late_count[part ^ 1] = 0;
    for (int e = me / team; e < entries; e += kThreads / team)
      walk_part(staged.from[e], staged.n[e], me & (team - 1), team, scale_of(e), load, use);
    const int late = staged.late_count[part], width = simt::wave_width(), waves = kThreads / width;
    int next = me / width;  // the wave's next piece, counted from the first of the row at hand
    for (int k = 0; k < late; k++) {
      const int e = staged.late[k], n = -staged.n[e], piece = kAhead * width, pieces = (n + piece - 1) / piece;
      for (; next < pieces; next += waves) {
        const int upto = (next + 1) * piece < n ? (next + 1) * piece : n;
        walk_part(staged.from[e], upto, next * piece + simt::lane(), width, scale_of(e), load, use);
      }
      next -= pieces;
    }
    __syncthreads();
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
