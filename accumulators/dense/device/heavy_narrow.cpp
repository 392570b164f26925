// Blocks have about equal shares of products, in whole entries of A, and their waves equal parts of these. A group of
// lanes adds a piece of a row of B after another, whose columns differ, to sums of its own: no atomics, no lane waits
// for another. Then the block adds up its groups' sums, and each sum goes to C once a block in place of once a product.
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
constexpr int kTogether = kNarrowHeavy.pieces_together;

/// What of the narrow rows' launches depends on the rows.
struct NarrowShares {
  std::int64_t products = 0, count = 0;  // of a share, about; how many
  int span = 0;
  int lanes = 0;  // of a group, that takes an entry of A

  /// Shared memory of all groups' sums, of `bytes` each.
  [[nodiscard]] std::size_t bytes_of_sums(std::size_t bytes) const {
    return static_cast<std::size_t>(kNarrowHeavyThreads / lanes * span) * bytes;
  }
};

/// Lanes are as many as rows of B are long, and so many that their groups' sums, of `bytes` each, fit. All blocks run
/// at a time, or in a few equal rounds (295 of 528 that could run: 93 us for 69), but with shares so large that what
/// they send to C is little.
[[nodiscard]] NarrowShares narrow_shares(const HeavySizes& size, std::size_t bytes, const Info& device) {
  NarrowShares s{.span = static_cast<int>(size.groups) * BitGroup::kColumns, .lanes = 8};
  while (s.lanes < kMostGroupLanes &&
         (s.lanes * size.entries < size.products || s.bytes_of_sums(bytes) > kNarrowHeavy.shared_bytes))
    s.lanes *= 2;
  const auto room = static_cast<std::int64_t>(device.shared_limit / (s.bytes_of_sums(bytes) + kNarrowBlockShared));
  const std::int64_t blocks =
      device.multiprocessors * std::clamp<std::int64_t>(room, 1, kNarrowHeavy.blocks_a_multiprocessor);
  const std::int64_t rounds =
      (size.products + kNarrowHeavy.most_share * blocks - 1) / (kNarrowHeavy.most_share * blocks);
  s.products = std::max({kNarrowHeavy.least_share.value, std::int64_t{kNarrowHeavy.products_a_column} * s.span,
                         (size.products + rounds * blocks - 1) / (rounds * blocks)});
  s.count = (size.products + s.products - 1) / s.products;
  return s;
}

/// An entry of A that a lane has: where its row of B begins, how long that is, and A's value.
template <class V>
struct NarrowEntry {
  std::int64_t from = 0;
  int n = 0;
  V x = {};
};

/// Calls take(column, product) for the products of entries [first, last), all lanes of the wave together. Rows of B are
/// cut into pieces of kLanes products, of which a group of as many lanes takes one after another: kTogether of them are
/// loaded before any is added, whatever rows they are of, and so are the next entries. A piece's columns differ; the
/// wave passes behind each.
template <int kLanes, class V, class Take>
__device__ void walk_pieces(const HeavyRows& heavy, std::int64_t first, std::int64_t last, const Column* b_col,
                            const V* a_val, const V* b_val, const Take& take) {
  constexpr bool kValues = !std::is_same_v<V, NoValue>;
  const Mask wave = simt::wave_mask();
  const int width = simt::wave_width(), mine = simt::lane() & (kLanes - 1), group = simt::lane() - mine;
  const auto load = [&](std::int64_t e) {
    NarrowEntry<V> found;
    if (e >= last) return found;
    const HeavyEntry entry = heavy.entry[e];
    found.from = entry.from, found.n = heavy.before[e + 1] - heavy.before[e];
    if constexpr (kValues) found.x = a_val[entry.at];
    return found;
  };
  NarrowEntry<V> next = load(first + simt::lane());
  for (std::int64_t base = first; base < last; base += width) {
    const NarrowEntry<V> own = next;
    next = load(base + width + simt::lane());
    const int pieces = (own.n + kLanes - 1) / kLanes;
    const int upto = simt::inclusive_sum(wave, pieces, kLanes), all = simt::shuffle(wave, upto, kLanes - 1, kLanes);
    // a product's place among the group's pieces, counted as if all were full
    const int begin = (upto - pieces) * kLanes, end = begin + own.n;
    const std::int64_t from = own.from - begin;
    for (int piece = 0; simt::ballot(wave, piece < all) != 0; piece += kTogether) {
      Held<bool, kTogether> has{};
      Held<Column, kTogether> column{};
      Held<V, kTogether> scale{}, value{};
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        const Mask before = simt::ballot(wave, upto <= piece + u) >> group & ((Mask{1} << (kLanes - 1)) - 1);
        const int k = simt::popcount(before);  // the entry that has the piece; the last one where none has
        const int place = (piece + u) * kLanes + mine;
        const std::int64_t at = simt::shuffle(wave, from, k, kLanes) + place;
        has[u] = place < simt::shuffle(wave, end, k, kLanes);
        if constexpr (kValues) scale[u] = simt::shuffle(wave, own.x, k, kLanes);
        if (!has[u]) continue;
        column[u] = b_col[at];
        if constexpr (kValues) value[u] = b_val[at];
      }
      ROWAN_UNROLL
      for (int u = 0; u < kTogether; u++) {
        if (has[u]) {
          if constexpr (kValues)
            take(column[u], scale[u] * value[u]);
          else
            take(column[u], NoValue{});
        }
        simt::sync_wave(wave);
      }
    }
  }
}

/// Calls take(column among the row's, product) for all products of the block's share. The entries of a row are cut once
/// more, a part of about as many products for each wave. Before a row's products the block calls begin(), behind them
/// end(the row's number), and passes a barrier behind both.
template <int kLanes, class V, class Begin, class Take, class End>
__device__ void walk_narrow(const HeavyRows& heavy, std::int64_t share, const Column* b_col, const V* a_val,
                            const V* b_val, const Begin& begin, const Take& take, const End& end) {
  ROWAN_SHARED(std::int64_t, ends, 2);
  ROWAN_SHARED(std::int64_t, parts, WholeBlock::kMostWaves + 1);
  const int wave = static_cast<int>(threadIdx.x) / simt::wave_width(), waves = kNarrowHeavyThreads / simt::wave_width();
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
  const std::int64_t last = ends[1];
  for (std::int64_t first = ends[0]; first < last;) {
    const std::int32_t owner = heavy.owner[first];
    const std::int64_t next =
        first + 1 + last_part(last - first, [&](std::int64_t e) { return heavy.owner[first + e] == owner; });
    const Column lo = heavy.row[owner].lo;
    begin();
    const std::int64_t before = all.before[first], products = all.before[next] - before,
                       until = before + products * wave / waves;
    const std::int64_t part =
        wave == 0 ? 0 : last_part(next - first, [&](std::int64_t e) { return all.before[first + e] <= until; });
    if (simt::lane() == 0) parts[wave] = first + part;
    if (threadIdx.x == 0) parts[waves] = next;
    __syncthreads();
    walk_pieces<kLanes, V>(heavy, parts[wave], parts[wave + 1], b_col, a_val, b_val,
                           [&](Column column, V product) { take(column - lo, product); });
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
  const NarrowShares s = narrow_shares(l.heavy.size, 0, l.device);
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
  if (!l.extent.sorted_b) return false;
  const NarrowShares s = narrow_shares(l.heavy.size, sizeof(T), l.device);
  const std::size_t bytes = s.bytes_of_sums(sizeof(T));
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
