// Small matrices turned over (columns become rows), compiled once for every instruction set.
#if defined(ROWAN_DIRECT_TURN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_DIRECT_TURN_INL
#undef ROWAN_DIRECT_TURN_INL
#else
#define ROWAN_DIRECT_TURN_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::direct::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Four rows of four values, turned.
template <class T>
HWY_INLINE void turn_four(const T* in, std::int64_t in_stride, T* out, std::int64_t out_stride) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (4 * sizeof(T) <= HWY_MAX_BYTES) {
    const hn::CappedTag<T, 4> d;
    const auto r0 = hn::LoadU(d, in), r1 = hn::LoadU(d, in + in_stride);
    const auto r2 = hn::LoadU(d, in + 2 * in_stride), r3 = hn::LoadU(d, in + 3 * in_stride);
    if constexpr (sizeof(T) == 8) {  // two 128-bit halves of two values
      const auto low01 = hn::InterleaveLower(d, r0, r1), high01 = hn::InterleaveUpper(d, r0, r1);
      const auto low23 = hn::InterleaveLower(d, r2, r3), high23 = hn::InterleaveUpper(d, r2, r3);
      hn::StoreU(hn::ConcatLowerLower(d, low23, low01), d, out);
      hn::StoreU(hn::ConcatLowerLower(d, high23, high01), d, out + out_stride);
      hn::StoreU(hn::ConcatUpperUpper(d, low23, low01), d, out + 2 * out_stride);
      hn::StoreU(hn::ConcatUpperUpper(d, high23, high01), d, out + 3 * out_stride);
    } else {
      const auto low02 = hn::InterleaveLower(d, r0, r2), high02 = hn::InterleaveUpper(d, r0, r2);
      const auto low13 = hn::InterleaveLower(d, r1, r3), high13 = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, low02, low13), d, out);
      hn::StoreU(hn::InterleaveUpper(d, low02, low13), d, out + out_stride);
      hn::StoreU(hn::InterleaveLower(d, high02, high13), d, out + 2 * out_stride);
      hn::StoreU(hn::InterleaveUpper(d, high02, high13), d, out + 3 * out_stride);
    }
    return;
  }
#endif
  for (std::int64_t r = 0; r < 4; r++)
    for (std::int64_t c = 0; c < 4; c++) out[c * out_stride + r] = in[r * in_stride + c];
}

/// out[c * out_stride + r] = in[r * in_stride + c] for all r < rows, c < cols, and nothing else. What four does not
/// divide is turned with some of what was turned already: of five columns one by itself took longer than four.
template <class T>
HWY_INLINE void turn(const T* in, std::int64_t rows, std::int64_t in_stride, std::int64_t cols, T* out,
                     std::int64_t out_stride) {
  if (rows < 4 || cols < 4) {
    for (std::int64_t r = 0; r < rows; r++)
      for (std::int64_t c = 0; c < cols; c++) out[c * out_stride + r] = in[r * in_stride + c];
    return;
  }
  for (std::int64_t r = 0; r < rows; r += 4) {
    r = HWY_MIN(r, rows - 4);
    for (std::int64_t c = 0; c < cols; c += 4) {
      c = HWY_MIN(c, cols - 4);
      turn_four(in + r * in_stride + c, in_stride, out + c * out_stride + r, out_stride);
    }
  }
}

}  // namespace rowan::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
