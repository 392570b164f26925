// sort. A batch of rows, one a lane, goes through three steps together:
//   gather   keys (column - lo) << S | position, and products, to the row's own lists: a vector at a time, and the next
//            row of B writes over what was too much, for where rows of B end no branch predictor knows
//   network  keys transposed so that a row is a lane; all lanes sorted together, O(n log^2 n) vector steps for the
//   longest
//            row's n; about 2 cycles a step
//   emit     equal columns are neighbours, in order of position, that is of A's entries; summed without a branch
// Rows of the next batch are gathered between those that are emitted: what they wait for from memory arrives while sums
// wait for each other.
// Scratch: twice 512 vectors of keys (16 KiB each) and twice 512 products a lane; of short rows all that is used stays
// in the first-level cache.
// A row of many products that has a dominant row is sorted by itself: its keys rise but for a few, which are put
// between the others (a circuit with hubs of 400 wires: half of its time was the network).
// A row whose positions and column distances do not fit 32 bits together (from 2^23 columns with 512 products to 2^31
// with two) is sorted by itself, with keys of 64 bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/sort/host.cpp"
#include <algorithm>
#include <bit>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>

#include "accumulators/common/dominant.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/common/rising_sort-inl.hpp"
#include "accumulators/common/transpose-inl.hpp"
#include "accumulators/sort/candidate.hpp"
#include "accumulators/sort/network-inl.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/plus_times-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::sort::HWY_NAMESPACE {

template <class T>
using Ring = rowan::HWY_NAMESPACE::PlusTimes<T>;

constexpr Key kLast = ~Key{0};  // behind a row's last key
/// The same, one less: no row that is filled up has a greater key, since one of 2^23 columns and 512 products is not.
/// (Of equal bytes g++ makes a call of memset.)
constexpr Key kPadding = kLast - 1;
constexpr std::int64_t kPrefetch = 16;

/// Rows [from, to) go through the network together: no more than lanes, and none so short beside a long one that its
/// lane would mostly sort padding.
struct SortBatch {
  std::int64_t from, to;
  std::int64_t shortest, longest;
  std::int64_t keys = 0;  // of each lane, with padding
  int shift = 0;          // bits of a position

  SortBatch(const CRow* rows, std::int64_t first, std::int64_t last) : from(first), to(first), shortest(0), longest(0) {
    if (first == last) return;
    shortest = longest = rows[first].nprod;
    const std::int64_t most = HWY_MIN(last, first + static_cast<std::int64_t>(kLanes));
    for (to++; to < most; to++) {
      const std::int64_t n = rows[to].nprod, least = HWY_MIN(shortest, n), greatest = HWY_MAX(longest, n);
      if (greatest > 4 * least + 16) break;
      shortest = least, longest = greatest;
    }
    keys = static_cast<std::int64_t>(padded(static_cast<std::size_t>(longest)));
    shift = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest > 0 ? longest - 1 : 0)));
  }
};

constexpr std::size_t kSlack = 16;                        // behind each list, as a step may write; a cache line of keys
constexpr std::size_t kKeySlack = kMaxProducts + kSlack;  // as padding may

alignas(32) constexpr Key kCount[8] = {0, 1, 2, 3, 4, 5, 6, 7};  // hn::Iota of a variable is built in memory

