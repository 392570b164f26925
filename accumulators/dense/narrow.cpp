// dense-narrow. B has few columns: a row of C has its sums of all of them side by side while the row of A is walked,
// and a bit for each column that is met. Work O(products + columns) a row.
//
// With AVX-512 the sums are in registers. A row of B has a mask of its columns, made when the row is first met; its
// values are spread to their lanes by it and added, all lanes of a vector at once: no sum is loaded or stored, B's
// columns are not read again, and no branch depends on where a row of B ends. A vector of columns takes 0.7 ns (Zen 5),
// whatever is in it. Where rows of B do not rise, or have no memory for masks, and without masks of lanes, products are
// added one by one. Scratch: with AVX-512 a bit a column for each row of B, else a value a column.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/dense/narrow.cpp"
#include <algorithm>
#include <bit>

#include <hwy/foreach_target.h>

#include "accumulators/common/prefetch.hpp"
#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/layout.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

constexpr std::size_t kMostWords = kNarrowColumns / 64;

/// Columns, a bit each, in as many words as they need.
template <std::size_t Words>
struct ColumnSet {
  Word word[Words] = {};

  HWY_INLINE void add(Column column) {
    const auto at = static_cast<std::uint32_t>(column);
    const Word bit = Word{1} << (at % 64);
    if constexpr (Words == 1) {
      word[0] |= bit;
    } else {  // not by the word's number: the words would leave their registers
      const Word second = Word{0} - (at / 64);
      word[0] |= bit & ~second, word[1] |= bit & second;
    }
  }
  HWY_INLINE void add(const ColumnSet& other) {
    for (std::size_t w = 0; w < Words; w++) word[w] |= other.word[w];
  }
  [[nodiscard]] HWY_INLINE bool empty() const {
    Word any = 0;
    for (const Word w : word) any |= w;
    return any == 0;
  }
  /// Which of `Lanes` columns from `from` on, a multiple of Lanes, are in it.
  template <int Lanes>
  [[nodiscard]] HWY_INLINE unsigned lanes(int from) const {
    return static_cast<unsigned>(word[from / 64] >> (from % 64)) & ((1U << Lanes) - 1);
  }
};

/// One product after the other.
template <std::size_t Words, class T>
HWY_NOINLINE std::int64_t add_one_by_one(const NumericTask<T>& t, bool far) {
  auto* const sums = reinterpret_cast<T*>(t.scratch.plain);
  std::fill_n(sums, kNarrowColumns, Ring<T>::zero());
  const Operand<T> a = t.a, b = t.b;
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    ColumnSet<Words> met;
    for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) {
      if (far) prefetch_b(a, b, e, 4);
      const T x = a.val[e];
      for (std::int64_t l = b.ptr[a.col[e]], end = b.ptr[a.col[e] + 1]; l < end; l++) {
        add_product<Ring<T>>(sums[b.col[l]], x, b.val[l]);
        met.add(b.col[l]);
      }
    }
    const std::int64_t begin = k;
    for (std::size_t w = 0; w < Words; w++)
      k += write_columns(met.word[w], static_cast<std::uint32_t>(w), 0, t.col + k);
    take_values(sums, 0, t.col + begin, k - begin, Ring<T>::zero(), t.val + begin);
    t.nnz[i] = static_cast<Offset>(k - begin);
  }
  return k;
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

/// The sums of one row in `Vectors` registers.
template <int Vectors, class T>
class InRegisters {
  using D = hn::Full512<T>;
  using V = hn::Vec<D>;
  static constexpr int kLanes = 64 / sizeof(T);
  static constexpr int kWords = (Vectors * kLanes + 63) / 64;
  using Set = ColumnSet<kWords>;
  static constexpr std::int64_t kAhead = 8;  // entries of A that rows of B are prefetched ahead

 public:
  /// `masks` are zero where none was made yet.
  InRegisters(const Operand<T>& b, Word* masks) : b_(b), masks_(masks) {}

