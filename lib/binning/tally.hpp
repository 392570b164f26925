#pragma once
// Sums and maxima over a set of rows: what a bin's features, feasibility and scratch sizes are made of.
#include <algorithm>
#include <cstdint>

#include "lib/binning/rows.hpp"

namespace rowan {

struct Tally {
  std::int64_t rows = 0;
  Offset nprod = 0, nprod_max = 0;
  Offset bound = 0, bound_max = 0;  // of C's rows; exact counts once the symbolic phase has run
  Offset a_nnz = 0, a_nnz_max = 0;
  std::int64_t span = 0, span_max = 0;
  std::int64_t b_row_max = 0;
  std::int64_t in_runs = 0;    // rows in runs of equal patterns
  std::int64_t in_shifts = 0;  // rows in runs of products moved by one column
  double nprod_squares = 0;    // exact, and so in any order, below 2^53

  /// `times` rows that are alike. Inline, so that one row is not multiplied by one: half of measuring rand4.
  [[gnu::always_inline]] constexpr void add(const CRow& row, Offset row_a_nnz, Offset row_bound,
                                            std::int64_t times = 1) noexcept {
    const auto n = static_cast<Offset>(times);
    rows += times;
    nprod += n * row.nprod, raise(nprod_max, row.nprod);
    bound += n * row_bound, raise(bound_max, row_bound);
    a_nnz += n * row_a_nnz, raise(a_nnz_max, row_a_nnz);
    span += times * row.span(), raise(span_max, row.span());
    raise(b_row_max, std::int64_t{row.b_max});
    in_runs += row.run.in_run() ? times : 0, in_shifts += row.run.in_shift_run() ? times : 0;
    nprod_squares += static_cast<double>(times) * static_cast<double>(row.nprod) * static_cast<double>(row.nprod);
  }
  constexpr void add(const Tally& other) noexcept {
    rows += other.rows;
    nprod += other.nprod, nprod_max = std::max(nprod_max, other.nprod_max);
    bound += other.bound, bound_max = std::max(bound_max, other.bound_max);
    a_nnz += other.a_nnz, a_nnz_max = std::max(a_nnz_max, other.a_nnz_max);
    span += other.span, span_max = std::max(span_max, other.span_max);
    b_row_max = std::max(b_row_max, other.b_row_max);
    in_runs += other.in_runs, in_shifts += other.in_shifts;
    nprod_squares += other.nprod_squares;
  }

 private:
  /// A branch, which is nearly always foreseen, and then no store.
  template <class N>
  [[gnu::always_inline]] static constexpr void raise(N& most, N x) noexcept {
    if (x > most) most = x;
  }
};

}  // namespace rowan
