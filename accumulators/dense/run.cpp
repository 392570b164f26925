// dense-run. Up to eight consecutive rows of A with one pattern (unknowns of one node) are multiplied together: the
// window holds their sums of a column side by side, four or eight, so each entry of B is read, looked up and marked
// once and updates all of them, in one vector where it has as many lanes. Consecutive entries of A that meet rows of B
// with one pattern share the lookup too; their products are added one after another, in A's order. Lanes without a row
// hold zeros: left-over bits may be subnormal numbers, which take some processors a hundred times as long.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/dense/run.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "accumulators/common/equal_rows.hpp"
#include "accumulators/common/prefetch.hpp"
#include "accumulators/common/run_values-inl.hpp"
#include "accumulators/common/transpose-inl.hpp"
#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/layout.hpp"
#include "lib/core/dispatch.hpp"
#include "lib/core/stream-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

using rowan::HWY_NAMESPACE::put_side_by_side, rowan::HWY_NAMESPACE::RunValues;

/// Adds the products of S consecutive entries of A, from `x`, that meet rows j .. j + S - 1 of B, all of one pattern;
/// kRows values lie side by side.
template <std::size_t S, std::size_t kRows, class T, class Mark>
HWY_INLINE void add_rows(const Operand<T>& b, std::int64_t j, const T* x, std::uint32_t base, T* window, Mark* marks) {
  const std::int64_t begin = b.ptr[j], n = b.length(j);
  const Column* col = b.col + begin;
  const T* val = b.val + begin;
  RunValues<T, kRows> q[S];
  for (std::size_t s = 0; s < S; s++) q[s] = RunValues<T, kRows>::load(x + s * kRows);
  for (std::int64_t e = 0; e < n; e++) {
    const std::uint32_t at = static_cast<std::uint32_t>(col[e]) - base;
    T* const sums = window + at * kRows;
    auto sum = RunValues<T, kRows>::load(sums);
    for (std::size_t s = 0; s < S; s++) sum.add_product(q[s], val[static_cast<std::int64_t>(s) * n + e]);
    sum.store(sums);
    mark(marks, at);
  }
}

/// Adds the products of the run whose first row is i, whose entries of A are at `x`. Begins with a line of the
/// instructions' cache: from 48 bytes behind one on, fem3 takes 1.15 times as long (Zen 5).
template <std::size_t kRows, class T, class Mark>
[[gnu::aligned(64)]] HWY_NOINLINE void add_run(const NumericTask<T>& t, std::int64_t i, const T* x, T* window, bool far,
                                               Mark* marks) {
  const Operand<T> a = t.a, b = t.b;
  const auto base = static_cast<std::uint32_t>(t.rows[i].lo);
  const std::int64_t begin = a.ptr[i], m = a.length(i);
  for (std::int64_t e = 0; e < m;) {
    if (far) prefetch_b(a, b, begin + e, 4);
    const std::int64_t j = a.col[begin + e];
    const T* mine = x + static_cast<std::size_t>(e) * kRows;
    // a column that stands twice in B's rows would meet the entries of A alternately: those go one by one
    const int s = t.extent.sorted_b ? equal_rows(a, t.b_run, begin + e, begin + m) : 1;
    with_equal_rows(s, [&](auto equal) HWY_ATTR { add_rows<equal, kRows>(b, j, mine, base, window, marks); });
    e += s;
  }
}

template <class T>
std::int64_t run_rows(const NumericTask<T>& t) {
  const WindowLayout layout(t.extent, kRunRows * sizeof(T));
  auto* bits = reinterpret_cast<Word*>(t.scratch.zeroed);
  auto* window = reinterpret_cast<T*>(t.scratch.zeroed + layout.bits);
  auto* marks = reinterpret_cast<std::uint8_t*>(t.scratch.zeroed + layout.total().zeroed);
  auto* list = reinterpret_cast<std::uint32_t*>(t.scratch.plain);
  auto* x = reinterpret_cast<T*>(t.scratch.plain + layout.list);  // A's values, the rows' side by side
  auto* const out = x + static_cast<std::size_t>(t.extent.a_nnz_max) * kRunRows;
  rowan::HWY_NAMESPACE::LineWriter<T> vals(t.val, out);
  rowan::HWY_NAMESPACE::LineWriter<Column> cols(t.col,
                                                reinterpret_cast<Column*>(out + stream_buffer_entries(t.extent)));
  const bool far = is_far(t.b);
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last;) {
    const CRow& row = t.rows[i];
    const std::int64_t R = std::min<std::int64_t>({kSummedRows, row.run.rows, t.last - i});
    const auto base = static_cast<std::uint32_t>(row.lo);
    Column* const col = t.streamed ? cols.next() : t.col + k;
    T* const val = t.streamed ? vals.next() : t.val + k;
    std::int64_t n = 0;
    rowan::HWY_NAMESPACE::with_summed_rows(R, [&](auto side_by_side) HWY_ATTR {
      constexpr std::size_t kRows = side_by_side;
      put_side_by_side<kRows>(t.a, i, R, x);
      if (is_marked_by_bytes(row)) {
        add_run<kRows>(t, i, x, window, far, marks);
        for (std::int64_t q = 0; q < words_of(row.span()); q++) bits[q] = take_marks(marks + q * 64);
      } else {
        add_run<kRows>(t, i, x, window, far, bits);
      }
      n = take_columns(bits, words_of(row.span()), row.lo, list, col);
      for (std::int64_t r = 1; r < R; r++) std::copy_n(col, n, col + r * n);
      rowan::HWY_NAMESPACE::take_values_of_rows<kRows>(n, R, val, n, [window, col, base](std::int64_t c) {
        return window + (static_cast<std::uint32_t>(col[c]) - base) * kRows;
      });
    });
    if (t.streamed) cols.wrote(R * n), vals.wrote(R * n);
    for (std::int64_t r = 0; r < R; r++) t.nnz[i + r] = n;
    i += R, k += R * n;
  }
  if (t.streamed) {
    cols.finish(), vals.finish();
    hwy::FlushStream();  // other threads read what was streamed
  }
  return k;
}
ROWAN_KERNELS(RunNumeric, run_rows, NumericTask)

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::dense {

ROWAN_DISPATCH(std::int64_t, run_numeric, RunNumeric, NumericTask)

ScratchBytes run_scratch(const Extent& extent, std::size_t value_bytes) {
  const WindowLayout layout(extent, kRunRows * value_bytes);
  ScratchBytes bytes = layout.total();
  bytes.zeroed += layout.marks;  // beside the window
  bytes.plain += static_cast<std::size_t>(extent.a_nnz_max) * kRunRows * value_bytes;
  bytes.plain += stream_buffer_entries(extent) * (value_bytes + sizeof(Column));
  return bytes;
}

// Each run's pattern is counted once.
void run_symbolic(const SymbolicTask& task) {
  for (std::int64_t i = task.first; i < task.last;) {
    const std::int64_t rows = std::min<std::int64_t>(task.rows[i].run.rows, task.last - i);
    SymbolicTask one = task;
    one.first = i, one.last = i + 1;
    symbolic(one);
    for (std::int64_t r = 1; r < rows; r++) task.nnz[i + r] = task.nnz[i];
    i += rows;
  }
}

}  // namespace rowan::dense
#endif
