#pragma once
// The products of a short row, shared out one by one among a group of lanes.
#include "accumulators/common/device/walk.hpp"
#include "lib/device/simt/simt.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// Calls load(place in B, A's value) for every product of the row whose entries of A are [base, end), and take(whether
/// there is one, position, what that gave) by all lanes of the wave together, positions rising in the textbook's order.
/// Lanes take an entry of A each and find by its running sum of products whose the next position is, so that every lane
/// has a product whatever the lengths of B's rows. A lane loads `kAhead` products before it takes them. Of `shares`
/// groups that have the row together each takes its share, and positions are none: batches of A's entries in turn where
/// there are enough of them, else products of every batch.
template <int kLanes, int kAhead, class V, class Load, class Take>
__device__ void gather_together(const Column* a_col, const V* a_val, const std::int64_t* b_ptr, std::int64_t base,
                                std::int64_t end, const Load& load, const Take& take, int share = 0, int shares = 1) {
  constexpr bool kValues = !std::is_same_v<V, NoValue>;
  const Mask wave = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  const bool by_batch = end - base > std::int64_t{shares} * kLanes;
  const int first_of_share = by_batch ? 0 : share * kLanes * kAhead, step_of_share = by_batch ? 1 : shares;
  if (by_batch) base += std::int64_t{share} * kLanes;
  const std::int64_t step_of_base = std::int64_t{by_batch ? shares : 1} * kLanes;
  for (int before = 0; simt::ballot(wave, base < end) != 0; base += step_of_base) {
    std::int64_t from = 0;
    int n = 0;
    V x{};
    if (const std::int64_t k = base + l; k < end) {
      const std::int64_t j = a_col[k];
      from = b_ptr[j];
      n = static_cast<int>(b_ptr[j + 1] - from);
      if constexpr (kValues) x = a_val[k];
    }
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
  gather_together<kLanes, kAhead>(a_col, a_val, b_ptr, base, end, load, [&](bool has, int position, const auto& made) {
    if (has) store(position, made);
  });
}

}  // namespace rowan::device::inline ROWAN_BACKEND
