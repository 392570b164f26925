// Eight consecutive rows of C together: each row of B that any of them meets is read once, and each of its entries is
// multiplied by the eight rows' entries of A in one vector, under a mask of the rows that have one. The window holds
// the eight sums of a column side by side. A row's products are added in the order of its entries of A, as those of a
// row by itself, since its columns rise. (Included inside foreach_target.)
//
// A sum costs a load, an addition and a store, be it one or eight; so it depends on how many of the rows meet the
// same rows of B. Nothing is marked, as for rows by themselves (window.cpp): sums begin as -0, and what is not -0 at
// the end was met. A product of -0 is looked for only where there may be one: to look at each takes a quarter longer.
// (A byte a column, with the rows that have it: a fifth.)
#if defined(ROWAN_DENSE_TOGETHER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ROWAN_DENSE_TOGETHER_INL
#undef ROWAN_DENSE_TOGETHER_INL
#else
#define ROWAN_DENSE_TOGETHER_INL
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include <hwy/highway.h>

#include "accumulators/candidate.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/layout.hpp"
#include "accumulators/dense/tiny_values.hpp"
#include "lib/core/rises.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

/// Rows of C that were made, and their entries.
struct RowsDone {
  std::int64_t rows = 0, entries = 0;
};

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

/// Eight values in a vector.
template <class T>
struct Eight {
  using D = hn::FixedTag<T, 8>;
  using V = hn::Vec<D>;
  using Met = hn::Mask<D>;
  /// +0 where they are not met.
  static HWY_INLINE V multiply(Met met, V x, T y) { return hn::IfThenElseZero(met, hn::Mul(x, hn::Set(D(), y))); }
  static HWY_INLINE V add(Met met, V sum, V product) { return hn::IfThenElse(met, hn::Add(sum, product), sum); }
  /// -0 is the least of them as whole numbers with a sign.
  using Whole = hn::RebindToSigned<D>;
  using Least = hn::Vec<Whole>;
  static HWY_INLINE Least least(Least least, V v) { return hn::Min(least, hn::BitCast(Whole(), v)); }
  static HWY_INLINE unsigned is_minus_zero(Least v) { return hn::Eq(v, hn::BitCast(Whole(), hn::Set(D(), -T{0}))).raw; }
};

/// The rows of one task, of which some are multiplied together.
template <class T>
class EightTogether {
 public:
  /// `plain` of TogetherLayout's size, `persistent` of TinyValues'.
  EightTogether(const NumericTask<T>& t, std::byte* plain, std::byte* persistent)
      : t_(t), a_(t.a), b_(t.b), far_(is_far(t.b)), tiny_(b_, persistent) {
    const TogetherLayout layout(t.extent, sizeof(T));
    columns_ = layout.columns, row_words_ = layout.row_words;
    next_ = columns_ == 0 || t.rows == nullptr ? t.last : t.first;
    window_ = reinterpret_cast<T*>(plain);
    x_ = reinterpret_cast<T*>(plain + layout.window);
    bits_ = reinterpret_cast<Word*>(plain + layout.window + layout.x);
    list_ = reinterpret_cast<std::uint32_t*>(plain + layout.window + layout.x + layout.bits);
    met_ = reinterpret_cast<std::uint8_t*>(plain + layout.window + layout.x + layout.bits + layout.list);
  }

  /// The first row from `i` on that multiply() may take, `last` where there is none before.
  [[nodiscard]] std::int64_t next(std::int64_t i, std::int64_t last) const { return HWY_MIN(HWY_MAX(i, next_), last); }

  /// Rows from i on to `col` and `val`, one after another: how many rows, and their entries. None where that would be
  /// no faster than one row after another, or where a product is -0; then nothing is done.
  HWY_INLINE RowsDone multiply(std::int64_t i, std::uint32_t* word_list, Column* col, T* val) {
    if (i < next_ || t_.last - i < kFewestTogether) return {};
    const RowsDone done = multiply_if_shared(i, word_list, col, val);
    refused_ = done.rows > 0 ? 0 : HWY_MIN(2 * refused_ + 1, kMostRefused);
    next_ = i + refused_ * kRowsTogether;
    return done;
  }

 private:
  using E = Eight<T>;
  static constexpr std::int64_t kMostRefused = 32;   // eights of rows that are not tried after some that did not share
  static constexpr std::int64_t kLeastProducts = 8;  // of an entry of A: to list it takes as long as a few
  static constexpr std::int64_t kLeastFilled = 10;   // products for each column of the span, which is read and filled
  static constexpr std::int64_t kLeastShared = 5;    // quarters: rows of B that are met, for four that are read