/// Row i's keys and products, of a row of B `Step` together; up to Step - 1 more are read and written. Entries of A
/// before `prefetch_end` prefetch. (a and b are copies so that g++ keeps their pointers in registers: it takes a
/// vector's store for one that may change them.)
// gather and emit are calls: inlined into one loop nest their counters no longer fit the registers (a third slower).
template <std::size_t Step, class T>
HWY_NOINLINE void gather(const NumericTask<T>& t, std::int64_t i, int shift, std::int64_t prefetch_end, Key* keys,
                         T* products) {
  const hn::CappedTag<Key, Step> dk;
  const hn::CappedTag<T, Step> dv;
  const Operand<T> a = t.a, b = t.b;
  const std::int64_t whole = b.nnz() - static_cast<std::int64_t>(Step);
  const auto count = hn::Load(dk, kCount);
  // (column - lo) << shift | position, for all positions of 0 below: they take up no more than `shift` bits
  Key position = Key{0} - (static_cast<Key>(t.rows[i].lo) << shift);
  for (std::int64_t k = a.ptr[i], end = a.ptr[i + 1]; k < end; k++) {
    if (k < prefetch_end) prefetch_followed(a, b, k, kPrefetch);
    const T x = a.val[k];
    const std::int64_t begin = b.ptr[a.col[k]], last = b.ptr[a.col[k] + 1], n = last - begin;
    const Column* const col = b.col + begin;
    const T* const val = b.val + begin;
    if (HWY_LIKELY(last <= whole)) {
      std::int64_t e = 0;
      do {  // most rows of B take one step
        const auto column = hn::LoadU(dk, reinterpret_cast<const Key*>(col) + e);
        const auto positions = hn::Add(count, hn::Set(dk, position + static_cast<Key>(e)));
        hn::StoreU(hn::Add(hn::ShiftLeftSame(column, shift), positions), dk, keys + e);
        for (std::size_t v = 0; v < hn::Lanes(dk); v += hn::Lanes(dv))
          hn::StoreU(Ring<T>::multiply(hn::Set(dv, x), hn::LoadU(dv, val + e + static_cast<std::int64_t>(v))), dv,
                     products + e + v);
        e += static_cast<std::int64_t>(hn::Lanes(dk));
      } while (HWY_UNLIKELY(e < n));
    } else {
      for (std::int64_t e = 0; e < n; e++) {
        keys[e] = (static_cast<Key>(col[e]) << shift) + position + static_cast<Key>(e);
        products[e] = Ring<T>::multiply(x, val[e]);
      }
    }
    keys += n, products += n;
    position += static_cast<Key>(n);
  }
}

/// Sorted keys, kStride apart, to a row of C. Every key writes; only a new column moves on. Whether a key is new is as
/// good as random, so the sum is cut off by a mask: with a branch, which g++ makes of a condition, delaunay took a
/// fifth more.
template <std::int64_t kStride, class T>
HWY_NOINLINE std::int64_t emit(const Key* keys, std::int64_t n, int shift, const T* products, Column lo, Column* col,
                               T* val) {
  if (n == 0) return 0;
  using Bits = hwy::UnsignedFromSize<sizeof(T)>;
  static constexpr Bits kKeep[2] = {~Bits{0}, 0};
  const hn::CappedTag<T, 1> d;
  const hn::RebindToUnsigned<decltype(d)> bits;
  const Key positions = (Key{1} << shift) - 1;
  std::int64_t at = -1;
  Key before = kLast;
  auto sum = Ring<T>::zero(d);
  for (const Key* const end = keys + n * kStride; keys != end; keys += kStride) {
    const Key c = *keys >> shift;
    const bool fresh = c != before;
    before = c;
    at += fresh;
    sum = Ring<T>::add(hn::And(sum, hn::BitCast(d, hn::LoadU(bits, kKeep + fresh))),
                       hn::LoadU(d, products + (*keys & positions)));
    col[at] = static_cast<Column>(c) + lo;
    hn::StoreU(sum, d, val + at);
  }
  return at + 1;
}

/// Transposes rows' lists to lanes. All eight lanes are written, whatever rows there are: the others are not read.
HWY_INLINE void transpose_rows(const Key* of_rows, const SortBatch& batch, Key* keys) {
  using namespace rowan::HWY_NAMESPACE;
  if constexpr (kLanes == 8)
    for (std::int64_t e = 0; e < batch.keys; e += 8) transpose_eight(of_rows + e, batch.keys, keys + e * 8, 8);
  else
    transpose_tile(of_rows, batch.to - batch.from, batch.keys, batch.keys, keys, std::int64_t{kLanes});
}

/// Rows [t.first, t.last), whose keys fit 32 bits.
template <class T>
std::int64_t sort_narrow_rows(const NumericTask<T>& t) {
  constexpr std::int64_t kAll = kMaxProducts * static_cast<std::int64_t>(kLanes);
  auto* keys = reinterpret_cast<Key*>(t.scratch.plain);
  Key* const of_rows = keys + kAll;
  auto* products = reinterpret_cast<T*>(of_rows + kAll + kKeySlack);
  T* products_next = products + kAll + kSlack;
  const std::int64_t prefetch_end = is_far(t.b, t.extent) ? t.a.nnz() - 2 * kPrefetch : 0;

  const auto gather_row = [&](const SortBatch& batch, std::int64_t g) HWY_ATTR {
    Key* const mine = of_rows + (g - batch.from) * batch.keys;
    T* const its_products = products_next + (g - batch.from) * batch.longest;
    if (t.rows[g].b_max <= 4)  // of short rows of B no more than their cache lines are read
      gather<HWY_MIN(kLanes, 4)>(t, g, batch.shift, prefetch_end, mine, its_products);
    else
      gather<kLanes>(t, g, batch.shift, prefetch_end, mine, its_products);
    const KeyTag d;
    Key* const end = mine + t.rows[g].nprod;
    // as much as for the shortest row, over the next row's keys: the loop's length is the same for all, so predicted
    for (std::int64_t e = 0; e < batch.keys - batch.shortest; e += static_cast<std::int64_t>(kLanes))
      hn::StoreU(hn::Set(d, kPadding), d, end + e);
  };

  std::int64_t k = 0;
  SortBatch next(t.rows, t.first, t.last);
  for (std::int64_t g = next.from; g < next.to; g++) gather_row(next, g);
  while (next.from < next.to) {
    const SortBatch batch = next;
    next = SortBatch(t.rows, batch.to, t.last);
    transpose_rows(of_rows, batch, keys);
    sort_columns(keys, static_cast<std::size_t>(batch.keys));
    std::swap(products, products_next);
    std::int64_t ahead = next.from;
    for (std::int64_t g = batch.from; g < batch.to; g++) {
      const std::int64_t lane = g - batch.from;
      k += t.nnz[g] = emit<kLanes>(keys + lane, t.rows[g].nprod, batch.shift, products + lane * batch.longest,
                                   t.rows[g].lo, t.col + k, t.val + k);
      if (ahead < next.to) gather_row(next, ahead++);
    }
    for (; ahead < next.to; ahead++) gather_row(next, ahead);
  }
  return k;
}

/// Whether a row's keys fit 32 bits.
HWY_INLINE bool fits_narrow_keys(const CRow& row) {
  const auto shift = std::bit_width(static_cast<std::uint64_t>(row.nprod > 0 ? row.nprod - 1 : 0));
  return row.span() <= std::int64_t{1} << (32 - shift);
}

/// Products of a row that may be sorted by itself.
constexpr std::int64_t kMany = 128;

HWY_INLINE bool is_sorted_by_itself(const CRow& row) {
  return row.nprod >= kMany && has_dominant_row(row);
}

/// Where rows from `first` on end that can be sorted together: the widest of them fits beside the longest, which all do
/// where they are `narrow`, and none is sorted by itself.
HWY_INLINE std::int64_t end_of_narrow_rows(const CRow* rows, std::int64_t first, std::int64_t last, bool narrow) {
  std::int64_t end = first;
  for (CRow both; end < last && !is_sorted_by_itself(rows[end]); end++) {
    if (narrow) continue;  // as long as the longest, as wide as the widest
    both.nprod = HWY_MAX(both.nprod, rows[end].nprod), both.hi = HWY_MAX(both.hi, rows[end].hi - rows[end].lo);
    if (!fits_narrow_keys(both)) break;
  }
  return end;
}

