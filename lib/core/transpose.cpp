// Counting sort by column. Each worker takes a run of rows and counts into a row of `count` of its own; scanned
// worker-fastest, the counts become every worker's first free place in every row of the result, so the order of rows
// is kept without an atomic.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "lib/core/border.hpp"
#include "lib/core/prepared.hpp"
#include "lib/core/values.hpp"
#include <rowan/operations.hpp>

namespace rowan {

namespace {

/// Rows of the result are streams of stores, of which processors foresee only a few: where rows are long, the lines
/// that follow are fetched. P of a 44^3 grid (73 entries a row) takes 1.2 ms in place of 1.8, of a 36^3 one of 27
/// points (113) 0.9 in place of 1.5; with 5 to 20 entries a row it would take 1.15 times as long.
constexpr std::int64_t kLongRow = 32, kStoresAhead = 16;  // entries

/// Addresses behind the end are allowed: nothing is read.
void prefetch_to_write(const void* at) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(at, 1);
#else
  static_cast<void>(at);
#endif
}

template <class T>
std::int64_t parts_of(const CsrView<T>& view, const Team& team) noexcept {
  // more counters than entries would cost more than they save
  return std::clamp<std::int64_t>(
      std::min<std::int64_t>(team.size(), view.nnz() / (4 * std::max<std::int64_t>(view.cols, 1))), 1, 64);
}

}  // namespace

template <class T>
std::int64_t transpose_counters(const CsrView<T>& view, const Team& team) noexcept {
  return parts_of(view, team) * view.cols;
}

template <class T>
Csr<T> transpose_stored(const CsrView<T>& view, const Team& team) {
  const std::int64_t nnz = view.nnz();
  const Column* from_col = view.col.data();
  const T* from_val = view.val.data();
  const std::int64_t parts = parts_of(view, team);
  auto count = Array<std::int64_t>::zeroed(parts * view.cols);
  auto first_row = [&](std::int64_t part) {
    std::int64_t lo = 0, hi = view.rows;
    while (lo < hi) {
      const std::int64_t mid = (lo + hi) / 2;
      if (view.row_ptr[mid] < nnz / parts * part)
        lo = mid + 1;
      else
        hi = mid;
    }
    return part == parts ? view.rows : lo;
  };
  auto for_parts = [&](const auto& f) {
    team.for_blocks(parts, 1, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t p = from; p < to; p++) f(count.data() + p * view.cols, first_row(p), first_row(p + 1));
    });
  };
  for_parts([&](std::int64_t* mine, std::int64_t from, std::int64_t to) {
    const auto last = view.row_ptr[to];
    for (std::int64_t k = view.row_ptr[from]; k < last; k++) mine[from_col[k]]++;
  });

  Array<std::int64_t> ptr(view.cols + 1);
  std::int64_t at = 0;
  for (std::int64_t c = 0; c < view.cols; c++) {
    ptr[c] = at;
    for (std::int64_t p = 0; p < parts; p++) at += std::exchange(count[p * view.cols + c], at);
  }
  ptr[view.cols] = at;

  Array<Column> col(nnz);
  Array<T> val(nnz);
  const auto distribute = [&](auto ahead) {
    for_parts([&](std::int64_t* mine, std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; i++) {
        const auto last = view.row_ptr[i + 1];
        for (std::int64_t k = view.row_ptr[i]; k < last; k++) {
          const std::int64_t place = mine[from_col[k]]++;
          col[place] = static_cast<Column>(i);
          val[place] = from_val[k];
          if constexpr (ahead) {
            prefetch_to_write(col.data() + place + kStoresAhead);
            prefetch_to_write(val.data() + place + kStoresAhead);
          }
        }
      }
    });
  };
  if (nnz >= kLongRow * view.cols)
    distribute(std::true_type());
  else
    distribute(std::false_type());
  return {view.cols, view.rows, std::move(ptr), std::move(col), std::move(val)};
}

template <class T>
Csr<T> copy(const CsrView<T>& view) try {
  if (view.transposed) return transpose_stored(view, Team());
  Array<std::int64_t> ptr(view.row_ptr.size());
  for (std::size_t i = 0; i < ptr.size(); i++) ptr[i] = view.row_ptr[i];
  Array<Column> col(view.col.size());
  Array<T> val(view.val.size());
  std::copy(view.col.begin(), view.col.end(), col.begin());
  std::copy(view.val.begin(), view.val.end(), val.begin());
  return {view.rows, view.cols, std::move(ptr), std::move(col), std::move(val)};
} catch (...) {
  rethrow_as_error();
}

template <class T>
Csr<T> transpose(const CsrView<T>& view) try {
  const Team team;
  validate(view, "the matrix", team);
  CsrView<T> stored = view;
  stored.transposed = false;
  return view.transposed ? copy(stored) : transpose_stored(stored, team);
} catch (...) {
  rethrow_as_error();
}

#define ROWAN_INSTANTIATE(T)                                                         \
  template std::int64_t transpose_counters(const CsrView<T>&, const Team&) noexcept; \
  template Csr<T> transpose_stored(const CsrView<T>&, const Team&);                  \
  template Csr<T> transpose(const CsrView<T>&);                                      \
  template Csr<T> copy(const CsrView<T>&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