  HWY_NOINLINE RowsDone multiply_if_shared(std::int64_t i, std::uint32_t* word_list, Column* col, T* val) {
    begin(i);
    const std::int64_t span = std::int64_t{hi_} - lo_ + 1, words = words_of(span);
    const std::int64_t of_a = a_.ptr[i + rows_] - a_.ptr[i];
    if (span > columns_ || nprod_ < kLeastFilled * span || nprod_ < kLeastProducts * of_a) return {};
    // only where columns rise products are added in the order of A's entries
    for (std::int64_t r = 0; r < rows_; r++)
      if (!rises(a_.col + at_[r], a_.col + end_[r])) return {};
    std::int64_t entries = gather();
    if (entries * 4 < n_ * kLeastShared) return {};
    if (filled_ == 0) std::fill_n(bits_, kRowsTogether * row_words_, 0);
    if (filled_ < words) std::fill_n(window_, words * 64 * kRowsTogether, -T{0}), filled_ = words;
    const bool watched = tiny_.may_vanish(a_.val + a_.ptr[i], of_a, nprod_);
    bool told = true;
    for (; entries > 0; entries = gather()) told &= watched ? add<true>() : add<false>();
    std::int64_t k = 0;
    if (told) {
      find_met(words);
      for (std::int64_t r = 0; r < rows_; r++) {
        const std::int64_t n = take_columns(bits_ + r * row_words_, words, lo_, word_list, col + k);
        for (std::int64_t e = k; e < k + n; e++)
          val[e] = Ring<T>::add(Ring<T>::zero(), window_[(std::int64_t{col[e]} - lo_) * kRowsTogether + r]);
        t_.nnz[i + r] = static_cast<Offset>(n);
        k += n;
      }
    }
    std::fill_n(window_, words * 64 * kRowsTogether, -T{0});
    return told ? RowsDone{rows_, k} : RowsDone{};
  }

  /// Rows from i on, what they have in all, and how wide a piece of A's columns is listed at a time: half as many as
  /// there is room for, if entries were evenly spread.
  void begin(std::int64_t i) {
    rows_ = HWY_MIN(kRowsTogether, t_.last - i), nprod_ = 0;
    lo_ = std::numeric_limits<Column>::max(), hi_ = -1;
    std::int64_t first = b_.rows, last = -1;
    for (std::int64_t r = 0; r < rows_; r++) {
      const CRow row = t_.rows[i + r];
      at_[r] = a_.ptr[i + r], end_[r] = a_.ptr[i + r + 1];
      same_[r] = r > 0 && row.run.same;
      if (row.nprod == 0) continue;
      nprod_ += row.nprod, lo_ = HWY_MIN(lo_, row.lo), hi_ = HWY_MAX(hi_, row.hi);
      first = HWY_MIN(first, a_.col[at_[r]]), last = HWY_MAX(last, a_.col[end_[r] - 1]);
    }
    const std::int64_t entries = HWY_MAX(a_.ptr[i + rows_] - a_.ptr[i], 1);
    width_ = HWY_MIN(HWY_MAX((last - first + 1) * (kMostTogether / 2) / entries, 64), kMostTogether);
  }

  /// Lists the next rows of B, in order, and the rows' entries of A for each; returns how many entries, 0 at the end.
  std::int64_t gather() {
    std::int64_t from = b_.rows;
    for (std::int64_t r = 0; r < rows_; r++)
      if (at_[r] < end_[r]) from = HWY_MIN(from, a_.col[at_[r]]);
    if (from == b_.rows) return 0;
    Word bits[kMostTogether / 64 + 1] = {};
    std::int64_t stop[kRowsTogether];
    for (std::int64_t r = 0; r < rows_; r++) {
      if (same_[r]) {
        stop[r] = at_[r] + (stop[r - 1] - at_[r - 1]);
        continue;
      }
      std::int64_t e = at_[r];
      for (; e < end_[r] && a_.col[e] - from < width_; e++) mark(bits, static_cast<std::uint32_t>(a_.col[e] - from));
      stop[r] = e;
    }
    std::int64_t before[kMostTogether / 64 + 1];  // listed before a word's
    n_ = 0;
    for (std::int64_t q = 0; q * 64 < width_; q++) {
      before[q] = n_;
      if (bits[q] != 0)
        n_ += write_columns(bits[q], static_cast<std::uint32_t>(q), static_cast<Column>(from),
                            reinterpret_cast<Column*>(list_) + n_);
    }
    std::memset(met_, 0, static_cast<std::size_t>(n_));
    std::int64_t entries = 0;
    for (std::int64_t r = 0, equal; r < rows_; r += equal) {
      equal = 1;
      while (r + equal < rows_ && same_[r + equal]) equal++;
      const std::int64_t n = stop[r] - at_[r];
      const unsigned rows = ((1U << equal) - 1) << r;
      for (std::int64_t e = 0; e < n; e++) {
        const auto at = static_cast<std::uint64_t>(a_.col[at_[r] + e] - from);
        const Word below = bits[at / 64] & ((Word{1} << (at % 64)) - 1);
        const std::int64_t u = before[at / 64] + std::popcount(below);
        met_[u] = static_cast<std::uint8_t>(met_[u] | rows);
        for (std::int64_t s = r; s < r + equal; s++) x_[u * kRowsTogether + s] = a_.val[at_[s] + e];
      }
      entries += n * equal;
    }
    std::copy_n(stop, rows_, at_);
    return entries;
  }