/// Row i by keys of 64 bits: the column above the product's position.
template <class T>
HWY_NOINLINE std::int64_t sort_wide_row(const NumericTask<T>& t, std::int64_t i, hwy::Sorter& sorter,
                                        std::uint64_t* keys, T* products, Column* col, T* val) {
  constexpr std::int64_t kSortBySimd = 64;  // below this std::sort is faster than starting vqsort
  std::size_t n = 0;
  for (std::int64_t k = t.a.ptr[i]; k < t.a.ptr[i + 1]; k++) {
    const T x = t.a.val[k];
    for (std::int64_t b = t.b.ptr[t.a.col[k]], end = t.b.ptr[t.a.col[k] + 1]; b < end; b++, n++) {
      keys[n] = static_cast<std::uint64_t>(t.b.col[b]) << 32 | n;
      products[n] = Ring<T>::multiply(x, t.b.val[b]);
    }
  }
  if (n < kSortBySimd)
    std::sort(keys, keys + n);
  else
    sorter(keys, n, hwy::SortAscending());
  std::int64_t at = -1;
  T sum = Ring<T>::zero();
  for (std::size_t e = 0; e < n; e++) {
    const auto column = static_cast<Column>(keys[e] >> 32);
    if (at < 0 || column != col[at]) col[++at] = column, sum = Ring<T>::zero();
    val[at] = sum = Ring<T>::add(sum, products[static_cast<std::uint32_t>(keys[e])]);
  }
  return at + 1;
}

/// Row i, which has a dominant row: its keys rise but for a few. Keys must fit 32 bits.
template <class T>
HWY_NOINLINE std::int64_t sort_dominant_row(const NumericTask<T>& t, std::int64_t i, hwy::Sorter& sorter, Column* col,
                                            T* val) {
  const CRow& row = t.rows[i];
  auto* const room = reinterpret_cast<Key*>(t.scratch.plain);
  Key* const keys = room + kMaxProducts;
  auto* const products = reinterpret_cast<T*>(keys + kKeySlack);
  const auto shift = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(row.nprod - 1)));
  const std::int64_t prefetch_end = is_far(t.b, t.extent) ? t.a.nnz() - 2 * kPrefetch : 0;
  gather<kLanes>(t, i, shift, prefetch_end, keys, products);
  const auto n = static_cast<std::size_t>(row.nprod);
  if (!rowan::HWY_NAMESPACE::sort_mostly_rising(keys, n, room, sorter)) sorter(keys, n, hwy::SortAscending());
  return emit<1>(keys, row.nprod, shift, products, row.lo, col, val);
}

template <class T>
std::int64_t sort_rows(const NumericTask<T>& t) {
  auto* const wide_keys = reinterpret_cast<std::uint64_t*>(t.scratch.plain);
  auto* const products = reinterpret_cast<T*>(wide_keys + kMaxProducts);
  const bool narrow = t.extent.span_max <= kMaxSpan;
  if (narrow && t.extent.nprod_max < kMany) return sort_narrow_rows(t);
  hwy::Sorter sorter;
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last;) {
    if (!narrow && !fits_narrow_keys(t.rows[i])) {
      k += t.nnz[i] = sort_wide_row(t, i, sorter, wide_keys, products, t.col + k, t.val + k);
      i++;
      continue;
    }
    if (is_sorted_by_itself(t.rows[i])) {
      k += t.nnz[i] = sort_dominant_row(t, i, sorter, t.col + k, t.val + k);
      i++;
      continue;
    }
    NumericTask<T> together = t;
    together.first = i, together.last = end_of_narrow_rows(t.rows, i, t.last, narrow), together.col = t.col + k,
    together.val = t.val + k;
    k += sort_narrow_rows(together);
    i = together.last;
  }
  return k;
}
/// Rows of which nothing was measured: their products are counted here, in a loop without rows, and any column may be
/// theirs.
template <class T>
std::int64_t sort_unmeasured_rows(const NumericTask<T>& t) {
  constexpr std::int64_t kRows = 128, kEntries = 2048;
  CRow rows[kRows];
  std::int32_t products[kEntries + 1];  // before each entry of A
  products[0] = 0;
  NumericTask<T> some = t;
  const auto b_max = static_cast<std::int32_t>(t.b.nnz() / HWY_MAX(t.b.rows, std::int64_t{1}));  // how far to look
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i = some.last) {
    const std::int64_t first = t.a.ptr[i];
    some.first = i, some.last = HWY_MIN(t.last, i + kRows);
    while (t.a.ptr[some.last] - first > kEntries) some.last = i + (some.last - i + 1) / 2;
    std::int32_t n = 0;
    for (std::int64_t e = first, end = t.a.ptr[some.last]; e < end; e++)
      products[e - first + 1] = n += static_cast<std::int32_t>(t.b.length(t.a.col[e]));
    for (std::int64_t r = i; r < some.last; r++) {
      CRow& row = rows[r - i];
      row.nprod = static_cast<Offset>(products[t.a.ptr[r + 1] - first] - products[t.a.ptr[r] - first]);
      row.hi = static_cast<Column>(t.b.cols - 1), row.b_max = b_max;
    }
    some.rows = rows - i, some.col = t.col + k, some.val = t.val + k;
    k += sort_rows(some);
  }
  return k;
}

template <class T>
std::int64_t numeric_rows(const NumericTask<T>& t) {
  return t.rows == nullptr ? sort_unmeasured_rows(t) : sort_rows(t);
}
ROWAN_KERNELS(Numeric, numeric_rows, NumericTask)

void Symbolic(const SymbolicTask& t) {
  auto* keys = reinterpret_cast<Key*>(t.scratch.plain);
  Key* const of_rows = keys + kMaxProducts * kLanes;
  const bool far = is_far(t.b, t.extent);
  for (std::int64_t i = t.first; i < t.last;) {
    const SortBatch batch(t.rows, i, t.last);
    const std::int64_t end = batch.to;
    for (std::int64_t g = i; g < end; g++) {
      Key* to = of_rows + (g - i) * batch.keys;
      Key* const padding = to + batch.keys;
      for (std::int64_t a = t.a.ptr[g]; a < t.a.ptr[g + 1]; a++) {
        if (far) prefetch_b(t.a, t.b, a, kPrefetch);
        const std::int64_t last = t.b.ptr[t.a.col[a] + 1];
        for (std::int64_t b = t.b.ptr[t.a.col[a]]; b < last; b++) *to++ = static_cast<Key>(t.b.col[b]);
      }
      std::fill(to, padding, kLast);
    }
    transpose_rows(of_rows, batch, keys);
    sort_columns(keys, static_cast<std::size_t>(batch.keys));
    for (std::int64_t g = i; g < end; g++) {
      const Key* from = keys + (g - i);
      std::int64_t n = 0;
      Key before = kLast;
      for (std::int64_t e = 0; e < t.rows[g].nprod; e++, from += kLanes) n += *from != before, before = *from;
      t.nnz[g] = n;
    }
    i = end;
  }
}

ScratchBytes Bytes(std::size_t value_bytes) {
  const std::size_t products = static_cast<std::size_t>(kMaxProducts) * kLanes;
  return {0, products * 2 * (sizeof(Key) + value_bytes) + kKeySlack * sizeof(Key) + kSlack * 2 * value_bytes};
}

}  // namespace rowan::sort::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::sort {

ROWAN_DISPATCH(std::int64_t, numeric, Numeric, NumericTask)
HWY_EXPORT(Symbolic);
HWY_EXPORT(Bytes);

ScratchBytes scratch(const Extent& /*extent*/, std::size_t value_bytes) {
  return HWY_DYNAMIC_DISPATCH(Bytes)(value_bytes);
}
void symbolic(const SymbolicTask& task) {
  HWY_DYNAMIC_DISPATCH(Symbolic)(task);
}

}  // namespace rowan::sort
#endif
