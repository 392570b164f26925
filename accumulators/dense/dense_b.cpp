// dense-b. B itself is kept dense: a row of B is spread over all columns when it is first met, and from then on an
// entry of A adds that row's multiple to sums in vector registers. No column is looked up, no branch depends on B's
// rows, and holes add nothing: a sum begins at +0, so it is never -0, and what a hole adds is +0 or -0. Only infinities
// and NaNs of A make NaNs of holes; a row of C in which one is found is added up again, one product after the other.
// Which columns were met is the union of bitmaps, one a row of B.
//
// Columns beyond those that registers hold are added in another pass over the row of A. O(entries of A times columns);
// scratch: B's rows times columns. It pays where B's rows are met often, fit the second-level cache, and are not too
// thin (Zen 5, AVX-512: an entry of A takes 3.2 ns at 32 columns, 5 at 64 and 9 at 128, whatever is in B's row).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/dense/dense_b.cpp"
#include <algorithm>
#include <bit>

#include <hwy/foreach_target.h>

#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/layout.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

/// Sums of one row of C and their columns' bits.
template <class T, std::size_t Words>
struct RowSums {
  T* sums;
  Word met[Words] = {};

  /// One product after the other.
  HWY_NOINLINE void add_one_by_one(const NumericTask<T>& t, std::int64_t i) {
    std::ranges::fill(met, Word{0});
    std::fill_n(sums, Words * 64, Ring<T>::zero());
    for (std::int64_t k = t.a.ptr[i]; k < t.a.ptr[i + 1]; k++)
      for (std::int64_t e = t.b.ptr[t.a.col[k]]; e < t.b.ptr[t.a.col[k] + 1]; e++) {
        const Column column = t.b.col[e];
        add_product<Ring<T>>(sums[column], t.a.val[k], t.b.val[e]);
        mark(met, static_cast<std::uint32_t>(column));
      }
  }

  /// To C; returns how many entries. There are up to `Columns` columns.
  template <std::size_t Columns>
  HWY_INLINE std::int64_t write(Column* col, T* val) const {
    std::int64_t n = 0;
    for (std::size_t w = 0; w < Words; w++) n += write_columns(met[w], static_cast<std::uint32_t>(w), 0, col + n);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    const hn::Full512<T> d;
    constexpr std::size_t kLanes = 64 / sizeof(T);
#pragma GCC unroll 16
    for (std::size_t at = 0; at < Columns; at += kLanes)
      val += kn::compress_to(static_cast<std::uint32_t>(met[at / 64] >> (at % 64)) & ((1U << kLanes) - 1),
                             hn::Load(d, sums + at).raw, val);
#else
    for (std::int64_t e = 0; e < n; e++) val[e] = sums[col[e]];
#endif
    return n;
  }
};

template <std::size_t Words, class T>
std::int64_t multiply_one_by_one(const NumericTask<T>& t) {
  std::int64_t n = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    RowSums<T, Words> row{.sums = reinterpret_cast<T*>(t.scratch.plain)};
    row.add_one_by_one(t, i);
    const std::int64_t length = row.template write<Words * 64>(t.col + n, t.val + n);
    t.nnz[i] = static_cast<Offset>(length), n += length;
  }
  return n;
}

#if !HWY_HAVE_SCALABLE
/// B, as far as its rows have been met.
template <class T>
struct SpreadRows {
  const Operand<T>& b;
  std::int64_t stride, words;  // values, and words of a bitmap, for each row
  T* values;                   // holes are zero
  Word* columns;
  std::uint8_t* met;

  SpreadRows(const NumericTask<T>& t, const DenseBLayout& layout)
      : b(t.b),
        stride(layout.stride),
        words(layout.words),
        values(reinterpret_cast<T*>(t.scratch.persistent + DenseBLayout::kHeader)),
        columns(reinterpret_cast<Word*>(values + layout.b_rows * stride)),
        met(reinterpret_cast<std::uint8_t*>(columns + layout.b_rows * words)) {}

  /// Spreads row j; false if a column comes twice, and then it is not done.
  HWY_NOINLINE bool spread(std::int64_t j) const {
    T* const to = values + j * stride;
    Word* const bits = columns + j * words;
    for (std::int64_t e = b.ptr[j]; e < b.ptr[j + 1]; e++) {
      const auto at = static_cast<std::uint32_t>(b.col[e]);
      const Word bit = Word{1} << (at % 64);
      if ((bits[at / 64] & bit) != 0) return false;
      bits[at / 64] |= bit, to[at] = b.val[e];
    }
    met[j] = 1;
    return true;
  }
};

