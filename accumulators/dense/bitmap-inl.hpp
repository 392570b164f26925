// A bitmap over the columns of one row, compiled once for every instruction set (included inside foreach_target).
// Words that hold something are listed first, then each word's columns are written, with as few branches that depend on
// where bits are as there can be; what was too much is written over by the next. (Words tested one by one, and bits
// taken out one by one as simdjson does, were half of dense-window's time on matrices whose rows are scattered.)
#if defined(ROWAN_DENSE_BITMAP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_DENSE_BITMAP_INL
#undef ROWAN_DENSE_BITMAP_INL
#else
#define ROWAN_DENSE_BITMAP_INL
#endif

#include <bit>
#include <cstdint>
#include <cstring>

#include <hwy/highway.h>

#include "accumulators/candidate.hpp"
#include "accumulators/common/compress-inl.hpp"
#include "accumulators/common/scratch.hpp"
#include "accumulators/dense/bits_of_byte.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace kn = rowan::HWY_NAMESPACE;

template <class T>
using Ring = rowan::HWY_NAMESPACE::PlusTimes<T>;

HWY_INLINE void mark(Word* bits, std::uint32_t at) {
  bits[at >> 6] |= Word{1} << (at & 63);
}

/// A byte a column is marked without a look at what is there: of neighbouring columns' bits each waits for the word
/// that the one before has just stored.
HWY_INLINE void mark(std::uint8_t* marks, std::uint32_t at) {
  marks[at] = 1;
}

/// Positions of the bits set in `byte`, from `base` on; returns how many. Always writes eight. (In vectors by hand: g++
/// 12 makes 24 instructions of the loop.)
HWY_INLINE int write_positions(unsigned byte, std::uint32_t base, std::uint32_t* out) {
  const hn::CappedTag<std::uint32_t, 8> d;
  const hn::Rebind<std::uint8_t, decltype(d)> narrow;
  for (std::size_t e = 0; e < 8; e += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::PromoteTo(d, hn::LoadU(narrow, kBitsOfByte[byte].data() + e)), hn::Set(d, base)), d,
               out + e);
  return std::popcount(byte);
}

/// Bit e is set if bits[e] is not zero, for eight words.
HWY_INLINE unsigned nonzero_words(const Word* bits) {
  const hn::CappedTag<Word, 8> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(Word), 8);
  unsigned zero = 0;
  for (std::size_t v = 0; v < 8; v += kLanes) {
    std::uint8_t mask[8] = {};
    hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, bits + v), hn::Zero(d)), mask);
    zero |= static_cast<unsigned>(mask[0]) << v;
  }
  return zero ^ 0xff;
}

/// Indices of the words that are not zero, in order; returns how many. Reads up to kVectorWords - 1 words behind the
/// last, which are zero, and may write as many indices behind.
/// (Not hn::Compress where it is not one instruction: Highway 1.0 with g++ 12 copies its table to the stack at every
/// call, a third of a row's time.)
HWY_INLINE std::int64_t list_words(const Word* bits, std::int64_t words, std::uint32_t* list) {
  std::int64_t n = 0;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const hn::Full512<Word> dw;
  const hn::Full512<std::uint32_t> d;
  auto index = hn::PromoteTo(d, hn::Load(hn::Full128<std::uint8_t>(), kEveryBit.at));
  for (std::int64_t q = 0; q < words; q += 16, index = hn::Add(index, hn::Set(d, 16))) {
    const auto low = hn::LoadU(dw, bits + q), high = hn::LoadU(dw, bits + q + 8);
    const __mmask16 some =
        _mm512_kunpackb(_mm512_test_epi64_mask(high.raw, high.raw), _mm512_test_epi64_mask(low.raw, low.raw));
    n += kn::compress_to(some, index.raw, list + n);
  }
#else
  for (std::int64_t q = 0; q < words; q += 8)
    n += write_positions(nonzero_words(bits + q), static_cast<std::uint32_t>(q), list + n);
#endif
  return n;
}

/// The columns of word q's bits to `out`, `base` being the column of bit 0; returns how many. Writes up to sixteen
/// more, of no meaning, that may lie beyond a Column.
HWY_INLINE int write_columns(Word m, std::uint32_t q, Column base, Column* out) {
  auto* to = reinterpret_cast<std::uint32_t*>(out);
  const std::uint32_t from = static_cast<std::uint32_t>(base) + q * 64;
  const int n = std::popcount(m);
#if HWY_TARGET == HWY_AVX3_DL
  const hn::Full512<std::uint32_t> d;
  const hn::Full128<std::uint8_t> narrow;
  const auto first = hn::Set(d, from);
  const __m512i at = kn::compressed_bytes(m, hn::Load(hn::Full512<std::uint8_t>(), kEveryBit.at).raw);
  const auto store = [&](const __m128i sixteen, int e) HWY_ATTR {
    hn::StoreU(hn::Add(hn::PromoteTo(d, hn::Vec<decltype(narrow)>{sixteen}), first), d, to + e);
  };
  store(_mm512_castsi512_si128(at), 0);
  if (n > 16) {
    store(_mm512_extracti32x4_epi32(at, 1), 16);
    store(_mm512_extracti32x4_epi32(at, 2), 32);
    store(_mm512_extracti32x4_epi32(at, 3), 48);
  }
#else
  constexpr int kFew = 4;  // bits that are taken out one by one; whether a fifth is there is mostly predicted
  if (n <= kFew) {
    for (int e = 0; e < kFew; e++, m &= m - 1) to[e] = from + static_cast<std::uint32_t>(std::countr_zero(m));
  } else {
    for (unsigned at = 0; at < 64; at += 8) to += write_positions(static_cast<unsigned>(m >> at & 0xff), from + at, to);
  }
#endif
  return n;
}

/// The columns whose bits are set; clears the bitmap. Writes up to kWriteSlack behind.
HWY_INLINE std::int64_t take_columns(Word* bits, std::int64_t words, Column base, std::uint32_t* list, Column* out) {
  const std::int64_t n = list_words(bits, words, list);
  std::int64_t k = 0;
  for (std::int64_t t = 0; t < n; t++) {
    k += write_columns(bits[list[t]], list[t], base, out + k);
    bits[list[t]] = 0;
  }
  return k;
}

/// Values of the listed columns, in order; they leave `empty` behind. Sums that began as -0 are made to begin as +0.
template <class T>
HWY_INLINE void take_values(T* window, Column base, const Column* col, std::int64_t n, T empty, T* out) {
  for (std::int64_t k = 0; k < n; k++) {
    T& from = window[col[k] - base];
    out[k] = Ring<T>::add(Ring<T>::zero(), from);
    from = empty;
  }
}

/// Bits of 64 marks that are not zero; clears them.
HWY_INLINE Word take_marks(std::uint8_t* marks) {
  const hn::CappedTag<std::uint8_t, 64> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint8_t), 64);
  Word word = 0;
  for (std::size_t v = 0; v < 64; v += kLanes) {
    Word lanes = 0;
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, marks + v), hn::Zero(d)), reinterpret_cast<std::uint8_t*>(&lanes));
    hn::StoreU(hn::Zero(d), d, marks + v);
    word |= lanes << v;
  }
  return word;
}

/// How many bits are set; clears the bitmap.
HWY_INLINE std::int64_t take_count(Word* bits, std::int64_t words) {
  std::int64_t n = 0;
  for (std::int64_t q = 0; q < words; q++) {
    n += std::popcount(bits[q]);
    bits[q] = 0;
  }
  return n;
}

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
