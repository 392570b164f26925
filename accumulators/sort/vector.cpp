// sort-vector. Each row's products are sorted within registers, up to 32 of them, and no branch depends on a row:
//   expand   the products of a block of rows to a buffer in the first-level cache: a vector of a row of B at a time.
//            The next row of B writes over what was too much, so no branch depends on where rows end
//   sort     keys (column - lo) << bits | position of 8, 16 or 32 products within one or two vectors; two rows of up to
//            eight products share one
//   sum      equal columns are neighbours: a column's first product takes the next one up, a lane at a time, for as
//   many
//            steps as nearly all rows need (AVX-512), then first products are stored side by side
// (Without AVX-512 rows are sorted one after another, and summed one product after another.) What it saves beside sort,
// which takes eight rows side by side: transposing, and filling rows up to the longest of eight. Rows of more than 32
// products are added where they stand in C, as dense-spa does. Scratch: 14 KiB, and 4 bytes a column of the span.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/sort/vector.cpp"
#include <variant>

#include <hwy/foreach_target.h>

#include "accumulators/common/short_rows-inl.hpp"
#include "accumulators/common/unsorted_row-inl.hpp"
#include "accumulators/sort/candidate.hpp"
#include "accumulators/sort/registers-inl.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::sort::HWY_NAMESPACE {
using namespace rowan::HWY_NAMESPACE;

template <class T>
using Ring = rowan::HWY_NAMESPACE::PlusTimes<T>;

constexpr std::int64_t kProducts = 1024, kRows = 64, kEntries = 512;  // of a block
constexpr std::int64_t kListSlack = 64;                               // behind its lists, as a step may read or write

/// The products of a block of rows: of entry k of A from at[k - first entry] on.
template <class T>
struct ProductBlock {
  T* val;
  Column* col;
  std::int32_t* at;

  explicit ProductBlock(std::byte* scratch)
      : val(reinterpret_cast<T*>(scratch)),
        col(reinterpret_cast<Column*>(val + kProducts + kListSlack)),
        at(reinterpret_cast<std::int32_t*>(col + kProducts + kListSlack)) {}
  static constexpr std::size_t bytes(std::size_t value_bytes) {
    return (kProducts + kListSlack) * (value_bytes + sizeof(Column)) + (kEntries + 16) * sizeof(std::int32_t);
  }
};

/// The row behind the last that a block from r on may have, by entries of A.
HWY_INLINE std::int64_t block_end(const Pattern& a, std::int64_t r, std::int64_t last) {
  std::int64_t end = HWY_MIN(last, r + kRows);
  while (end > r && a.ptr[end] - a.ptr[r] > kEntries) end = r + (end - r) / 2;
  return end;
}

/// Products of rows from r on, as far as there is room for them; returns the row behind the last.
template <bool Far, class T>
HWY_NOINLINE std::int64_t expand(const UnsortedTask<T>& t, std::int64_t r, std::int64_t last,
                                 const ProductBlock<T>& block) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint32_t, 8> dc;
  const hn::CappedTag<T, 8> dv;
  constexpr auto kStep = static_cast<std::int64_t>(hn::MaxLanes(dc));
  const Operand<T>&a = t.a, &b = t.b;
  const std::int64_t whole = b.nnz() - kStep, first = a.ptr[r];
  std::int64_t end = block_end(a, r, last);
  std::int64_t n = 0;
  block.at[0] = 0;
  for (std::int64_t k = first, stop = a.ptr[end]; k < stop; k++) {
    if constexpr (Far)
      if (k < t.prefetch_end) prefetch_followed(a, b, k, kRowsAhead);
    const std::int64_t from = b.ptr[a.col[k]], to = b.ptr[a.col[k] + 1], length = to - from;
    if (HWY_UNLIKELY(n + length > kProducts)) {
      while (a.ptr[end] > k) end--;
      return end;
    }
    const T x = a.val[k];
    Column* const columns = block.col + n;
    T* const products = block.val + n;
    if (HWY_LIKELY(to <= whole)) {
      std::int64_t e = 0;
      do {
        hn::StoreU(hn::LoadU(dc, reinterpret_cast<const std::uint32_t*>(b.col + from + e)), dc,
                   reinterpret_cast<std::uint32_t*>(columns + e));
        for (std::int64_t v = 0; v < kStep; v += static_cast<std::int64_t>(hn::Lanes(dv)))
          hn::StoreU(
              Ring<T>::add(Ring<T>::zero(dv), Ring<T>::multiply(hn::Set(dv, x), hn::LoadU(dv, b.val + from + e + v))),
              dv, products + e + v);
        e += kStep;
      } while (HWY_UNLIKELY(e < length));
    } else {
      for (std::int64_t e = 0; e < length; e++) {
        columns[e] = b.col[from + e];
        products[e] = Ring<T>::add(Ring<T>::zero(), Ring<T>::multiply(x, b.val[from + e]));
      }
    }
    n += length;
    block.at[k - first + 1] = static_cast<std::int32_t>(n);
  }
  return end;
}

