// Lanes of a mask put side by side, and the reverse, by AVX-512's instructions. On Zen 5 such an instruction waits for
// what its destination held before, even where it keeps none of it: five cycles from one to the next that writes the
// same register, in place of one. So it is given a register that has just been cleared, which waits for nothing; that
// it is cleared the compiler must not know, or it leaves that out. (Included inside foreach_target.)
#if defined(ROWAN_COMMON_COMPRESS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_COMPRESS_INL
#undef ROWAN_COMMON_COMPRESS_INL
#else
#define ROWAN_COMMON_COMPRESS_INL
#endif

#include <bit>
#include <cstdint>

#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {

/// Zero, of which the compiler knows nothing.
template <class V>
[[nodiscard]] HWY_INLINE V cleared() {
  V zero{};
  asm("" : "+v"(zero));
  return zero;
}

/// Lanes of `x` whose bits are set to `to`, side by side; returns how many. A whole vector is written.
HWY_INLINE int compress_to(std::uint32_t lanes, __m512i x, void* to) {
  _mm512_storeu_si512(to, _mm512_mask_compress_epi32(cleared<__m512i>(), static_cast<__mmask16>(lanes), x));
  return std::popcount(lanes);
}
HWY_INLINE int compress_to(std::uint32_t lanes, __m512d x, double* to) {
  _mm512_storeu_pd(to, _mm512_mask_compress_pd(cleared<__m512d>(), static_cast<__mmask8>(lanes), x));
  return std::popcount(lanes);
}
HWY_INLINE int compress_to(std::uint32_t lanes, __m512 x, float* to) {
  _mm512_storeu_ps(to, _mm512_mask_compress_ps(cleared<__m512>(), static_cast<__mmask16>(lanes), x));
  return std::popcount(lanes);
}
#if HWY_TARGET == HWY_AVX3_DL
/// Bytes whose bits are set, side by side from the first on.
[[nodiscard]] HWY_INLINE __m512i compressed_bytes(__mmask64 lanes, __m512i x) {
  return _mm512_mask_compress_epi8(cleared<__m512i>(), lanes, x);
}
#endif

/// Numbers side by side at `from` to the lanes whose bits are set, one a bit; the other lanes are zero.
[[nodiscard]] HWY_INLINE __m512d expanded(__mmask8 lanes, const double* from) {
  return _mm512_mask_expandloadu_pd(cleared<__m512d>(), lanes, from);
}
[[nodiscard]] HWY_INLINE __m512 expanded(__mmask16 lanes, const float* from) {
  return _mm512_mask_expandloadu_ps(cleared<__m512>(), lanes, from);
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif
