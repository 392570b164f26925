#pragma once
// Sums and maxima over a set of rows: what a bin's features, feasibility and scratch sizes are made of.
#include <algorithm>
#include <array>
#include <cstdint>

#include "lib/core/row_work.hpp"

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

  /// `times` rows that are alike.
  constexpr void add(const RowWork& row, Offset row_a_nnz, Offset row_bound, std::int64_t times = 1) noexcept {
    const auto n = static_cast<Offset>(times);
    rows += times;
    nprod += n * row.nprod, nprod_max = std::max(nprod_max, row.nprod);
    bound += n * row_bound, bound_max = std::max(bound_max, row_bound);
    a_nnz += n * row_a_nnz, a_nnz_max = std::max(a_nnz_max, row_a_nnz);
    span += times * row.span(), span_max = std::max(span_max, row.span());
    b_row_max = std::max<std::int64_t>(b_row_max, row.b_max);
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
};

/// A tally of single rows of up to 2^31 - 1 products: a few vectors in place of a dozen numbers, each of which would
/// wait for its own last store (13 -> 5 ns a row). In doubles, which are exact below 2^53: for 2^22 rows and less.
struct SmallTally {
  std::array<double, 4> sum{}, most{};  // products, bound, entries of A, span
  double nprod_squares = 0;
  std::int64_t rows = 0, in_runs = 0, in_shifts = 0;
  std::int32_t b_row_max = 0;

  void add(const RowWork& row, std::int32_t row_a_nnz) noexcept {
    const auto nprod = static_cast<std::int32_t>(row.nprod), span = row.hi - row.lo + 1;
    const std::array<std::int32_t, 4> of_row{nprod, std::min(nprod, span), row_a_nnz, span};
    for (std::size_t f = 0; f < 4; f++) {
      const double x = of_row[f];
      sum[f] += x, most[f] = x > most[f] ? x : most[f];
    }
    nprod_squares += static_cast<double>(nprod) * static_cast<double>(nprod);
    b_row_max = std::max(b_row_max, row.b_max);
    rows++, in_runs += row.run.in_run() ? 1 : 0, in_shifts += row.run.in_shift_run() ? 1 : 0;
  }
  [[nodiscard]] Tally tally() const noexcept {
    const auto whole = [](double x) { return static_cast<std::int64_t>(x); };
    const auto offset = [](double x) { return static_cast<Offset>(x); };
    return {.rows = rows,
            .nprod = offset(sum[0]),
            .nprod_max = offset(most[0]),
            .bound = offset(sum[1]),
            .bound_max = offset(most[1]),
            .a_nnz = offset(sum[2]),
            .a_nnz_max = offset(most[2]),
            .span = whole(sum[3]),
            .span_max = whole(most[3]),
            .b_row_max = b_row_max,
            .in_runs = in_runs,
            .in_shifts = in_shifts,
            .nprod_squares = nprod_squares};
  }
};

}  // namespace rowan
