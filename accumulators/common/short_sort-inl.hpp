// Sorts up to 64 keys that lie side by side in a few vectors: lanes are compared with lanes of the same vector, so a
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

  static HWY_INLINE void sort(V* v) { sort_vectors<kVectors>(v); }
  /// Every eight lanes by themselves.
  static HWY_INLINE V sort_eights(V v) { return sort_lanes<8>(v); }

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

  /// Bitonic lanes of one vector.
  template <std::size_t Apart>
  static HWY_INLINE V clean_lanes(V v) {
    if constexpr (Apart == 0)
      return v;
    else
      return clean_lanes<Apart / 2>(step<Apart>(v));
  }
  template <std::size_t Block>
  static HWY_INLINE V sort_lanes(V v) {
    if constexpr (Block > 2) v = sort_lanes<Block / 2>(v);
    return clean_lanes<Block / 4>(step<Block - 1>(v));
  }

  static HWY_INLINE void order(V& low, V& high) {
    const V least = hwy::HWY_NAMESPACE::Min(low, high);
    high = hwy::HWY_NAMESPACE::Max(low, high), low = least;
  }
  template <std::size_t Vectors>
  static HWY_INLINE void clean_vectors(V* v) {
    if constexpr (Vectors == 1) {
      v[0] = clean_lanes<L / 2>(v[0]);
    } else {
      for (std::size_t i = 0; i < Vectors / 2; i++) order(v[i], v[Vectors / 2 + i]);
      clean_vectors<Vectors / 2>(v), clean_vectors<Vectors / 2>(v + Vectors / 2);
    }
  }
  template <std::size_t Vectors>
  static HWY_INLINE void sort_vectors(V* v) {
    if constexpr (Vectors == 1) {
      v[0] = sort_lanes<L>(v[0]);
    } else {
      constexpr std::size_t kHalf = Vectors / 2;
      sort_vectors<kHalf>(v), sort_vectors<kHalf>(v + kHalf);
      V mirrored[kHalf];
      for (std::size_t i = 0; i < kHalf; i++) mirrored[i] = hwy::HWY_NAMESPACE::Reverse(D(), v[Vectors - 1 - i]);
      for (std::size_t i = 0; i < kHalf; i++) v[kHalf + i] = mirrored[i], order(v[i], v[kHalf + i]);
      clean_vectors<kHalf>(v), clean_vectors<kHalf>(v + kHalf);
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

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