  /// The task's rows; `rises` is false where a row of B does not, and then nothing holds.
  HWY_NOINLINE std::int64_t multiply(const NumericTask<T>& t, bool far, bool& rises) const {
    const D d;
    const Operand<T> a = t.a, b = b_;
    const Word* const masks = masks_;
    Column* col = t.col;
    T* val = t.val;
    for (std::int64_t i = t.first; i < t.last; i++) {
      V sum[Vectors];
#pragma GCC unroll 16
      for (int v = 0; v < Vectors; v++) sum[v] = Ring<T>::zero(d);
      Set met;
      for (std::int64_t k = a.ptr[i], end = a.ptr[i + 1]; k < end; k++) {
        if (far && k + 2 * kAhead < a.nnz()) {  // prefetch_b_values() reads where the row ends, too: 1.03 times as long
          hwy::Prefetch(b.ptr + a.col[k + 2 * kAhead]);
          const std::int64_t next = a.col[k + kAhead], from = b.ptr[next];
          hwy::Prefetch(masks + next * kWords);
          hwy::Prefetch(b.val + from);
          hwy::Prefetch(b.val + from + kLanes);
        }
        const std::int64_t j = a.col[k];
        Set row;
        for (int w = 0; w < kWords; w++) row.word[w] = masks[j * kWords + w];
        if (row.empty()) [[unlikely]] {
          row = made(j, rises);
          if (!rises) return 0;
        }
        met.add(row);
        const V x = hn::Set(d, a.val[k]);
        const T* from = b.val + b.ptr[j];
#pragma GCC unroll 16
        for (int v = 0; v < Vectors; v++) {
          const unsigned lanes = row.template lanes<kLanes>(v * kLanes);
          const hn::Mask<D> some{static_cast<decltype(hn::Mask<D>::raw)>(lanes)};
          sum[v] =
              hn::IfThenElse(some, Ring<T>::add(sum[v], Ring<T>::multiply(x, V{kn::expanded(some.raw, from)})), sum[v]);
          from += std::popcount(lanes);
        }
      }
      const hn::Full512<std::int32_t> dc;
#pragma GCC unroll 8
      for (int c = 0; c < Vectors * kLanes; c += 16)
        col += kn::compress_to(met.template lanes<16>(c), hn::Iota(dc, c).raw, col);
      const T* const begin = val;
#pragma GCC unroll 16
      for (int v = 0; v < Vectors; v++) val += kn::compress_to(met.template lanes<kLanes>(v * kLanes), sum[v].raw, val);
      t.nnz[i] = static_cast<Offset>(val - begin);
    }
    return val - t.val;
  }

 private:
  /// The mask of row j of B, which is kept. No branch but for each eight entries: many rows are met only a few times.
  HWY_NOINLINE Set made(std::int64_t j, bool& rises) const {
    const Column* const first = b_.col + b_.ptr[j];
    const std::int64_t n = b_.length(j);
    __m512i bits[kWords] = {};
    unsigned falls = 0;
    for (std::int64_t e = 0; e < n; e += 8) {
      const unsigned some = n - e >= 8 ? 0xff : (1U << (n - e)) - 1, next = n - e > 8 ? 0xff : some >> 1;
      const __m256i column = _mm256_maskz_loadu_epi32(static_cast<__mmask8>(some), first + e);
      const __m256i behind = _mm256_maskz_loadu_epi32(static_cast<__mmask8>(next), first + e + 1);
      falls |= _mm256_mask_cmple_epi32_mask(static_cast<__mmask8>(next), behind, column);
      for (int w = 0; w < kWords; w++) {  // bits of other words are shifted out
        const __m512i at = _mm512_sub_epi64(_mm512_cvtepi32_epi64(column), _mm512_set1_epi64(w * 64));
        const __m512i bit = _mm512_maskz_sllv_epi64(static_cast<__mmask8>(some), _mm512_set1_epi64(1), at);
        bits[w] = _mm512_or_si512(bits[w], bit);
      }
    }
    Set set;
    rises = falls == 0;
    for (int w = 0; w < kWords && rises; w++)
      masks_[j * kWords + w] = set.word[w] = static_cast<Word>(_mm512_reduce_or_epi64(bits[w]));
    return set;
  }

