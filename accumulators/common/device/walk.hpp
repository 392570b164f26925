#pragma once
// The products of one row, shared out among lanes: groups of g lanes each take
// an entry of A and walk its row of B. Rows of B that are long for their group
// would hold up the others: all lanes walk those together, in a block all
// threads.
#include "accumulators/common/device/task.hpp"
#include "lib/binning/device/runs.hpp"
#include "lib/device/simt/scope.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

struct NoValue {};

/// A group that has more steps than this to go hands its row of B to all lanes.
inline constexpr int kMostSteps = kShapes.walk.most_steps;
/// B's rows. `same`, where it is known: how each relates to the one before (lib/binning/device/runs.hpp). Walks without
/// values look at columns alone, and leave out a row whose columns the entry before has met.
struct RowsOfB {
  const std::int64_t* ptr;
  const std::uint8_t* same;
  __device__ RowsOfB(const std::int64_t* p, const std::uint8_t* s = nullptr) : ptr(p), same(s) {}
};

/// Some columns of a B whose rows are sorted, from `begin` up to `end`; without `col` all columns.
struct ColumnsOfB {
  const Column* col = nullptr;
  Column begin = 0, end = 0;

  /// Of a row's `n` entries from place `from` on, those of these columns. Both ends are searched for at the same time,
  /// as each step waits for memory.
  template <class N>
  __device__ void cut(std::int64_t& from, N& n) const {
    if (col == nullptr) return;
    const Column* const row = col + from;
    N first = 0, last = 0;
    for (N left = n; left > 0;) {
      const N half = (left + 1) / 2;
      const Column at_first = row[first + half - 1], at_last = row[last + half - 1];
      if (at_first < begin) first += half;
      if (at_last < end) last += half;
      left -= half;
    }
    from += first, n = last - first;
  }
};

/// Which batches of a row's entries are walked: from entry `first`, `take` of them, every `step`.
struct Batches {
  std::int64_t first, step;
  int take;
};

/// Calls f(place in B, A's value) for every product of the row that falls to these lanes. Lanes load a batch of A's
/// entries and where their rows of B are at once, and hand them round by shuffles: one wait for memory a batch instead
/// of one an entry. (Products, or the next batch, loaded ahead of f made hash slower: its lanes part where they insert,
/// and insert one after another then.) `leave(from, n, value)` may keep a row of B for later: then it is not walked
/// here.
template <class V, class F, class Leave>
__device__ void walk(const Lanes& lanes, const Pattern& a, const V* a_val, const RowsOfB& b, std::int64_t row,
                     int group, const Batches& batches, const F& f, const Leave& leave) {
  constexpr bool kValues = !std::is_same_v<V, NoValue>;
  const int size = lanes.size(), groups = size / group, mine = lanes.rank() / group, l = lanes.rank() & (group - 1);
  const Mask mask = simt::group_mask(size);
  const std::int64_t end = a.ptr[row + 1];
  for (std::int64_t base = a.ptr[row] + batches.first; base < end; base += batches.step) {
    std::int64_t from = 0;
    int n = 0;
    V x{};
    if (const std::int64_t k = base + lanes.rank(); k < end && lanes.rank() < batches.take) {
      const std::int64_t j = a.col[k];
      from = b.ptr[j];
      n = static_cast<int>(b.ptr[j + 1] - from);
      if constexpr (kValues) x = a_val[k];
      if constexpr (!kValues)
        if (b.same != nullptr && b.same[j] == kSameAsPrevious && k > a.ptr[row] && a.col[k - 1] == j - 1) n = 0;
      if (leave(from, n, x)) n = 0;
    }
    Mask together = 0;
    int alone = n;
    if (groups > 1) {
      const bool is_long = n > kMostSteps * group;
      together = simt::ballot(mask, is_long);
      if (is_long) alone = 0;
    }
    const int entries = end - base < batches.take ? static_cast<int>(end - base) : batches.take;
    for (int e = 0; e < entries; e += groups) {
      const std::int64_t row_from = simt::shuffle(mask, from, e + mine, size);
      const int row_n = simt::shuffle(mask, alone, e + mine, size);
      V scale{};
      if constexpr (kValues) scale = simt::shuffle(mask, x, e + mine, size);
      for (int i = l; i < row_n; i += group) f(row_from + i, scale);
    }
    for (; together != 0; together &= together - 1) {
      const int owner = simt::lowest(together);
      const std::int64_t row_from = simt::shuffle(mask, from, owner, size);
      const int row_n = simt::shuffle(mask, n, owner, size);
      V scale{};
      if constexpr (kValues) scale = simt::shuffle(mask, x, owner, size);
      for (int i = lanes.rank(); i < row_n; i += size) f(row_from + i, scale);
    }
  }
}

