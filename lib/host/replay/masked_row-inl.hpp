// A planned row of C added up in registers, by masks (masks.hpp). (Included inside foreach_target.)
#if defined(ROWAN_REPLAY_MASKED_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_REPLAY_MASKED_ROW_INL
#undef ROWAN_REPLAY_MASKED_ROW_INL
#else
#define ROWAN_REPLAY_MASKED_ROW_INL
#endif

#include <algorithm>
#include <bit>
#include <cstring>

#include "accumulators/common/compress-inl.hpp"
#include "accumulators/common/prefetch.hpp"
#include "lib/core/plus_times-inl.hpp"
#include "lib/host/replay/masks.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::replay::HWY_NAMESPACE {

constexpr std::int64_t kValuesAhead = 16;

/// Entries of A before which B's values are prefetched, kValuesAhead of them ahead, where B is far.
HWY_INLINE std::int64_t prefetched(const Pattern& a, bool far) {
  return far ? a.nnz() - 2 * kValuesAhead : 0;
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

constexpr bool kHasMasks = true;

/// A row of C in `Vectors` vectors. Lanes that are not in a mask keep their sum: adding a zero would lose none of
/// the bits but those of -0, which no sum is, and NaN and infinities of A would spoil it.
template <int Vectors, class T>
HWY_INLINE void add_in_vectors(const Operand<T>& a, const Operand<T>& b, std::int64_t i, std::int64_t prefetch_end,
                               const std::byte* mask, T* out, std::int64_t n) {
  namespace hn = hwy::HWY_NAMESPACE;
  namespace kn = rowan::HWY_NAMESPACE;
  using Ring = kn::PlusTimes<T>;
  using Lanes = decltype(hn::Mask<hn::Full512<T>>().raw);
  constexpr int kLanes = 64 / sizeof(T);
  const hn::Full512<T> d;
  const std::int64_t bytes = mask_bytes(n);
  hn::Vec<hn::Full512<T>> sum[Vectors];
  for (auto& s : sum) s = hn::Zero(d);
  for (std::int64_t e = a.ptr[i], end = a.ptr[i + 1]; e < end; e++, mask += bytes) {
    if (e < prefetch_end) prefetch_followed_values(a, b, e, kValuesAhead);
    const auto x = hn::Set(d, a.val[e]);
    const T* const from = b.val + b.ptr[a.col[e]];
    std::uint64_t all = 0;  // and more behind it
    std::memcpy(&all, mask, sizeof all);
    if (kLanes > 8 && Vectors == 1 && bytes == 1) all &= 0xff;
    for (int v = 0; v < Vectors; v++) {
      auto lanes = static_cast<Lanes>(all);
      if constexpr (Vectors > 2)
        std::memcpy(&lanes, mask + v * static_cast<int>(sizeof lanes), sizeof lanes);
      else
        lanes = static_cast<Lanes>(all >> (v * kLanes));
      const int before = v == 0 ? 0 : std::popcount(all & ((std::uint64_t{1} << (v * kLanes)) - 1));
      const hn::Vec<hn::Full512<T>> row{kn::expanded(lanes, from + before)};
      sum[v] = hn::IfThenElse(hn::Mask<hn::Full512<T>>{lanes}, Ring::add(sum[v], Ring::multiply(x, row)), sum[v]);
    }
  }
  for (int v = 0; v < Vectors; v++) {
    const std::int64_t left = n - v * kLanes;
    if (left <= 0) break;
    hn::BlendedStore(sum[v], hn::FirstN(d, static_cast<std::size_t>(std::min<std::int64_t>(left, kLanes))), d,
                     out + v * kLanes);
  }
}

/// Row i of C, of n entries, at most kMostMasked, to `out`; entries of A before `prefetch_end` prefetch rows of B.
template <class T>
HWY_INLINE void add_masked_row(const Operand<T>& a, const Operand<T>& b, std::int64_t i, std::int64_t prefetch_end,
                               const std::byte* mask, T* out, std::int64_t n) {
  constexpr std::int64_t kLanes = 64 / sizeof(T);
  if (n <= kLanes) {
    if (n > 0) add_in_vectors<1>(a, b, i, prefetch_end, mask, out, n);
  } else if (n <= 2 * kLanes) {
    add_in_vectors<2>(a, b, i, prefetch_end, mask, out, n);
  } else if (n <= 3 * kLanes) {
    add_in_vectors<3>(a, b, i, prefetch_end, mask, out, n);
  } else if (kLanes > 8 || n <= 4 * kLanes) {
    add_in_vectors<4>(a, b, i, prefetch_end, mask, out, n);
  } else if constexpr (kLanes == 8) {
    if (n <= 6 * kLanes)
      add_in_vectors<6>(a, b, i, prefetch_end, mask, out, n);
    else
      add_in_vectors<8>(a, b, i, prefetch_end, mask, out, n);
  }
}

#else

constexpr bool kHasMasks = false;

/// Not called: there are no masks.
template <class T>
void add_masked_row(const Operand<T>&, const Operand<T>&, std::int64_t, std::int64_t, const std::byte*, T*,
                    std::int64_t) {}

#endif

}  // namespace rowan::replay::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