  const Operand<T> b_;
  Word* masks_;
};

template <int Vectors, class T>
HWY_INLINE std::int64_t add_in_registers(const NumericTask<T>& t, Word* masks, bool far, bool& rises) {
  return InRegisters<Vectors, T>(t.b, masks).multiply(t, far, rises);
}

#endif

template <class T>
std::int64_t narrow_rows(const NumericTask<T>& t) {
  const bool far = is_far(t.b, t.extent);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  auto* const falls = reinterpret_cast<std::int64_t*>(t.scratch.persistent);
  if (falls != nullptr && *falls == 0) {
    auto* const masks = reinterpret_cast<Word*>(t.scratch.persistent + kNarrowHeader);
    bool rises = true;
    const std::int64_t vectors = (t.b.cols * static_cast<std::int64_t>(sizeof(T)) + 63) / 64;
    const std::int64_t n = vectors <= 1   ? add_in_registers<1>(t, masks, far, rises)
                           : vectors <= 2 ? add_in_registers<2>(t, masks, far, rises)
                           : vectors <= 4 ? add_in_registers<4>(t, masks, far, rises)
                           : vectors <= 8 ? add_in_registers<8>(t, masks, far, rises)
                                          : add_in_registers<kNarrowColumns * sizeof(T) / 64>(t, masks, far, rises);
    if (rises) return n;
    *falls = 1;
  }
#endif
  return t.b.cols <= 64 ? add_one_by_one<1>(t, far) : add_one_by_one<kMostWords>(t, far);
}
ROWAN_KERNELS(NarrowNumeric, narrow_rows, NumericTask)

template <std::size_t Words>
void count_rows(const SymbolicTask& t) {
  const Pattern a = t.a, b = t.b;
  const bool far = is_far(b, t.extent);
  for (std::int64_t i = t.first; i < t.last; i++) {
    ColumnSet<Words> met;
    for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++) {
      if (far) prefetch_b(a, b, e, 4);
      for (std::int64_t l = b.ptr[a.col[e]], end = b.ptr[a.col[e] + 1]; l < end; l++) met.add(b.col[l]);
    }
    int n = 0;
    for (const Word w : met.word) n += std::popcount(w);
    t.nnz[i] = static_cast<Offset>(n);
  }
}
void NarrowSymbolic(const SymbolicTask& t) {
  t.b.cols <= 64 ? count_rows<1>(t) : count_rows<kMostWords>(t);
}

ScratchBytes NarrowBytes([[maybe_unused]] const Extent& extent, std::size_t value_bytes) {
  ScratchBytes bytes{.plain = static_cast<std::size_t>(kNarrowColumns) * value_bytes};
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  constexpr std::size_t kMostMasks = std::size_t{64} << 20;  // bytes: each worker has its own
  const std::int64_t words = HWY_MAX(words_of(extent.columns), std::int64_t{1});
  const std::size_t masks = static_cast<std::size_t>(extent.b_rows * words) * sizeof(Word);
  if (masks <= kMostMasks) bytes.persistent = kNarrowHeader + masks;
#endif
  return bytes;
}

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::dense {

ROWAN_DISPATCH(std::int64_t, narrow_numeric, NarrowNumeric, NumericTask)
HWY_EXPORT(NarrowSymbolic);
HWY_EXPORT(NarrowBytes);

void narrow_symbolic(const SymbolicTask& task) {
  HWY_DYNAMIC_DISPATCH(NarrowSymbolic)(task);
}

ScratchBytes narrow_scratch(const Extent& extent, std::size_t value_bytes) {
  return HWY_DYNAMIC_DISPATCH(NarrowBytes)(extent, value_bytes);
}

}  // namespace rowan::dense
#endif
