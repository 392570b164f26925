// A bitmap over the columns of one row, compiled once for every instruction set (included inside foreach_target).
// Reading it out takes no branch on a single bit: words that hold something are listed first, then each word's bits are
// taken out eight at a time and what was too much is written over (after simdjson's flatten_bits).
#if defined(ROWAN_DENSE_BITMAP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_DENSE_BITMAP_INL
#undef ROWAN_DENSE_BITMAP_INL
#else
#define ROWAN_DENSE_BITMAP_INL
#endif

#include <bit>
#include <cstdint>

#include <hwy/highway.h>

#include "accumulators/candidate.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Word = std::uint64_t;

HWY_INLINE void mark(Word* bits, std::uint32_t at) {
  bits[at >> 6] |= Word{1} << (at & 63);
}

/// Indices of the words that are not zero, in order; returns how many. May write four behind the last.
/// (Not hn::Compress: Highway 1.0 with g++ 12 copies its table to the stack at every call, a third of a row's time.)
HWY_INLINE std::int64_t list_words(const Word* bits, std::int64_t words, Word* list) {
  std::int64_t n = 0;
  for (std::int64_t q = 0; q < words; q += 4) {
    if ((bits[q] | bits[q + 1] | bits[q + 2] | bits[q + 3]) == 0) continue;
    for (std::int64_t e = 0; e < 4; e++) {
      list[n] = static_cast<Word>(q + e);
      n += bits[q + e] != 0 ? 1 : 0;
    }
  }
  return n;
}

/// The columns of word q's bits to `out`, `base` being the column of bit 0; returns how many. Eight at a time: what is
/// too much (of no bit the column is rubbish, which may lie beyond int32) is written over by the next word's.
HWY_INLINE int write_columns(Word m, Word q, std::int32_t base, std::int32_t* out) {
  const std::uint32_t from = static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(q * 64);
  const int count = std::popcount(m);
  for (int done = 0; done < count; done += 8)
    for (int e = 0; e < 8; e++, m &= m - 1)
      out[done + e] = static_cast<std::int32_t>(from + static_cast<std::uint32_t>(std::countr_zero(m)));
  return count;
}

/// The columns whose bits are set; clears the bitmap. Writes up to kWriteSlack behind.
HWY_INLINE std::int64_t take_columns(Word* bits, std::int64_t words, std::int32_t base, Word* list, std::int32_t* out) {
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