/// The task's rows, `entries` of them in C; false where a row of B has a column twice, and then nothing holds.
template <std::size_t Vectors, std::size_t Words, class T>
HWY_NOINLINE bool multiply_spread(const NumericTask<T>& t, const SpreadRows<T>& spread, std::int64_t& entries) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr auto kStep = static_cast<std::int64_t>(Vectors * kLanes);
  constexpr std::size_t kColumns =
      kLanes * sizeof(T) == 64 && Words <= 2 ? HWY_MIN(Vectors * kLanes, Words * 64) : Words * 64;
  auto* const sums = reinterpret_cast<T*>(t.scratch.plain);
  const Operand<T> a = t.a;
  const SpreadRows<T> b = spread;
  std::int64_t n = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    RowSums<T, Words> row{.sums = sums};
    V nan = Ring<T>::zero(d);  // one of the sums that is none, if there is any
    for (std::int64_t from = 0; from < b.stride; from += kStep) {
      V sum[Vectors];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < Vectors; v++) sum[v] = Ring<T>::zero(d);
      for (std::int64_t k = a.ptr[i], end = a.ptr[i + 1]; k < end; k++) {
        const std::int64_t j = a.col[k];
        if (from == 0) {
          // (an empty row is spread each time where one word tells)
          if ((Words == 1 ? b.columns[j] == 0 : b.met[j] == 0) && !b.spread(j)) [[unlikely]]
            return false;
          for (std::size_t w = 0; w < Words; w++)
            row.met[w] |= b.columns[j * static_cast<std::int64_t>(Words) + static_cast<std::int64_t>(w)];
        }
        const V x = hn::Set(d, a.val[k]);
        const T* const values = b.values + j * b.stride + from;
#pragma GCC unroll 16
        for (std::size_t v = 0; v < Vectors; v++)
          sum[v] = Ring<T>::add(sum[v], Ring<T>::multiply(x, hn::Load(d, values + v * kLanes)));
      }
#pragma GCC unroll 16
      for (std::size_t v = 0; v < Vectors; v++) {
        nan = hn::IfThenElse(hn::IsNaN(sum[v]), sum[v], nan);
        hn::Store(sum[v], d, sums + from + v * kLanes);
      }
    }
    if (!hn::AllFalse(d, hn::IsNaN(nan))) [[unlikely]]
      row.add_one_by_one(t, i);
    const std::int64_t length = row.template write<kColumns>(t.col + n, t.val + n);
    t.nnz[i] = static_cast<Offset>(length), n += length;
  }
  entries = n;
  return true;
}

/// The same with as many vectors in registers as a row has, up to Most.
template <std::size_t Most, std::size_t Words, class T>
bool multiply_spread(const NumericTask<T>& t, const SpreadRows<T>& rows, std::size_t vectors, std::int64_t& entries) {
  if constexpr (Most > 1)
    if (vectors <= Most / 2) return multiply_spread<Most / 2, Words>(t, rows, vectors, entries);
  return multiply_spread<Most, Words>(t, rows, entries);
}
#endif

template <std::size_t Words, class T>
std::int64_t dense_b_rows_of(const NumericTask<T>& t) {
#if !HWY_HAVE_SCALABLE
  constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
  // sums that stay in registers, beside a multiple of B's row
  constexpr std::size_t kMost = HWY_MIN(HWY_MAX_BYTES >= 64 ? 16 : 8, kDenseBStep / kLanes);
  auto* const repeats = reinterpret_cast<std::int64_t*>(t.scratch.persistent);
  if (*repeats == 0) {
    const DenseBLayout layout(t.extent, sizeof(T));
    std::int64_t n = 0;
    if (multiply_spread<kMost, Words>(t, SpreadRows<T>(t, layout), static_cast<std::size_t>(layout.stride) / kLanes, n))
      return n;
    *repeats = 1;
  }
#endif
  return multiply_one_by_one<Words>(t);
}

template <class T>
std::int64_t dense_b_rows(const NumericTask<T>& t) {
  if (t.b.cols <= 64) return dense_b_rows_of<1>(t);
  if (t.b.cols <= 128) return dense_b_rows_of<2>(t);
  if (t.b.cols <= 256) return dense_b_rows_of<4>(t);
  return dense_b_rows_of<kDenseBColumns / 64>(t);
}
ROWAN_KERNELS(DenseBNumeric, dense_b_rows, NumericTask)

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::dense {

void dense_b_symbolic(const SymbolicTask& t) {
  const Pattern a = t.a, b = t.b;
  for (std::int64_t i = t.first; i < t.last; i++) {
    Word met[kDenseBColumns / 64] = {};
    for (std::int64_t k = a.ptr[i]; k < a.ptr[i + 1]; k++)
      for (std::int64_t e = b.ptr[a.col[k]]; e < b.ptr[a.col[k] + 1]; e++)
        met[b.col[e] / 64] |= Word{1} << (b.col[e] % 64);
    int n = 0;
    for (const Word w : met) n += std::popcount(w);
    t.nnz[i] = static_cast<Offset>(n);
  }
}

ROWAN_DISPATCH(std::int64_t, dense_b_numeric, DenseBNumeric, NumericTask)

ScratchBytes dense_b_scratch(const Extent& extent, std::size_t value_bytes) {
  return {.plain = kDenseBColumns * value_bytes, .persistent = DenseBLayout(extent, value_bytes).total()};
}

}  // namespace rowan::dense
#endif
