// dense-window. Work O(products + span / 64 + entries) a row; scratch sizeof(T) + 1/8 bytes a column of the span.
// What a profile shows: the update (load, multiply, add, store, and the bit's load, or, store) is bound by the two
// stores; reading out is a tenth to a third of a row.
//
// Rows that fill a good part of their span are not marked: their window begins as -0, the one number that no sum
// comes to, unless all of its products are -0. x + y = -0 only for x = y = -0; so what is not -0 at the end was met. A
// row that has such a product, which is watched, is multiplied again with marks. With AVX-512 eight of such rows are
// multiplied together where they meet the same rows of B (together-inl.hpp).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/dense/window.cpp"
#include <hwy/foreach_target.h>

#include "accumulators/common/prefetch.hpp"
#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/dominant_row-inl.hpp"
#include "accumulators/dense/layout.hpp"
#include "accumulators/dense/tiny_values.hpp"
#include "accumulators/dense/together-inl.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

/// Adds row i's products to the window, whose first column is `base`, and marks their columns. A call: in one function
/// with the rest its pointers no longer fit the registers.
template <class T>
HWY_NOINLINE void add_marked(const NumericTask<T>& t, std::int64_t i, std::uint32_t base, bool far, Word* bits,
                             T* window) {
  const Operand<T> a_rows = t.a, b_rows = t.b;
  for (std::int64_t a = a_rows.ptr[i], last = a_rows.ptr[i + 1]; a < last; a++) {
    if (far) prefetch_b(a_rows, b_rows, a, 4);
    const T x = a_rows.val[a];
    const std::int64_t end = b_rows.ptr[a_rows.col[a] + 1];
    for (std::int64_t b = b_rows.ptr[a_rows.col[a]]; b < end; b++) {
      const std::uint32_t at = static_cast<std::uint32_t>(b_rows.col[b]) - base;
      add_product<Ring<T>>(window[at], x, b_rows.val[b]);
      mark(bits, at);
    }
  }
}

/// Row i. Where nothing was measured all columns, which are few, are its span, and it has products for all of them.
template <class T>
HWY_INLINE CRow row_at(const NumericTask<T>& t, std::int64_t i) noexcept {
  if (t.rows != nullptr) return t.rows[i];
  CRow all;
  all.hi = static_cast<Column>(t.b.cols - 1);
  all.nprod = static_cast<Offset>(t.b.cols);
  return all;
}

/// Whether a row's columns are found by the window's values. Beyond a few thousand columns it must be well filled: all
/// of it is read, and before and after a stretch of such rows it is filled.
[[nodiscard]] HWY_INLINE bool is_unmarked(const CRow& row) noexcept {
  return row.span() <= (row.span() <= kFewColumns ? 4 * row.nprod : row.nprod);
}

/// Adds row i's products to a window of -0; false where one of them is -0.
template <class T>
HWY_INLINE bool add_unmarked(const NumericTask<T>& t, std::int64_t i, std::uint32_t base, bool far, T* window) {
  const hn::CappedTag<T, 1> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  using Bits = hn::TFromD<decltype(du)>;
  const auto minus = hn::Set(du, Bits{1} << (8 * sizeof(T) - 1));
  auto met = hn::Zero(du);
  const Column* const col = t.b.col;
  const T* const val = t.b.val;
  const auto add = [&](const auto x, std::int64_t b) HWY_ATTR {
    T* const sum = window + (static_cast<std::uint32_t>(col[b]) - base);
    const auto product = Ring<T>::multiply(x, hn::LoadU(d, val + b));
    met = hn::Or(met, hn::VecFromMask(du, hn::Eq(hn::BitCast(du, product), minus)));
    hn::StoreU(Ring<T>::add(hn::LoadU(d, sum), product), d, sum);
  };
  for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
    if (far) prefetch_b(t.a, t.b, a, 4);
    const auto x = hn::Set(d, t.a.val[a]);
    std::int64_t b = t.b.ptr[t.a.col[a]];
    const std::int64_t end = t.b.ptr[t.a.col[a] + 1];
    for (; b + 4 <= end; b += 4) add(x, b), add(x, b + 1), add(x, b + 2), add(x, b + 3);
    for (; b < end; b++) add(x, b);
  }
  return hn::GetLane(met) == 0;
}

/// Bits of the columns whose sums are not -0.
template <class T>
HWY_INLINE void find_met(const T* window, std::int64_t words, Word* bits) {
  const hn::CappedTag<T, 16> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 16);
  const auto minus = hn::BitCast(du, hn::Set(d, -T{0}));
  for (std::int64_t q = 0; q < words; q++, window += 64) {
    Word word = 0;
    for (std::size_t v = 0; v < 64; v += kLanes) {
      std::uint8_t mask[8] = {};
      hn::StoreMaskBits(du, hn::Ne(hn::BitCast(du, hn::LoadU(d, window + v)), minus), mask);
      word |= (Word{mask[0]} | (kLanes > 8 ? Word{mask[1]} << 8 : Word{0})) << v;
    }
    bits[q] = word;
  }
}

/// How a row's columns are found: by marks, by the sums that are not -0, or beside a dominant row's.
enum class ColumnSearch : std::uint8_t { marked, unmarked, merged };