/// The same where rows of B have at most one entry: entries of A are not passed one row of B at a time.
template <bool Far, class T>
HWY_NOINLINE std::int64_t expand_single(const UnsortedTask<T>& t, std::int64_t r, std::int64_t last,
                                        const ProductBlock<T>& block) {
  const Operand<T>&a = t.a, &b = t.b;
  const std::int64_t first = a.ptr[r], last_entry = b.nnz() - 1;
  const std::int64_t end = block_end(a, r, last);
  std::int64_t n = 0;
  block.at[0] = 0;
  for (std::int64_t k = first, stop = a.ptr[end]; k < stop; k++) {
    if constexpr (Far)
      if (k < t.prefetch_end) prefetch_followed(a, b, k, kRowsAhead);
    const std::int64_t row = a.col[k], from = b.ptr[row], at = HWY_MIN(from, last_entry);
    block.col[n] = b.col[at];
    block.val[n] = Ring<T>::add(Ring<T>::zero(), Ring<T>::multiply(a.val[k], b.val[at]));
    n += b.ptr[row + 1] - from;
    block.at[k - first + 1] = static_cast<std::int32_t>(n);
  }
  return end;
}

/// A row as it comes, beyond what registers take or a block holds.
template <class T>
class LongRows {
 public:
  LongRows(const NumericTask<T>& t, std::byte* scratch)
      : positions_(t.scratch.persistent, t.extent.span_max),
        old_(reinterpret_cast<T*>(scratch)),
        most_(t.extent.bound_max) {}
  /// `add_up` is called with what add_up_row and add_up_products take behind the products.
  template <class F>
  std::int64_t row(Column lo, Column* col, T* val, const F& add_up) {
    const std::int64_t begin = positions_.begin_row(most_);
    const std::int64_t n = add_up(lo, positions_.of_column(), begin, col, val);
    positions_.end_row(n);
    sort_row<T>({col, val, n, positions_.of_column(), begin, lo}, old_, sorter_);
    return n;
  }

 private:
  ColumnPositions positions_;
  T* old_;
  std::int64_t most_;
  hwy::Sorter sorter_;
};

/// Rows of a block whose products are expanded: row r of them has products [begin[r], begin[r + 1]).
template <class T>
struct BlockRows {
  const Column* columns;
  const T* products;
  const CRow* measured;  // or null
  std::int32_t begin[kRows + 1];
  std::int64_t count;
  std::int32_t longest;   // products of a row
  std::int64_t beyond_8;  // rows of more products

  [[nodiscard]] HWY_INLINE std::size_t length(std::int64_t r) const {
    return static_cast<std::size_t>(begin[r + 1] - begin[r]);
  }
  [[nodiscard]] HWY_INLINE Column lo(std::int64_t r) const { return measured == nullptr ? 0 : measured[r].lo; }
};

template <class T>
HWY_INLINE void find_rows(const NumericTask<T>& t, std::int64_t first, std::int64_t end, const ProductBlock<T>& block,
                          BlockRows<T>& out) {
  out.columns = block.col, out.products = block.val;
  out.measured = t.rows == nullptr ? nullptr : t.rows + first;
  out.count = end - first, out.longest = 0, out.beyond_8 = 0;
  const Offset* const ptr = t.a.ptr + first;
  std::int32_t begin = out.begin[0] = 0;
  for (std::int64_t r = 0; r < out.count; r++) {
    const std::int32_t next = block.at[ptr[r + 1] - ptr[0]], length = next - begin;
    out.begin[r + 1] = begin = next;
    out.longest = HWY_MAX(out.longest, length), out.beyond_8 += length > 8 ? 1 : 0;
  }
}

/// A block's entries go to `col` and `val`, each row's number of entries to nnz.
template <class T>
struct BlockTarget {
  Offset* nnz;
  Column* col;
  T* val;
};

template <class T>
HWY_INLINE std::int64_t add_up_long_row(const BlockRows<T>& rows, std::int64_t r, LongRows<T>& long_rows, Column* col,
                                        T* val) {
  const auto add_up = [&](auto... to) HWY_ATTR {
    return add_up_products(rows.columns + rows.begin[r], rows.products + rows.begin[r],
                           static_cast<std::int64_t>(rows.length(r)), to...);
  };
  return long_rows.row(rows.lo(r), col, val, add_up);
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

/// By how many products the rows have.
struct StepGuesses {
  StepGuess of_8, of_16, of_32;
};

/// Rows [r, r + Count) of the block, of up to N products each; pairs of rows where N is 8. Their entries go behind k
/// others; returns how many are there then.
template <std::size_t N, std::size_t Count, class T>
HWY_INLINE std::int64_t sort_some(const BlockRows<T>& block, std::int64_t r, const BlockTarget<T>& to, std::int64_t k,
                                  StepGuesses& guess) {
  ShortColumns of[Count];
  const T* products[Count];
  for (std::size_t s = 0; s < Count; s++) {
    const std::int64_t row = r + static_cast<std::int64_t>(s);
    of[s] = {block.columns + block.begin[row], block.length(row), block.lo(row)};
    products[s] = block.products + block.begin[row];
  }
  Offset* const nnz = to.nnz + r;
  if constexpr (N == 8 && Count > 1) {
    SortedRow<16, T> pairs[Count / 2];
    sort_pairs(of, products, guess.of_8, pairs);
    for (std::size_t p = 0; p < Count / 2; p++) {
      k += store(pairs[p], to.col + k, to.val + k);
      nnz[2 * p] = static_cast<Offset>(std::popcount(pairs[p].head & 0xff));
      nnz[2 * p + 1] = static_cast<Offset>(std::popcount(pairs[p].head >> 8));
    }
  } else {
    SortedRow<N, T> rows[Count];
    sort_rows(of, products, N == 8 ? guess.of_8 : N == 16 ? guess.of_16 : guess.of_32, rows);
    for (std::size_t s = 0; s < Count; s++) {
      const std::int64_t n = store(rows[s], to.col + k, to.val + k);
      nnz[s] = static_cast<Offset>(n), k += n;
    }
  }
  return k;
}

// One function a kind of block, not inlined: each holds its pointers and masks in registers.

/// All rows have up to N products.
template <std::size_t N, class T>
HWY_NOINLINE std::int64_t sort_block(const BlockRows<T>& rows, const BlockTarget<T>& to, StepGuesses& steps) {
  StepGuesses guess = steps;
  std::int64_t k = 0, r = 0;
  for (; r + 4 <= rows.count; r += 4) k = sort_some<N, 4>(rows, r, to, k, guess);
  for (; r < rows.count; r++) k = sort_some<N, 1>(rows, r, to, k, guess);
  steps = guess;
  return k;
}

/// Rows of any length, two together where they are alike.
template <class T>
HWY_NOINLINE std::int64_t sort_mixed_block(const BlockRows<T>& rows, const BlockTarget<T>& to, StepGuesses& steps,
                                           LongRows<T>& long_rows) {
  StepGuesses guess = steps;
  std::int64_t k = 0;
  for (std::int64_t r = 0; r < rows.count;) {
    const std::size_t first = rows.length(r), second = r + 1 < rows.count ? rows.length(r + 1) : kShortRow + 1;
    const std::size_t most = HWY_MAX(first, second);
    if (most <= 8) {
      k = sort_some<8, 2>(rows, r, to, k, guess), r += 2;
    } else if (most <= 16) {
      k = sort_some<16, 2>(rows, r, to, k, guess), r += 2;
    } else if (first <= 8) {
      k = sort_some<8, 1>(rows, r, to, k, guess), r++;
    } else if (first <= 16) {
      k = sort_some<16, 1>(rows, r, to, k, guess), r++;
    } else if (most <= kShortRow && second > 16) {
      k = sort_some<32, 2>(rows, r, to, k, guess), r += 2;
    } else if (first <= kShortRow) {
      k = sort_some<32, 1>(rows, r, to, k, guess), r++;
    } else {
      const std::int64_t n = add_up_long_row(rows, r, long_rows, to.col + k, to.val + k);
      to.nnz[r++] = static_cast<Offset>(n), k += n;
    }
  }
  steps = guess;
  return k;
}

template <class T>
HWY_INLINE std::int64_t sort_any_block(const BlockRows<T>& rows, const BlockTarget<T>& to, StepGuesses& guess,
                                       LongRows<T>& long_rows) {
  if (rows.longest <= 8) return sort_block<8>(rows, to, guess);
  if (rows.longest <= 16 && 4 * rows.beyond_8 > rows.count) return sort_block<16>(rows, to, guess);
  return sort_mixed_block(rows, to, guess, long_rows);
}

#else

using StepGuesses = std::monostate;  // nothing is guessed

/// A row of n products, 8, 16 or 32 at most. Every key writes; only a new column moves on.
template <std::size_t N, class T>
HWY_INLINE std::int64_t sort_one_row(const Column* columns, const T* products, std::size_t n, Column lo, Column* col,
                                     T* val) {
  alignas(64) std::uint32_t keys[N];
  make_keys<N>(columns, n, lo, keys);
  sort_short<N>(keys, n, keys);
  constexpr std::uint32_t kPosition = (1U << kPositionBits<N>)-1;
  std::int64_t at = -1;
  std::uint32_t before = ~std::uint32_t{0};
  T sum = Ring<T>::zero();
  for (std::size_t e = 0; e < n; e++) {
    const std::uint32_t column = keys[e] >> kPositionBits<N>;
    const T product = products[keys[e] & kPosition];
    const bool fresh = column != before;
    before = column;
    at += fresh ? 1 : 0;
    sum = fresh ? product : Ring<T>::add(sum, product);
    col[at] = static_cast<Column>(column) + lo, val[at] = sum;
  }
  return at + 1;
}
template <class T>
HWY_INLINE std::int64_t sort_any_block(const BlockRows<T>& rows, const BlockTarget<T>& to, StepGuesses&,
                                       LongRows<T>& long_rows) {
  std::int64_t k = 0;
  for (std::int64_t r = 0; r < rows.count; r++) {
    const Column* const columns = rows.columns + rows.begin[r];
    const T* const products = rows.products + rows.begin[r];
    const std::size_t length = rows.length(r);
    Column* const col = to.col + k;
    T* const val = to.val + k;
    std::int64_t n = 0;
    if (length <= 8)
      n = sort_one_row<8>(columns, products, length, rows.lo(r), col, val);
    else if (length <= 16)
      n = sort_one_row<16>(columns, products, length, rows.lo(r), col, val);
    else if (length <= kShortRow)
      n = sort_one_row<32>(columns, products, length, rows.lo(r), col, val);
    else
      n = add_up_long_row(rows, r, long_rows, col, val);
    to.nnz[r] = static_cast<Offset>(n), k += n;
  }
  return k;
}

#endif

template <bool Far, class T>
std::int64_t vector_rows_of(const NumericTask<T>& t) {
  const ProductBlock<T> block(t.scratch.plain);
  const UnsortedTask<T> task = unsorted_task(t);
  LongRows<T> long_rows(t, t.scratch.plain + ProductBlock<T>::bytes(sizeof(T)));
  BlockRows<T> rows;
  StepGuesses guess;
  const bool single = t.extent.single_b != SingleEntries::no;
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last;) {
    const std::int64_t end = single ? expand_single<Far>(task, i, t.last, block) : expand<Far>(task, i, t.last, block);
    if (end > i) {
      find_rows(t, i, end, block, rows);
      k += sort_any_block<T>(rows, {t.nnz + i, t.col + k, t.val + k}, guess, long_rows);
      i = end;
    } else {
      const auto add_up = [&](auto... to) HWY_ATTR { return add_up_row<Far, false>(task, i, to...); };
      const std::int64_t n = long_rows.row(t.rows == nullptr ? 0 : t.rows[i].lo, t.col + k, t.val + k, add_up);
      t.nnz[i++] = static_cast<Offset>(n), k += n;
    }
  }
  return k;
}

template <class T>
std::int64_t vector_rows(const NumericTask<T>& t) {
  return is_far(t.b, t.extent) ? vector_rows_of<true>(t) : vector_rows_of<false>(t);
}
ROWAN_KERNELS(VectorNumeric, vector_rows, NumericTask)

std::size_t BlockBytes(std::size_t value_bytes) {
  return ProductBlock<double>::bytes(value_bytes);
}

}  // namespace rowan::sort::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::sort {

ROWAN_DISPATCH(std::int64_t, vector_numeric, VectorNumeric, NumericTask)
HWY_EXPORT(BlockBytes);

ScratchBytes vector_scratch(const Extent& extent, std::size_t value_bytes) {
  return {
      .plain = HWY_DYNAMIC_DISPATCH(BlockBytes)(value_bytes) + static_cast<std::size_t>(extent.bound_max) * value_bytes,
      .persistent = ColumnPositions::bytes(extent.span_max)};
}

}  // namespace rowan::sort
#endif
