// Small matrices transposed, compiled once for every instruction set.
#if defined(ROWAN_COMMON_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_COMMON_TRANSPOSE_INL
#undef ROWAN_COMMON_TRANSPOSE_INL
#else
#define ROWAN_COMMON_TRANSPOSE_INL
#endif

#include <algorithm>
#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace rowan::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Four rows of four values, wherever each of them is.
template <class T>
struct FourRows {
  T* row[4];
  static HWY_INLINE FourRows strided(T* first, std::int64_t stride) {
    return {{first, first + stride, first + 2 * stride, first + 3 * stride}};
  }
};
/// Transposes `in` to `out`.
template <class T>
HWY_INLINE void transpose_four(const FourRows<const T>& in, const FourRows<T>& out) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (4 * sizeof(T) <= HWY_MAX_BYTES) {
    const hn::CappedTag<T, 4> d;
    const auto r0 = hn::LoadU(d, in.row[0]), r1 = hn::LoadU(d, in.row[1]);
    const auto r2 = hn::LoadU(d, in.row[2]), r3 = hn::LoadU(d, in.row[3]);
    if constexpr (sizeof(T) == 8) {  // two 128-bit halves of two values
      const auto low01 = hn::InterleaveLower(d, r0, r1), high01 = hn::InterleaveUpper(d, r0, r1);
      const auto low23 = hn::InterleaveLower(d, r2, r3), high23 = hn::InterleaveUpper(d, r2, r3);
      hn::StoreU(hn::ConcatLowerLower(d, low23, low01), d, out.row[0]);
      hn::StoreU(hn::ConcatLowerLower(d, high23, high01), d, out.row[1]);
      hn::StoreU(hn::ConcatUpperUpper(d, low23, low01), d, out.row[2]);
      hn::StoreU(hn::ConcatUpperUpper(d, high23, high01), d, out.row[3]);
    } else {
      const auto low02 = hn::InterleaveLower(d, r0, r2), high02 = hn::InterleaveUpper(d, r0, r2);
      const auto low13 = hn::InterleaveLower(d, r1, r3), high13 = hn::InterleaveUpper(d, r1, r3);
      hn::StoreU(hn::InterleaveLower(d, low02, low13), d, out.row[0]);
      hn::StoreU(hn::InterleaveUpper(d, low02, low13), d, out.row[1]);
      hn::StoreU(hn::InterleaveLower(d, high02, high13), d, out.row[2]);
      hn::StoreU(hn::InterleaveUpper(d, high02, high13), d, out.row[3]);
    }
    return;
  }
#endif
  for (std::int64_t r = 0; r < 4; r++)
    for (std::int64_t c = 0; c < 4; c++) out.row[c][r] = in.row[r][c];
}

/// Transposes eight rows of eight 32-bit values, in registers where vectors have eight.
HWY_INLINE void transpose_eight(const std::uint32_t* in, std::int64_t in_stride, std::uint32_t* out,
                                std::int64_t out_stride) {
#if HWY_MAX_BYTES >= 32
  const hn::Full256<std::uint32_t> d;
  const hn::Repartition<std::uint64_t, decltype(d)> dd;
  using V = hn::Vec<decltype(d)>;
  const auto pairs = [&](const V& x, const V& y, V& low, V& high) HWY_ATTR {
    const auto a = hn::BitCast(dd, x), b = hn::BitCast(dd, y);
    low = hn::BitCast(d, hn::InterleaveLower(dd, a, b)), high = hn::BitCast(d, hn::InterleaveUpper(dd, a, b));
  };
  V column[2][4];  // of four rows: columns c and, in the upper half, c + 4
  for (int h = 0; h < 2; h++) {
    const std::uint32_t* const row = in + 4 * h * in_stride;
    const V r0 = hn::LoadU(d, row), r1 = hn::LoadU(d, row + in_stride), r2 = hn::LoadU(d, row + 2 * in_stride),
            r3 = hn::LoadU(d, row + 3 * in_stride);
    pairs(hn::InterleaveLower(d, r0, r1), hn::InterleaveLower(d, r2, r3), column[h][0], column[h][1]);
    pairs(hn::InterleaveUpper(d, r0, r1), hn::InterleaveUpper(d, r2, r3), column[h][2], column[h][3]);
  }
  for (int c = 0; c < 4; c++) {
    hn::StoreU(hn::ConcatLowerLower(d, column[1][c], column[0][c]), d, out + c * out_stride);
    hn::StoreU(hn::ConcatUpperUpper(d, column[1][c], column[0][c]), d, out + (c + 4) * out_stride);
  }
#else
  for (int r = 0; r < 8; r++)
    for (int c = 0; c < 8; c++) out[c * out_stride + r] = in[r * in_stride + c];
#endif
}

/// Takes n fours of values, wherever each is, and leaves zeros behind: out[r * stride + k] = four(k)[r] for r < rows.
/// Values of missing rows are written to `unused`: a branch would take longer.
template <class T, class Four>
HWY_INLINE void take_fours(std::int64_t n, std::int64_t rows, T* out, std::int64_t stride, const Four& four) {
  T unused[4];
  std::int64_t k = 0;
  for (; k + 4 <= n; k += 4) {
    T* const from[4] = {four(k), four(k + 1), four(k + 2), four(k + 3)};
    FourRows<T> to = FourRows<T>::strided(out + k, stride);
    for (std::int64_t r = rows; r < 4; r++) to.row[r] = unused;
    transpose_four<T>({{from[0], from[1], from[2], from[3]}}, to);
    for (T* const each : from) std::fill_n(each, 4, T{0});
  }
  for (; k < n; k++) {
    T* const from = four(k);
    for (std::int64_t r = 0; r < rows; r++) out[r * stride + k] = from[r];
    std::fill_n(from, 4, T{0});
  }
}

/// The same of as many values as a run has rows, four or eight.
template <std::size_t kValues, class T, class Values>
HWY_INLINE void take_values_of_rows(std::int64_t n, std::int64_t rows, T* out, std::int64_t stride,
                                    const Values& values) {
  static_assert(kValues == 4 || kValues == 8);
  take_fours(n, HWY_MIN(rows, std::int64_t{4}), out, stride, values);
  if constexpr (kValues == 8)
    take_fours(n, rows - 4, out + 4 * stride, stride, [&](std::int64_t k) HWY_ATTR { return values(k) + 4; });
}

/// out[c * out_stride + r] = in[r * in_stride + c] for all r < rows, c < cols, and nothing else. The last four rows or
/// columns overlap those before where four does not divide their number: of five columns one alone took longer than
/// four.
template <class T>
HWY_INLINE void transpose_tile(const T* in, std::int64_t rows, std::int64_t in_stride, std::int64_t cols, T* out,
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
      transpose_four<T>(FourRows<const T>::strided(in + r * in_stride + c, in_stride),
                        FourRows<T>::strided(out + c * out_stride + r, out_stride));
    }
  }
}

}  // namespace rowan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
