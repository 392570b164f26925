// direct-repeat. Rows whose products are those of a row before, moved by some columns: on a regular grid aggregates and
// coarse points repeat every two or three rows, and lines and planes repeat. Where each product goes is found once, by
// the sparse accumulator of dense-spa, and kept (kept_rows.hpp). A row that may be alike adds its values where the kept
// one did, and compares B's columns with the kept ones at the same time, a vector at a time: no table, no sort, no
// branch on a column. If they differ it is added again by the accumulator, and kept. Which kept row comes next is what
// came behind the one before last time, else what a hash finds. O(products) a row.
//
// With AVX-512 C's row is in registers: the values of a row of B are spread to their positions, and added at once.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/direct/repeat.cpp"
#include <bit>

#include <hwy/foreach_target.h>

#include "accumulators/common/compress-inl.hpp"
#include "accumulators/common/short_rows-inl.hpp"
#include "accumulators/common/unsorted_row-inl.hpp"
#include "accumulators/direct/candidate.hpp"
#include "accumulators/direct/kept_rows.hpp"
#include "lib/core/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::direct::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace kn = rowan::HWY_NAMESPACE;
template <class T>
using Ring = kn::PlusTimes<T>;

/// The next row of a task, and where its entries go.
template <class T>
struct NextRow {
  std::int64_t i;
  Column* col;
  T* val;
};

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

/// The sums of a row of C of up to Vectors vectors, in registers.
template <int Vectors, class T>
class SumsInRegisters {
  using D = hn::Full512<T>;
  static constexpr int kLanes = 64 / sizeof(T);

 public:
  static constexpr std::int64_t kMost = Vectors * kLanes;  // entries

  HWY_INLINE SumsInRegisters(T*, std::int64_t) {
#pragma GCC unroll 16
    for (auto& s : sum_) s = Ring<T>::zero(D());
  }
  /// Adds x times a row of B of n values.
  HWY_INLINE void add(T x, std::int64_t, std::uint64_t positions, const std::uint8_t*&, const T* values) {
    const D d;
    const auto xs = hn::Set(d, x);
#pragma GCC unroll 16
    for (int v = 0; v < Vectors; v++) {
      const auto lanes = static_cast<unsigned>(positions >> (v * kLanes)) & ((1U << kLanes) - 1);
      if (Vectors > 1 && lanes == 0) continue;
      const hn::Mask<D> some{static_cast<decltype(hn::Mask<D>::raw)>(lanes)};
      const hn::Vec<D> b{kn::expanded(some.raw, values)};
      sum_[v] = hn::IfThenElse(some, Ring<T>::add(sum_[v], Ring<T>::multiply(xs, b)), sum_[v]);
      values += std::popcount(lanes);
    }
  }
  HWY_INLINE void finish(T* val) const {
#pragma GCC unroll 16
    for (int v = 0; v < Vectors; v++) hn::StoreU(sum_[v], D(), val + v * kLanes);
  }

 private:
  hn::Vec<D> sum_[Vectors];
};

#else

/// The sums of a row of C, where they stay.
template <class T>
class SumsInPlace {
 public:
  static constexpr std::int64_t kMost = kKeptEntries;

  HWY_INLINE SumsInPlace(T* val, std::int64_t nnz) : val_(val) { std::fill_n(val, nnz, Ring<T>::zero()); }
  HWY_INLINE void add(T x, std::int64_t n, std::uint64_t, const std::uint8_t*& position, const T* values) {
    for (std::int64_t l = 0; l < n; l++) {
      T& sum = val_[*position++];
      sum = Ring<T>::add(sum, Ring<T>::multiply(x, values[l]));
    }
  }
  HWY_INLINE void finish(T*) const {}

 private:
  T* val_;
};

#endif

/// Compares the n columns of a row of B, without `base`, with those of a row that was met, `kept`, and steps over
/// these: `differ` stays zero where they are the same. Where `whole`, a multiple of kKeptColumns columns may be read.
template <class D>
HWY_INLINE void compare(D d, const Column* col, std::int64_t n, hn::Vec<D> base, const MetRow& met, bool whole,
                        const Column*& kept, hn::Vec<D>& differ) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  static_cast<void>(d), static_cast<void>(whole);
  const auto next = [&](std::int64_t k, std::uint16_t some) {
    const __m512i moved = _mm512_maskz_sub_epi32(some, _mm512_maskz_loadu_epi32(some, col + k), base.raw);
    differ.raw = _mm512_ternarylogic_epi32(differ.raw, moved, _mm512_load_si512(kept), 0xF0 | (0xCC ^ 0xAA));
    kept += kKeptColumns;
  };
  next(0, met.first_lanes);
  for (std::int64_t k = kKeptColumns; k < n; k += kKeptColumns)
    next(k, static_cast<std::uint16_t>(_bzhi_u32(0xFFFF, static_cast<unsigned>(n - k))));
#else
  static_cast<void>(met);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (whole) {
    for (std::int64_t k = 0; k < n; k += lanes) {
      const auto some = hn::FirstN(d, static_cast<std::size_t>(n - k));
      const auto moved = hn::Sub(hn::LoadU(d, col + k), base);
      differ = hn::Or(differ, hn::IfThenElseZero(some, hn::Xor(moved, hn::Load(d, kept + k))));
    }
  } else {
    for (std::int64_t k = 0; k < n; k++)
      differ = hn::Or(differ, hn::Xor(hn::Sub(hn::Set(d, col[k]), base), hn::Set(d, kept[k])));
  }
  kept += padded(n);
#endif
}

/// Multiplies row at.i where it is like the kept one.
template <class Sums, bool Far, class T>
HWY_INLINE bool repeat_row(const kn::UnsortedTask<T>& t, const KeptRow& like, const NextRow<T>& at) {
  const hn::CappedTag<Column, kKeptColumns> d;
  const std::int64_t begin = t.a.ptr[at.i], end = t.a.ptr[at.i + 1];
  if (end - begin != like.a_nnz || t.b.length(t.a.col[begin]) != like.met[0].length) return false;
  const auto base = hn::Set(d, t.b.col[t.b.ptr[t.a.col[begin]]]);
  const std::int64_t b_nnz = t.b.nnz();
  const MetRow* met = like.met;
  const Column* columns = like.columns;
  const std::uint8_t* position = like.position;
  Sums sums(at.val, like.nnz);
  auto differ = hn::Zero(d);
  for (std::int64_t e = begin; e < end; e++, met++) {
    if constexpr (Far)
      if (e < t.prefetch_end) prefetch_followed(t.a, t.b, e, kn::kRowsAhead);
    const std::int64_t row = t.a.col[e], from = t.b.ptr[row], n = t.b.ptr[row + 1] - from;
    if (n != met->length) return false;
    compare(d, t.b.col + from, n, base, *met, from + padded(n) <= b_nnz, columns, differ);
    sums.add(t.a.val[e], n, met->positions, position, t.b.val + from);
  }
  if (!hn::AllTrue(d, hn::Eq(differ, hn::Zero(d)))) return false;
  sums.finish(at.val);
  for (std::int64_t k = 0; k < like.nnz; k += static_cast<std::int64_t>(hn::Lanes(d)))
    hn::StoreU(hn::Add(hn::Load(d, like.col + k), base), d, at.col + k);
  return true;
}

/// Multiplies rows from `next` on while they are like `like` and those that came behind it, and these have no more
/// entries than Sums take. `last` is then like the last row.
template <class Sums, bool Far, class T>
HWY_NOINLINE void repeat_rows_in(const NumericTask<T>& task, KeptRow* like, KeptRow*& last, NextRow<T>& next) {
  const kn::UnsortedTask<T> t = kn::unsorted_task(task);
  NextRow<T> at = next;
  KeptRow* before = last;
  while (at.i < task.last && like != nullptr && like->nnz <= Sums::kMost && repeat_row<Sums, Far>(t, *like, at)) {
    task.nnz[at.i] = static_cast<Offset>(like->nnz);
    at = {at.i + 1, at.col + like->nnz, at.val + like->nnz};
    before = like, like = like->next;
  }
  next = at, last = before;
}

/// The same, with as many registers as `like` needs.
template <bool Far, class T>
HWY_INLINE void repeat_rows(const NumericTask<T>& task, KeptRow* like, KeptRow*& last, NextRow<T>& next) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if (like->nnz <= SumsInRegisters<1, T>::kMost)
    return repeat_rows_in<SumsInRegisters<1, T>, Far>(task, like, last, next);
  if (like->nnz <= SumsInRegisters<2, T>::kMost)
    return repeat_rows_in<SumsInRegisters<2, T>, Far>(task, like, last, next);
  if (like->nnz <= SumsInRegisters<4, T>::kMost)
    return repeat_rows_in<SumsInRegisters<4, T>, Far>(task, like, last, next);
  if constexpr (SumsInRegisters<4, T>::kMost < kKeptEntries)
    return repeat_rows_in<SumsInRegisters<8, T>, Far>(task, like, last, next);
#else
  repeat_rows_in<SumsInPlace<T>, Far>(task, like, last, next);
#endif
}

template <bool Far, bool FromZero, class T>
std::int64_t multiply_rows_of(const NumericTask<T>& t) {
  ColumnPositions positions(t.scratch.persistent, t.extent.span_max);  // where the symbolic phase has them, too
  auto& kept = *reinterpret_cast<KeptRows*>(t.scratch.persistent + aligned(ColumnPositions::bytes(t.extent.span_max)));
  auto* const old = reinterpret_cast<T*>(t.scratch.plain);
  const kn::UnsortedTask<T> task = kn::unsorted_task(t);
  hwy::Sorter sorter;
  NextRow<T> next{t.first, t.col, t.val};
  kept.last = nullptr;
  while (next.i < t.last) {
    const std::int64_t i = next.i;
    const bool looks = kept.looks() && t.a.length(i) > 0;
    if (looks) {
      KeptRow* const before = kept.last;
      if (before != nullptr && before->next != nullptr) repeat_rows<Far>(t, before->next, kept.last, next);
      if (next.i == i)
        if (KeptRow* const like = kept.slot(t.a, t.b, i); like != nullptr) {
          repeat_rows<Far>(t, like, kept.last, next);
          if (next.i > i && before != nullptr) before->next = like;
        }
      kept.compared(std::max<std::int64_t>(next.i - i, 1), next.i - i);
      if (next.i > i) continue;
    }
    const Column lo = FromZero ? 0 : t.rows[i].lo;
    const std::int64_t begin = positions.begin_row(t.extent.bound_max);
    const std::int64_t n = kn::add_up_row<Far, FromZero>(task, i, lo, positions.of_column(), begin, next.col, next.val);
    if (looks || !t.any_order) kn::sort_row<T>({next.col, next.val, n, positions.of_column(), begin, lo}, old, sorter);
    if (looks) {
      const std::span<const Column> col(next.col, static_cast<std::size_t>(n));
      KeptRow* const row = kept.keep(t.a, t.b, i, col, positions.of_column(), begin, lo);
      if (row != nullptr) kept.slot(t.a, t.b, i) = row;
      if (row != nullptr && kept.last != nullptr) kept.last->next = row;
      kept.last = row;
    }
    positions.end_row(n);
    t.nnz[i] = static_cast<Offset>(n);
    next = {i + 1, next.col + n, next.val + n};
  }
  return next.val - t.val;
}

template <class T>
std::int64_t multiply_rows(const NumericTask<T>& t) {
  const bool far = is_far(t.b, t.extent);
  if (t.rows == nullptr) return far ? multiply_rows_of<true, true>(t) : multiply_rows_of<false, true>(t);
  return far ? multiply_rows_of<true, false>(t) : multiply_rows_of<false, false>(t);
}
ROWAN_KERNELS(RepeatNumeric, multiply_rows, NumericTask)

}  // namespace rowan::direct::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::direct {

ROWAN_DISPATCH(std::int64_t, repeat_numeric, RepeatNumeric, NumericTask)

ScratchBytes repeat_scratch(const Extent& extent, std::size_t value_bytes) {
  return {.plain = static_cast<std::size_t>(extent.bound_max) * value_bytes,
          .persistent = aligned(ColumnPositions::bytes(extent.span_max)) + KeptRows::bytes()};
}

}  // namespace rowan::direct
#endif
