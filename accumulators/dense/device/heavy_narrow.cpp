// Blocks have about equal shares of products, in whole entries of A. A group of lanes takes an entry after another and
// adds its row of B, whose columns differ, to sums of its own: no atomics, no lane waits for another. Then the block
// adds up its groups' sums, and each sum goes to C once a block in place of once a product.
#include "accumulators/dense/device/heavy_narrow.hpp"

#include <algorithm>
#include <type_traits>

#include "accumulators/common/device/shape.hpp"
#include "accumulators/common/device/walk.hpp"
#include "accumulators/dense/device/bits.hpp"
#include "lib/core/values.hpp"

namespace rowan::device::inline ROWAN_BACKEND::dense {
namespace {

constexpr auto kNarrowHeavy = kShapes.narrow;
constexpr int kNarrowHeavyThreads = kNarrowHeavy.block;
constexpr int kTogether = kNarrowHeavy.entries_together;

/// What of the narrow rows' launches depends on the rows.
struct NarrowShares {
  std::int64_t products = 0, count = 0;  // of a share, about; how many
  int span = 0;
  int lanes = 0;  // of a group, that takes an entry of A

  [[nodiscard]] int groups() const { return kNarrowHeavyThreads / lanes; }
};

/// A share has so many products that what it sends to C is little; lanes are as many as rows of B are long, and so many
/// that their groups' sums, of `bytes` each, have room.
[[nodiscard]] NarrowShares narrow_shares(const HeavySizes& size, std::size_t bytes) {
  constexpr int kMostLanes = 32;
  NarrowShares s{.span = static_cast<int>(size.groups) * BitGroup::kColumns, .lanes = 8};
  s.products = std::max<std::int64_t>(kNarrowHeavy.least_share, std::int64_t{kNarrowHeavy.products_a_column} * s.span);
  s.count = (size.products + s.products - 1) / s.products;
  const auto room = [&] { return static_cast<std::size_t>(s.groups() * s.span) * bytes <= kNarrowHeavy.shared_bytes; };
  while (s.lanes < kMostLanes && (s.lanes * size.entries < size.products || !room())) s.lanes *= 2;
  return s;
}

/// Calls take(column among the row's, product) for all products of the block's share. A group of kLanes takes an entry
/// of A after another, whose columns differ; its wave passes between two of them. Before a row's products the block
/// calls begin(), behind them end(the row's number), and passes a barrier behind both.
template <int kLanes, class V, class Begin, class Take, class End>
__device__ void walk_narrow(const HeavyRows& heavy, std::int64_t share, const Column* b_col, const V* a_val,
                            const V* b_val, const Begin& begin, const Take& take, const End& end) {
  constexpr bool kValues = !std::is_same_v<V, NoValue>;
  ROWAN_SHARED(std::int64_t, ends, 2);
  const int width = simt::wave_width(), wave = static_cast<int>(threadIdx.x) / width;
  const SharedProducts all = heavy.products();
  if (wave < 2) {
    const std::int64_t products = (static_cast<std::int64_t>(blockIdx.x) + wave) * share;
    std::int64_t found = all.entries;
    if (products < all.products) {
      found = entry_with(all, products);
      if (all.before[found] < products) found++;
    }
    if (simt::lane() == 0) ends[wave] = found;
  }
  __syncthreads();
  const Mask mask = simt::wave_mask();
  const int l = simt::lane() & (kLanes - 1);
  const std::int64_t last = ends[1];
  for (std::int64_t first = ends[0]; first < last;) {
    const std::int32_t owner = heavy.owner[first];
    const std::int64_t next =
        first + 1 + last_part(last - first, [&](std::int64_t e) { return heavy.owner[first + e] == owner; });
    const Column lo = heavy.row[owner].lo;
    begin();
    __syncthreads();
    for (std::int64_t base = first + wave * width; base < next; base += kNarrowHeavyThreads) {
      std::int64_t from = 0;
      int n = 0;
      V x{};
      if (const std::int64_t e = base + simt::lane(); e < next) {
        const HeavyEntry entry = heavy.entry[e];
        from = entry.from, n = all.before[e + 1] - all.before[e];
        if constexpr (kValues) x = a_val[entry.at];
      }
      for (int k = 0; k < kLanes && base + k < next; k += kTogether) {
        Held<std::int64_t, kTogether> at{};
        Held<int, kTogether> length{};
        Held<Column, kTogether> column{};
        Held<V, kTogether> scale{}, value{};
        ROWAN_UNROLL
        for (int u = 0; u < kTogether; u++) {
          at[u] = simt::shuffle(mask, from, k + u, kLanes), length[u] = simt::shuffle(mask, n, k + u, kLanes);
          if constexpr (kValues) scale[u] = simt::shuffle(mask, x, k + u, kLanes);
          if (l >= length[u]) continue;
          column[u] = b_col[at[u] + l];
          if constexpr (kValues) value[u] = b_val[at[u] + l];
        }
        const auto taken = [&](Column c, V of_a, V of_b) {
          if constexpr (kValues)
            take(c - lo, of_a * of_b);
          else
            take(c - lo, NoValue{});
        };
        ROWAN_UNROLL
        for (int u = 0; u < kTogether; u++) {
          if (l < length[u]) taken(column[u], scale[u], value[u]);
          for (int i = l + kLanes; i < length[u]; i += kLanes) {
            V more{};
            if constexpr (kValues) more = b_val[at[u] + i];
            taken(b_col[at[u] + i], scale[u], more);
          }
          simt::sync_wave(mask);
        }
      }
    }
    __syncthreads();
    end(owner);
    __syncthreads();
    first = next;
  }
}

template <int kLanes>
__global__ void __launch_bounds__(kNarrowHeavyThreads)
    mark_shares(const Column* b_col, HeavyRows heavy, std::int64_t share, int words) {
  if (heavy.cancelled) return;
  simt::DynamicShared shared;
  auto* const bits = shared.take<unsigned>(words);
  const int me = static_cast<int>(threadIdx.x);
  walk_narrow<kLanes, NoValue>(
      heavy, share, b_col, nullptr, nullptr,
      [&] {
        for (int w = me; w < words; w += kNarrowHeavyThreads) bits[w] = 0;
      },
      [&](int column, NoValue) {
        if ((simt::load_relaxed(bits + column / kBits) & bit_of(column)) == 0) mark(bits, column);
      },
      [&](std::int32_t owner) {
        BitGroup* const bitmap = heavy.group + owner * heavy.size.groups;
        for (int w = me; w < words; w += kNarrowHeavyThreads) {
          unsigned* const word = bitmap[w / BitGroup::kWords].bits + w % BitGroup::kWords;
          if ((bits[w] & ~simt::load_relaxed(word)) != 0) simt::atomic_or(word, bits[w]);
        }
      });
}

template <class T, int kLanes>
__global__ void __launch_bounds__(kNarrowHeavyThreads)
    add_shares(Operand<T> a, Operand<T> b, HeavyRows heavy, std::int64_t share, int span, const std::int64_t* row_ptr,
               T* val) {
  if (heavy.cancelled) return;
  constexpr int kOwn = kNarrowHeavyThreads / kLanes;  // sums of a column
  simt::DynamicShared shared;
  auto* const sums = shared.take<T>(kOwn * span);
  const int me = static_cast<int>(threadIdx.x);
  T* const mine = sums + me / kLanes * span;
  walk_narrow<kLanes, T>(
      heavy, share, b.col, a.val, b.val,
      [&] {
        for (int k = me; k < kOwn * span; k += kNarrowHeavyThreads) sums[k] = T{0};
      },
      [&](int column, T product) { mine[column] += product; },
      [&](std::int32_t owner) {
        const BitGroup* const bitmap = heavy.group + owner * heavy.size.groups;
        T* const to = val + row_ptr[heavy.row[owner].row];
        for (int column = me; column < span; column += kNarrowHeavyThreads) {
          T sum{0};
          for (int own = 0; own < kOwn; own++) sum += sums[own * span + column];
          if (sum != T{0}) simt::atomic_add(to + rank_in(bitmap, InGroup(column)), sum);
        }
      });
}

/// Calls f(lanes) as a constant.
template <class F>
void with_lanes(int lanes, const F& f) {
  if (lanes == 8)
    f(std::integral_constant<int, 8>{});
  else if (lanes == 16)
    f(std::integral_constant<int, 16>{});
  else
    f(std::integral_constant<int, 32>{});
}

}  // namespace

void mark_narrow(const SymbolicLaunch& l) {
  const NarrowShares s = narrow_shares(l.heavy.size, 0);
  with_lanes(s.lanes, [&]<int kLanes>(std::integral_constant<int, kLanes>) {
    const int words = s.span / kBits;
    launch(
        mark_shares<kLanes>,
        {.grid = s.count, .block = kNarrowHeavyThreads, .shared = static_cast<std::size_t>(words) * sizeof(unsigned)},
        l.stream, l.b.col, l.heavy, s.products, words);
  });
}

template <class T>
bool add_narrow(const NumericLaunch<T>& l) {
  constexpr std::size_t kStatic = 64;
  const NarrowShares s = narrow_shares(l.heavy.size, sizeof(T));
  const std::size_t bytes = static_cast<std::size_t>(s.groups() * s.span) * sizeof(T);
  if (!l.extent.sorted_b || bytes + kStatic > l.device.shared_limit) return false;
  with_lanes(s.lanes, [&]<int kLanes>(std::integral_constant<int, kLanes>) {
    allow_shared(add_shares<T, kLanes>, bytes);
    launch(add_shares<T, kLanes>, {.grid = s.count, .block = kNarrowHeavyThreads, .shared = bytes}, l.stream, l.a, l.b,
           l.heavy, s.products, s.span, l.row_ptr, l.val);
  });
  return true;
}

#define ROWAN_INSTANTIATE(T) template bool add_narrow(const NumericLaunch<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan::device::inline ROWAN_BACKEND::dense
