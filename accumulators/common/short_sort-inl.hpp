// Sorts up to 256 keys that lie side by side in a few vectors: lanes are compared with lanes of the same vector, so a
// row needs no neighbour. Bitonic networks (Batcher 1968): blocks of 2, 4, 8 ... lanes are sorted, each by a step
// against the mirrored block and steps half, a quarter ... of it apart; then vectors are merged the same way. (Included
// inside foreach_target.)
#if defined(ROWAN_COMMON_SHORT_SORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_SHORT_SORT_INL
#undef ROWAN_COMMON_SHORT_SORT_INL
#else
#define ROWAN_COMMON_SHORT_SORT_INL
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// N keys, a power of two, in vectors of L lanes, 4, 8 or 16 and at most N.
template <std::size_t L, std::size_t N>
class ShortSort {
 public:
  using D = hwy::HWY_NAMESPACE::FixedTag<std::uint32_t, L>;
  using V = hwy::HWY_NAMESPACE::Vec<D>;
  static constexpr std::size_t kVectors = N / L;

  /// The keys of `Rows` rows, each in kVectors vectors. All rows take a step before any takes the next one: a step
  /// waits for the one before, and a core looks only so far ahead.
  template <std::size_t Rows = 1>
  static HWY_INLINE void sort(V* v) {
    sort_lanes<L, Rows * kVectors>(v);
    merge_vectors<1, Rows * kVectors>(v);
  }
  /// Every eight lanes by themselves.
  template <std::size_t Rows = 1>
  static HWY_INLINE void sort_eights(V* v) {
    sort_lanes<8, Rows>(v);
  }

 private:
  /// Lane i gets lane i ^ Apart: neighbours 1, 2, 4 or 8 apart, or mirrored blocks of 4, 8 or 16.
  template <std::size_t Apart>
  static HWY_INLINE V partner(V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    [[maybe_unused]] const D d;
    if constexpr (Apart == 1)
      return hn::Shuffle2301(v);
    else if constexpr (Apart == 2)
      return hn::Shuffle1032(v);
    else if constexpr (Apart == 3)
      return hn::Shuffle0123(v);
    else if constexpr (Apart == L - 1)
      return hn::Reverse(d, v);
    else if constexpr (Apart == 4)
      return hn::SwapAdjacentBlocks(v);
    else if constexpr (Apart == 7)
      return hn::SwapAdjacentBlocks(hn::Shuffle0123(v));
    else
      return hn::ConcatLowerUpper(d, v, v);
  }

  /// The lesser of two lanes goes to the lower one. `Apart` has one bit, or all below one: the highest tells which.
  template <std::size_t Apart>
  static HWY_INLINE V step(V v) {
    namespace hn = hwy::HWY_NAMESPACE;
    [[maybe_unused]] const D d;
    const V other = partner<Apart>(v), least = hn::Min(v, other), greatest = hn::Max(v, other);
    if constexpr (Apart == 1) {
      return hn::OddEven(greatest, least);
    } else if constexpr (Apart <= 3) {
      const hn::Repartition<std::uint64_t, D> pairs;
      return hn::BitCast(d, hn::OddEven(hn::BitCast(pairs, greatest), hn::BitCast(pairs, least)));
    } else if constexpr (Apart <= 7) {
      return hn::OddEvenBlocks(greatest, least);
    } else {
      return hn::ConcatUpperLower(d, greatest, least);
    }
  }

  template <std::size_t Apart, std::size_t Count>
  static HWY_INLINE void step_all(V* v) {
    for (std::size_t i = 0; i < Count; i++) v[i] = step<Apart>(v[i]);
  }

  /// Bitonic lanes of Count vectors, each by itself.
  template <std::size_t Apart, std::size_t Count>
  static HWY_INLINE void clean_lanes(V* v) {
    if constexpr (Apart > 0) step_all<Apart, Count>(v), clean_lanes<Apart / 2, Count>(v);
  }
  template <std::size_t Block, std::size_t Count>
  static HWY_INLINE void sort_lanes(V* v) {
    if constexpr (Block > 2) sort_lanes<Block / 2, Count>(v);
    step_all<Block - 1, Count>(v), clean_lanes<Block / 4, Count>(v);
  }

