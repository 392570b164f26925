#pragma once
// The products of a short row, shared out one by one among a group of lanes.
#include "accumulators/common/device/walk.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A lane's row of B.
template <class V>
struct RowOfLane {
  std::int64_t from;
  int n;
  V x;  // A's value
};

/// Calls load(place in B, A's value) for every product of the row whose entries of A are [base, end), and take(whether
/// there is one, position, what that gave) by all lanes of the wave together, positions rising in the textbook's order.
/// Lanes take an entry of A each and find by its running sum of products whose the next position is, so that every lane
/// has a product whatever the lengths of B's rows. A lane loads `kAhead` products before it takes them. Of `shares`
/// groups that have the row together each takes its share, and positions are none: batches of A's entries in turn where
/// there are enough of them, else products of every batch. `kBatches`: rows of many batches, of which the next is on
/// its way while one is taken (a row of 969 entries had a wave wait 31 times for three loads that depend on each
/// other).
template <int kLanes, int kAhead, bool kBatches = false, class V, class Load, class Take>
__device__ void gather_together(const Column* a_col, const V* a_val, const std::int64_t* b_ptr, std::int64_t base,
                                std::int64_t end, const Load& load, const Take& take, int share = 0, int shares = 1) {
  constexpr bool kValues = !std::is_same_v<V, NoValue>;
  constexpr Column kNoEntry = -1;
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  const bool by_batch = end - base > std::int64_t{shares} * kLanes;
  const int first_of_share = by_batch ? 0 : share * kLanes * kAhead, step_of_share = by_batch ? 1 : shares;
  if (by_batch) base += std::int64_t{share} * kLanes;
  const std::int64_t step_of_base = std::int64_t{by_batch ? shares : 1} * kLanes;
  const auto entry = [&](std::int64_t k) { return k < end ? a_col[k] : kNoEntry; };
  const auto enter = [&](std::int64_t k, Column j) {
    RowOfLane<V> r{};
    if (j == kNoEntry) return r;
    r.from = b_ptr[j];
    r.n = static_cast<int>(b_ptr[j + 1] - r.from);
    if constexpr (kValues) r.x = a_val[k];
    return r;
  };
  Column behind{};
  RowOfLane<V> next{};
  if constexpr (kBatches) {
    next = enter(base + l, entry(base + l));
    behind = entry(base + step_of_base + l);
  }
  for (int before = 0; simt::ballot(wave, base < end) != 0; base += step_of_base) {
    RowOfLane<V> row = next;
    if constexpr (kBatches) {
      next = enter(base + step_of_base + l, behind);
      behind = entry(base + 2 * step_of_base + l);
    } else {
      row = enter(base + l, entry(base + l));
    }
    auto [from, n, x] = row;
    const int upto = simt::inclusive_sum(wave, n, kLanes), all = simt::shuffle(wave, upto, kLanes - 1, kLanes);
    from -= upto - n;  // where the batch's first product would be if it were of this row of B
    for (int first = first_of_share; simt::ballot(wave, first < all) != 0; first += step_of_share * kLanes * kAhead) {
      Held<decltype(load(from, x)), kAhead> loaded{};
      ROWAN_UNROLL
      for (int t = 0; t < kAhead; t++) {
        const int q = first + t * kLanes + l;
        int owner = 0;
        ROWAN_UNROLL
        for (int step = kLanes / 2; step > 0; step /= 2)
          if (simt::shuffle(wave, upto, owner + step - 1, kLanes) <= q) owner += step;
        const std::int64_t at = simt::shuffle(wave, from, owner, kLanes) + q;
        V scale{};
        if constexpr (kValues) scale = simt::shuffle(wave, x, owner, kLanes);
        if (q < all) loaded[t] = load(at, scale);
      }
      ROWAN_UNROLL
      for (int t = 0; t < kAhead; t++) {
        const int q = first + t * kLanes + l;
        take(q < all, before + q, loaded[t]);
      }
    }
    before += all;
  }
}

/// The same, store(position, what that gave) being called where there is a product.
template <int kLanes, int kAhead, class V, class Load, class Store>
__device__ void gather(const Column* a_col, const V* a_val, const std::int64_t* b_ptr, std::int64_t base,
                       std::int64_t end, const Load& load, const Store& store) {
  gather_together<kLanes, kAhead, false>(a_col, a_val, b_ptr, base, end, load,
                                         [&](bool has, int position, const auto& made) {
                                           if (has) store(position, made);
                                         });
}

}  // namespace rowan::device::inline ROWAN_BACKEND