/// Rows [first, last), all to be marked or none.
template <bool Marked, class T>
HWY_INLINE std::int64_t add_rows_of_one_kind(const NumericTask<T>& t, std::int64_t first, std::int64_t last, Word* bits,
                                             T* window, std::uint32_t* list, Column* col, T* val) {
  const bool far = is_far(t.b);
  constexpr T kEmpty = Marked ? T{0} : -T{0};
  std::int64_t widest = 0;
  if constexpr (!Marked) {
    for (std::int64_t i = first; i < last; i++) widest = std::max(widest, words_of(row_at(t, i).span()) * 64);
    std::fill_n(window, widest, kEmpty);
  }
  std::int64_t k = 0;
  for (std::int64_t i = first; i < last; i++) {
    const CRow row = row_at(t, i);
    const auto base = static_cast<std::uint32_t>(row.lo);
    const std::int64_t words = words_of(row.span());
    if (Marked) {
      add_marked(t, i, base, far, bits, window);
    } else if (add_unmarked(t, i, base, far, window)) {
      find_met(window, words, bits);
    } else {
      std::fill_n(window, words * 64, kEmpty);
      add_marked(t, i, base, far, bits, window);
    }
    t.nnz[i] = take_columns(bits, words, row.lo, list, col + k);
    take_values(window, row.lo, col + k, t.nnz[i], kEmpty, val + k);
    k += t.nnz[i];
  }
  std::fill_n(window, widest, T{0});
  return k;
}

template <class T>
std::int64_t window_rows(const NumericTask<T>& t) {
  const WindowLayout layout(t.extent, sizeof(T));
  auto* bits = reinterpret_cast<Word*>(t.scratch.zeroed);
  auto* window = reinterpret_cast<T*>(t.scratch.zeroed + layout.bits);
  auto* list = reinterpret_cast<std::uint32_t*>(t.scratch.plain);
  auto* remaining = reinterpret_cast<Column*>(t.scratch.plain + layout.list);
  auto* position = reinterpret_cast<std::uint32_t*>(t.scratch.plain + layout.list + layout.remaining);
  Together<T> together(t, t.scratch.plain + layout.total().plain, t.scratch.persistent);
  const auto kind = [&](std::int64_t i) {
    const CRow row = row_at(t, i);
    return t.extent.sorted_b && has_long_dominant_row(row) ? ColumnSearch::merged
           : is_unmarked(row)                              ? ColumnSearch::unmarked
                                                           : ColumnSearch::marked;
  };
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last;) {
    if (const auto done = together.multiply(i, list, t.col + k, t.val + k); done.rows > 0) {
      i += done.rows, k += done.entries;
      continue;
    }
    const ColumnSearch of_rows = kind(i);
    if (of_rows == ColumnSearch::merged) {
      k += t.nnz[i] = merge_dominant_row(t, i, bits, window, list, remaining, position, t.col + k, t.val + k);
      i++;
      continue;
    }
    const std::int64_t most = together.next(i + 1, t.last);
    std::int64_t end = i + 1;
    while (end < most && kind(end) == of_rows) end++;
    k += of_rows == ColumnSearch::unmarked
             ? add_rows_of_one_kind<false>(t, i, end, bits, window, list, t.col + k, t.val + k)
             : add_rows_of_one_kind<true>(t, i, end, bits, window, list, t.col + k, t.val + k);
    i = end;
  }
  return k;
}
ROWAN_KERNELS(WindowNumeric, window_rows, NumericTask)

/// Marks the columns of row i's products.
template <class Mark>
HWY_INLINE void mark_row(const SymbolicTask& t, std::int64_t i, bool far, Mark* marks) {
  const Pattern a_rows = t.a, b_rows = t.b;
  const auto base = static_cast<std::uint32_t>(t.rows[i].lo);
  for (std::int64_t a = a_rows.ptr[i], last = a_rows.ptr[i + 1]; a < last; a++) {
    if (far) prefetch_b(a_rows, b_rows, a, 4);
    const std::int64_t end = b_rows.ptr[a_rows.col[a] + 1];
    for (std::int64_t b = b_rows.ptr[a_rows.col[a]]; b < end; b++)
      mark(marks, static_cast<std::uint32_t>(b_rows.col[b]) - base);
  }
}

void Symbolic(const SymbolicTask& t) {
  const WindowLayout layout(t.extent, 0);
  auto* const bits = reinterpret_cast<Word*>(t.scratch.zeroed);
  auto* const marks = reinterpret_cast<std::uint8_t*>(t.scratch.zeroed + layout.bits);
  const bool far = is_far(t.b);
  for (std::int64_t i = t.first; i < t.last; i++) {
    const std::int64_t words = words_of(t.rows[i].span());
    if (is_marked_by_bytes(t.rows[i])) {
      mark_row(t, i, far, marks);
      std::int64_t n = 0;
      for (std::int64_t q = 0; q < words; q++) n += std::popcount(take_marks(marks + q * 64));
      t.nnz[i] = static_cast<Offset>(n);
    } else {
      mark_row(t, i, far, bits);
      t.nnz[i] = static_cast<Offset>(take_count(bits, words));
    }
  }
}

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::dense {

ROWAN_DISPATCH(std::int64_t, window_numeric, WindowNumeric, NumericTask)
HWY_EXPORT(Symbolic);

ScratchBytes window_scratch(const Extent& extent, std::size_t value_bytes) {
  ScratchBytes bytes = WindowLayout(extent, value_bytes).total();
  bytes.plain += TogetherLayout(extent, value_bytes).total();
  bytes.persistent = TinyValues<double>::kBytes;
  return bytes;
}
void symbolic(const SymbolicTask& task) {
  HWY_DYNAMIC_DISPATCH(Symbolic)(task);
}

}  // namespace rowan::dense
#endif
