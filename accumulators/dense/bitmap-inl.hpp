// A bitmap over the columns of one row, compiled once for every instruction set (included inside foreach_target).
// Reading it out takes no branch that depends on where bits are: words that hold something are listed first, then each
// word's bytes that hold something are looked up in a table of bit positions, eight columns at a time; what was too
// much is written over by the next. (As Lemire and others decode bitmaps; words tested one by one, and bits taken out
// one by one as simdjson does, were half of dense-window's time on matrices whose rows are scattered.)
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
#include "accumulators/dense/bits_of_byte.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Word = std::uint64_t;

HWY_INLINE void mark(Word* bits, std::uint32_t at) {
  bits[at >> 6] |= Word{1} << (at & 63);
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
/// last, which are zero, and may write eight indices behind.
/// (Not hn::Compress: Highway 1.0 with g++ 12 copies its table to the stack at every call, a third of a row's time.)
HWY_INLINE std::int64_t list_words(const Word* bits, std::int64_t words, std::uint32_t* list) {
  std::int64_t n = 0;
  for (std::int64_t q = 0; q < words; q += 8)
    n += write_positions(nonzero_words(bits + q), static_cast<std::uint32_t>(q), list + n);
  return n;
}

/// The columns of word q's bits to `out`, `base` being the column of bit 0; returns how many. Writes up to sixteen
/// more, rubbish that may lie beyond int32.
HWY_INLINE int write_columns(Word m, std::uint32_t q, std::int32_t base, std::int32_t* out) {
  auto* const to = reinterpret_cast<std::uint32_t*>(out);
  const std::uint32_t from = static_cast<std::uint32_t>(base) + q * 64;
  int n = 0;
  for (int twice = 0; twice < 2; twice++) {  // in rows that are scattered, few words hold more than two such bytes
    const auto at = static_cast<unsigned>(std::countr_zero(m | Word{1} << 63)) & 56;
    n += write_positions(static_cast<unsigned>(m >> at & 0xff), from + at, to + n);
    m &= ~(Word{0xff} << at);
  }
  if (m != 0)
    for (unsigned at = 0; at < 64; at += 8)
      n += write_positions(static_cast<unsigned>(m >> at & 0xff), from + at, to + n);
  return n;
}

/// The columns whose bits are set; clears the bitmap. Writes up to kWriteSlack behind.
HWY_INLINE std::int64_t take_columns(Word* bits, std::int64_t words, std::int32_t base, std::uint32_t* list,
                                     std::int32_t* out) {
  const std::int64_t n = list_words(bits, words, list);
  std::int64_t k = 0;
  for (std::int64_t t = 0; t < n; t++) {
    k += write_columns(bits[list[t]], list[t], base, out + k);
    bits[list[t]] = 0;
  }
  return k;
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
