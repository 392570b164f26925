#pragma once
// One short row in the registers of a group of lanes: its columns' heads, its sums.
#include "accumulators/common/device/gather.hpp"
#include "accumulators/sort/device/network.hpp"
#include "accumulators/sort/device/table.hpp"
#include "lib/device/runtime/shapes.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND::sort {

/// How networks are written where a kernel has one of each size (sort_in_registers).
inline constexpr bool kRolled = true;
inline constexpr unsigned kBehindAll = ~0U;  // a key behind all others

template <class T>
struct ColumnAndProduct {
  unsigned column;  // from the row's first
  T product;
};

/// The entries of row `row` of A; `row` < 0: none.
struct EntriesOfA {
  std::int64_t base = 0, end = 0;
  __device__ EntriesOfA(const Pattern& a, std::int64_t row) {
    if (row >= 0) base = a.ptr[row], end = a.ptr[row + 1];
  }
};

/// Bit t: the lane's place t begins a new column. `column(t)` is rising over the group's places; `n` of them count.
template <int kLanes, int kKeys, class F>
__device__ unsigned heads(int n, const F& column) {
  const int l = simt::lane() & (kLanes - 1), first = l * kKeys;
  unsigned left = simt::shuffle_up(simt::wave_mask(), column(kKeys - 1), 1, kLanes), found = 0;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const bool head = first + t < n && (first + t == 0 || column(t) != left);
    left = column(t);
    found |= (head ? 1U : 0U) << t;
  }
  return found;
}

/// A lane's part of how many different columns [0, n) of `columns` are, by a network: how many begin in the lane once
/// they are sorted.
template <int kLanes, int kKeys>
__device__ int count_by_network(const unsigned* columns, int n) {
  const int l = simt::lane() & (kLanes - 1);
  Held<unsigned, kKeys> key;
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) {
    const int p = t * kLanes + l;
    key[t] = p < n ? columns[p] : kBehindAll;
  }
  sort_in_registers<kLanes, kKeys, kRolled>(key);
  return __popc(heads<kLanes, kKeys>(n, [&](int t) { return key[t]; }));
}

/// A lane's part of how many different columns the row with `n` products has, whose entries of A are [base, end). The
/// group's in shared memory: `columns`, room for those of all products, and `places`, table_fours() of them.
template <int kLanes, int kKeys>
__device__ int distinct_columns(const Pattern& a, const Pattern& b, std::int64_t base, std::int64_t end, int n,
                                unsigned* columns, FourPlaces* places) {
  constexpr int kFours = table_fours(kLanes, kKeys);
  const Mask wave = simt::wave_mask();
  ROWAN_UNROLL
  for (int k = 0; k < kFours; k += kLanes)
    places[k + (simt::lane() & (kLanes - 1))] = {{kNoKey, kNoKey, kNoKey, kNoKey}};
  gather<kLanes, kShapes.sort.ahead, NoValue>(
      a.col, nullptr, b.ptr, base, end, [&](std::int64_t at, NoValue) { return static_cast<unsigned>(b.col[at]); },
      [&](int p, unsigned column) { columns[p] = column; });
  simt::sync_wave(wave);
  if constexpr (kFours != 0)
    return count_by_table<kLanes, kKeys>(columns, n, places);
  else
    return count_by_network<kLanes, kKeys>(columns, n);
}

/// A lane's last running sum goes on in the next lane where that does not begin with a new column; a chain of lanes
/// without any takes as many rounds. Returns what the lane's first products are added to. `sums`: the lane's products,
/// `head`: its heads, `n` products in all.
template <int kLanes, int kKeys, class T>
__device__ T carried(const Held<T, kKeys>& product, unsigned head, int n) {
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  T last{0};
  ROWAN_UNROLL
  for (int t = 0; t < kKeys; t++) last = ((head >> t & 1U) != 0 ? T{0} : last) + product[t];
  bool known = head != 0 || l * kKeys >= n;
  while (true) {
    const T left = simt::shuffle_up(wave, last, 1, kLanes);
    const int left_known = simt::shuffle_up(wave, known ? 1 : 0, 1, kLanes);
    if (simt::ballot(wave, !known) == 0) return left;
    if (known || left_known == 0) continue;
    last = left;
    ROWAN_UNROLL
    for (int t = 0; t < kKeys; t++) last += l * kKeys + t < n ? product[t] : T{0};
    known = true;
  }
}

}  // namespace rowan::device::inline ROWAN_BACKEND::sort