/// All batches of a row, for lanes that have it to themselves.
template <class V, class F>
__device__ void walk(const Lanes& lanes, const Pattern& a, const V* a_val, const RowsOfB& b, std::int64_t row,
                     int group, const F& f) {
  walk(lanes, a, a_val, b, row, group, {0, lanes.size(), lanes.size()}, f, [](std::int64_t, int, V) { return false; });
}

/// Calls add(column, product) for every product of the row, the rows of B one after another, each by all lanes
/// together: nothing is added to one place at the same time. Columns of a row of B differ. Products of kWalkedAhead
/// rows of B are on their way at a time: each row's wait for memory after the other's was most of a row's time.
inline constexpr int kWalkedAhead = kShapes.walk.ahead;
template <class T, class F>
__device__ void walk_row_by_row(const Lanes& lanes, const Operand<T>& a, const Operand<T>& b, std::int64_t row,
                                const F& add) {
  const int size = lanes.size(), l = lanes.rank();
  const Mask mask = simt::group_mask(size);
  const std::int64_t end = a.ptr[row + 1];
  for (std::int64_t base = a.ptr[row]; base < end; base += size) {
    std::int64_t from = 0;
    int n = 0;
    T x{};
    if (const std::int64_t k = base + l; k < end) {
      const std::int64_t j = a.col[k];
      from = b.ptr[j];
      n = static_cast<int>(b.ptr[j + 1] - from);
      x = a.val[k];
    }
    const int entries = end - base < size ? static_cast<int>(end - base) : size;
    for (int first = 0; first < entries; first += kWalkedAhead) {
      Held<std::int64_t, kWalkedAhead> row_from{};
      Held<int, kWalkedAhead> row_n{};
      Held<T, kWalkedAhead> scale{}, product{};
      Held<Column, kWalkedAhead> column{};
      ROWAN_UNROLL
      for (int t = 0; t < kWalkedAhead; t++) {
        const int e = first + t < size ? first + t : size - 1;
        row_from[t] = simt::shuffle(mask, from, e, size);
        row_n[t] = simt::shuffle(mask, n, e, size);
        scale[t] = simt::shuffle(mask, x, e, size);
        if (first + t >= entries) row_n[t] = 0;
        if (l < row_n[t]) column[t] = b.col[row_from[t] + l], product[t] = scale[t] * b.val[row_from[t] + l];
      }
      ROWAN_UNROLL
      for (int t = 0; t < kWalkedAhead; t++) {
        if (l < row_n[t]) add(column[t], product[t]);
        for (int i = l + size; i < row_n[t]; i += size) add(b.col[row_from[t] + i], scale[t] * b.val[row_from[t] + i]);
        lanes.sync();
      }
    }
  }
}

/// A row of B that all threads of the block walk together.
template <class V>
struct LateRow {
  std::int64_t from;
  V scale;
  int n;
};
inline constexpr int kMostLate = kShapes.walk.most_late;  // that a block remembers; more are walked as they come

/// All products of a row that a block has: A's entries are shared out evenly among its waves. Between two calls the
/// block must pass a barrier.
template <class V, class F>
__device__ void walk_in_block(const Pattern& a, const V* a_val, const RowsOfB& b, std::int64_t row, int group,
                              const F& f) {
  ROWAN_SHARED(LateRow<V>, late, kMostLate);
  ROWAN_SHARED(int, late_rows, 1);
  if (threadIdx.x == 0) late_rows[0] = 0;
  __syncthreads();
  const int width = simt::wave_width(), threads = static_cast<int>(blockDim.x), waves = threads / width;
  const Lanes wave(width);
  const std::int64_t each = (a.length(row) + waves - 1) / waves;
  const int take = static_cast<int>(each < width ? each : width);
  while (group < width && width / group > take) group *= 2;  // no group without an entry
  const std::int64_t first = static_cast<std::int64_t>(threadIdx.x) / width * take;
  walk(wave, a, a_val, b, row, group, {first, static_cast<std::int64_t>(waves) * take, take}, f,
       [&](std::int64_t from, int n, V scale) {
         if (n <= kMostSteps * width || waves == 1) return false;
         const int at = simt::atomic_add(late_rows, 1);
         if (at >= kMostLate) return false;
         late[at].from = from, late[at].scale = scale, late[at].n = n;
         return true;
       });
  __syncthreads();
  const int count = late_rows[0] < kMostLate ? late_rows[0] : kMostLate;
  for (int k = 0; k < count; k++) {
    const LateRow<V> one = late[k];
    for (int i = static_cast<int>(threadIdx.x); i < one.n; i += threads) f(one.from + i, one.scale);
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND
