// dense-window. Work O(products + span / 64 + entries) a row; scratch sizeof(T) + 1/8 bytes a column of the span.
// What a profile shows: the update (load, multiply, add, store, and the bit's load, or, store) is bound by the two
// stores; reading out is a tenth to a third of a row.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "accumulators/dense/window.cpp"
#include <hwy/foreach_target.h>

#include "accumulators/dense/bitmap-inl.hpp"
#include "accumulators/dense/candidate.hpp"
#include "accumulators/dense/layout.hpp"
#include "accumulators/prefetch.hpp"

HWY_BEFORE_NAMESPACE();
namespace rowan::dense::HWY_NAMESPACE {

/// Values of the listed columns, in order; clears the window.
template <class T>
HWY_INLINE void take_values(T* window, std::int32_t base, const std::int32_t* col, std::int64_t n, T* out) {
  for (std::int64_t k = 0; k < n; k++) {
    T& from = window[col[k] - base];
    out[k] = from;
    from = T{0};
  }
}

/// Adds row i's products to the window. Pointers are copied: a byte that is stored may be part of anything else.
template <Marking M, class T>
HWY_INLINE void add_row(const NumericTask<T>& t, std::int64_t i, bool far, const Marks marks, T* window) {
  const auto base = static_cast<std::uint32_t>(t.rows[i].lo);
  const std::int32_t* const col = t.b.col;
  const T* const val = t.b.val;
  for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
    if (far) prefetch_b(t.a, t.b, a, 4);
    const T x = t.a.val[a];
    const std::int64_t end = t.b.ptr[t.a.col[a] + 1];
    for (std::int64_t b = t.b.ptr[t.a.col[a]]; b < end; b++) {
      const std::uint32_t at = static_cast<std::uint32_t>(col[b]) - base;
      window[at] += x * val[b];
      marks.set<M>(at);
    }
  }
}

template <class T>
std::int64_t window_rows(const NumericTask<T>& t) {
  const Layout layout(t.extent, sizeof(T));
  const Marks marks{reinterpret_cast<Word*>(t.scratch.zeroed),
                    reinterpret_cast<std::uint8_t*>(t.scratch.zeroed + layout.bits)};
  auto* window = reinterpret_cast<T*>(t.scratch.zeroed + layout.bits + layout.bytes);
  auto* list = reinterpret_cast<std::uint32_t*>(t.scratch.plain);
  const bool far = is_far(t.b);
  std::int64_t k = 0;
  for (std::int64_t i = t.first; i < t.last; i++) {
    const RowWork& row = t.rows[i];
    const std::int64_t words = words_of(row.span());
    const Marking marking = Marks::of(row);
    if (marking == Marking::bits)
      add_row<Marking::bits>(t, i, far, marks, window);
    else if (marking == Marking::bytes)
      add_row<Marking::bytes>(t, i, far, marks, window);
    else
      add_row<Marking::tested>(t, i, far, marks, window);
    if (marking != Marking::bits) marks.gather(words);
    t.nnz[i] = take_columns(marks.bits, words, row.lo, list, t.col + k);
    take_values(window, row.lo, t.col + k, t.nnz[i], t.val + k);
    k += t.nnz[i];
  }
  return k;
}
std::int64_t WindowFloat(const NumericTask<float>& t) {
  return window_rows(t);
}
std::int64_t WindowDouble(const NumericTask<double>& t) {
  return window_rows(t);
}

void Symbolic(const SymbolicTask& t) {
  auto* bits = reinterpret_cast<Word*>(t.scratch.zeroed);
  const bool far = is_far(t.b);
  for (std::int64_t i = t.first; i < t.last; i++) {
    const auto base = static_cast<std::uint32_t>(t.rows[i].lo);
    for (std::int64_t a = t.a.ptr[i]; a < t.a.ptr[i + 1]; a++) {
      if (far) prefetch_b(t.a, t.b, a, 4);
      const std::int64_t end = t.b.ptr[t.a.col[a] + 1];
      for (std::int64_t b = t.b.ptr[t.a.col[a]]; b < end; b++)
        mark(bits, static_cast<std::uint32_t>(t.b.col[b]) - base);
    }
    t.nnz[i] = take_count(bits, words_of(t.rows[i].span()));
  }
}

}  // namespace rowan::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rowan::dense {

HWY_EXPORT(WindowFloat);
HWY_EXPORT(WindowDouble);
HWY_EXPORT(Symbolic);

ScratchBytes window_scratch(const Extent& extent, std::size_t value_bytes) {
  return Layout(extent, value_bytes).total();
}
std::int64_t window_float(const NumericTask<float>& task) {
  return HWY_DYNAMIC_DISPATCH(WindowFloat)(task);
}
std::int64_t window_double(const NumericTask<double>& task) {
  return HWY_DYNAMIC_DISPATCH(WindowDouble)(task);
}
void symbolic(const SymbolicTask& task) {
  HWY_DYNAMIC_DISPATCH(Symbolic)(task);
}

}  // namespace rowan::dense
#endif