  static HWY_INLINE void order(V& low, V& high) {
    const V least = hwy::HWY_NAMESPACE::Min(low, high);
    high = hwy::HWY_NAMESPACE::Max(low, high), low = least;
  }
  /// Groups of Sorted vectors are sorted; pairs of groups are merged, until a row is one group.
  template <std::size_t Sorted, std::size_t Count>
  static HWY_INLINE void merge_vectors(V* v) {
    if constexpr (Sorted < kVectors) {
      for (std::size_t at = 0; at < Count; at += 2 * Sorted) {
        V mirrored[Sorted];
        for (std::size_t i = 0; i < Sorted; i++)
          mirrored[i] = hwy::HWY_NAMESPACE::Reverse(D(), v[at + 2 * Sorted - 1 - i]);
        for (std::size_t i = 0; i < Sorted; i++) v[at + Sorted + i] = mirrored[i], order(v[at + i], v[at + Sorted + i]);
      }
      for (std::size_t apart = Sorted / 2; apart > 0; apart /= 2)
        for (std::size_t i = 0; i < Count; i++)
          if ((i & apart) == 0) order(v[i], v[i + apart]);
      clean_lanes<L / 2, Count>(v);
      merge_vectors<2 * Sorted, Count>(v);
    }
  }
};

#endif

/// Sorts the first n of N keys from `from` on to `to`, which may be the same place; whatever lies behind them up to N
/// is read and written over.
template <std::size_t N>
HWY_INLINE void sort_short(const std::uint32_t* from, std::size_t n, std::uint32_t* to) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t e = 0; e < n; e++) {  // by insertion
    const std::uint32_t key = from[e];
    std::size_t at = e;
    for (; at > 0 && to[at - 1] > key; at--) to[at] = to[at - 1];
    to[at] = key;
  }
#else
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr std::size_t kLanes = HWY_MIN(HWY_MIN(HWY_LANES(std::uint32_t), 16), N);
  using Sort = ShortSort<kLanes, N>;
  const typename Sort::D d;
  typename Sort::V v[Sort::kVectors];
  for (std::size_t i = 0; i < Sort::kVectors; i++) {
    const auto valid = hn::FirstN(d, n - HWY_MIN(i * kLanes, n));
    v[i] = hn::IfThenElse(valid, hn::LoadU(d, from + i * kLanes), hn::Set(d, ~std::uint32_t{0}));
  }
  Sort::sort(v);
  for (std::size_t i = 0; i < Sort::kVectors; i++) hn::StoreU(v[i], d, to + i * kLanes);
#endif
}

/// Keys that sort_medium() takes. VQSort asks the system for random numbers in every call, 0.3 us, where 100 keys take
/// 0.1: above, what it does better is worth more than that.
inline constexpr std::size_t kMostMedium = HWY_LANES(std::uint32_t) >= 16 ? 256 : 128;

/// The same for more keys, in place: only vectors with one of the n keys are read and written. Not inlined: it is long.
template <std::size_t N>
HWY_NOINLINE void sort_medium(std::uint32_t* keys, std::size_t n) {
#if HWY_TARGET == HWY_SCALAR
  sort_short<N>(keys, n, keys);
#else
  namespace hn = hwy::HWY_NAMESPACE;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint32_t), 16);
  using Sort = ShortSort<kLanes, N>;
  const typename Sort::D d;
  typename Sort::V v[Sort::kVectors];
  const auto last = hn::Set(d, ~std::uint32_t{0});
  for (std::size_t i = 0; i < Sort::kVectors; i++) {
    const std::size_t at = i * kLanes;
    v[i] = at >= n ? last : hn::IfThenElse(hn::FirstN(d, n - at), hn::LoadU(d, keys + at), last);
  }
  Sort::sort(v);
  for (std::size_t i = 0; i * kLanes < n; i++) hn::StoreU(v[i], d, keys + i * kLanes);
#endif
}

/// Sorts n keys where they stand, more than 32; up to 64 keys from the first on are read and written.
HWY_INLINE void sort_columns(std::uint32_t* keys, std::size_t n, hwy::Sorter& sorter) {
  if (n <= 64)
    sort_short<64>(keys, n, keys);
  else if (n <= 128)
    sort_medium<128>(keys, n);
  else if (n <= kMostMedium)
    sort_medium<kMostMedium>(keys, n);
  else
    sorter(keys, n, hwy::SortAscending());
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