  /// Adds the listed rows of B's products; false where one is -0. Watched: one may be.
  template <bool Watched>
  HWY_NOINLINE bool add() {
    const Operand<T> b = b_;
    const T* const x = x_;
    const std::uint32_t* const list = list_;
    constexpr std::uintptr_t kBytes = kRowsTogether * sizeof(T);  // of a column
    std::uintptr_t window = reinterpret_cast<std::uintptr_t>(window_) - static_cast<std::uint32_t>(lo_) * kBytes;
    asm("" : "+r"(window));  // else g++ subtracts lo_ from each column
    typename E::Least least = hn::Zero(typename E::Whole());
    for (std::int64_t u = 0, n = n_; u < n; u++) {
      if (far_ && u + 2 < n) {
        hwy::Prefetch(b.col + b.ptr[list[u + 2]]);
        hwy::Prefetch(b.val + b.ptr[list[u + 2]]);
      }
      const typename E::Met met{met_[u]};
      const typename E::V eight = hn::LoadU(typename E::D(), x + u * kRowsTogether);
      const auto add_entry = [&](std::int64_t l) HWY_ATTR {
        const auto column = static_cast<std::uint32_t>(b.col[l]);
        auto* const sums = reinterpret_cast<T*>(window + column * kBytes);
        const typename E::V product = E::multiply(met, eight, b.val[l]);
        if constexpr (Watched) least = E::least(least, product);
        hn::StoreU(E::add(met, hn::LoadU(typename E::D(), sums), product), typename E::D(), sums);
      };
      std::int64_t l = b.ptr[list[u]];
      const std::int64_t end = b.ptr[list[u] + 1];
      for (; l + 4 <= end; l += 4) add_entry(l), add_entry(l + 1), add_entry(l + 2), add_entry(l + 3);
      for (; l < end; l++) add_entry(l);
    }
    return E::is_minus_zero(least) == 0;
  }

  /// A bitmap for each row of the columns whose sums are not -0.
  void find_met(std::int64_t words) {
    for (std::int64_t q = 0; q < words * 8; q++) {
      const auto* const whole = reinterpret_cast<const hn::TFromD<typename E::Whole>*>(window_) + q * 8 * kRowsTogether;
      Word rows = 0;  // byte c: the rows that have column c
      for (int c = 0; c < 8; c++)
        rows |= Word{E::is_minus_zero(hn::LoadU(typename E::Whole(), whole + c * kRowsTogether)) ^ 0xff} << 8 * c;
      const Word columns = transposed_bits(rows);
      for (std::int64_t r = 0; r < rows_; r++)
        reinterpret_cast<std::uint8_t*>(bits_ + r * row_words_)[q] = static_cast<std::uint8_t>(columns >> 8 * r);
    }
  }

  /// Bit r of byte c becomes bit c of byte r (Warren, Hacker's Delight, section 7-3).
  static HWY_INLINE Word transposed_bits(Word x) {
    Word swap = (x ^ (x >> 7)) & 0x00aa00aa00aa00aa;
    x ^= swap ^ (swap << 7);
    swap = (x ^ (x >> 14)) & 0x0000cccc0000cccc;
    x ^= swap ^ (swap << 14);
    swap = (x ^ (x >> 28)) & 0x00000000f0f0f0f0;
    return x ^ swap ^ (swap << 28);
  }

  const NumericTask<T>& t_;
  const Operand<T> a_, b_;
  const bool far_;
  TinyValues<T> tiny_;
  T* window_;            // eight sums for each column from lo_ on
  T* x_;                 // eight entries of A for each listed row of B
  Word* bits_;           // the rows' columns
  std::uint32_t* list_;  // rows of B
  std::uint8_t* met_;    // the rows that meet it
  std::int64_t columns_, row_words_;
  std::int64_t filled_ = 0;          // words of the window that are -0
  std::int64_t next_, refused_ = 0;  // the first row that is tried again, and how many eights are left out
  // of the rows in hand
  std::int64_t rows_ = 0, nprod_ = 0;
  Column lo_ = 0, hi_ = -1;
  std::int64_t at_[kRowsTogether] = {}, end_[kRowsTogether] = {};  // each row's next entry of A, and its end
  bool same_[kRowsTogether] = {};                                  // it has the pattern of the row before
  std::int64_t width_ = 0, n_ = 0;  // columns of A that are listed at a time, rows listed
};

template <class T>
using Together = EightTogether<T>;

#else

/// Without masks of lanes: no rows are.
template <class T>
struct NoneTogether {
  NoneTogether(const NumericTask<T>&, std::byte*, std::byte*) {}
  [[nodiscard]] std::int64_t next(std::int64_t, std::int64_t last) const { return last; }
  RowsDone multiply(std::int64_t, std::uint32_t*, Column*, T*) { return {}; }
};
template <class T>
using Together = NoneTogether<T>;

#endif

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
