#pragma once
// Sums and maxima over a set of rows: what a bin's features, feasibility and scratch sizes are made of.
#include <algorithm>
#include <cstdint>

#include "lib/binning/rows.hpp"

namespace rowan {

/// What a tally reads of a row.
struct RowNumbers {
  Offset nprod = 0;  // products
  Offset bound = 0;  // entries of C's row, at most; exact once the symbolic phase has run
  Offset a_nnz = 0;  // entries of A's row
  std::int64_t span = 0;
  std::int64_t b_max = 0;  // longest row of B it meets
  bool in_run = false;     // of equal patterns
  bool in_shift = false;   // of products moved by one column
};

// Every field of a tally but `rows`, once: its name, its type and what of a row it comes from. Tally, its lanes
// (lane_tally.hpp), a device's blocks (device/bins.cpp) and the tests are made from this list: a new field is a line
// here, and, where it comes from a new number, a member of RowNumbers and a line in each place that fills one in.
// A list's user defines what becomes of each kind of field, and names those macros here:
//   SUM(field, type, number)      the sum of a number
//   MAX(field, type, number)      the largest one; no number is negative
//   SQUARES(field, type, number)  the sum of its squares: exact, and so in any order, below 2^53
//   FLAG(field, type, flag)       how many rows have a flag
#define ROWAN_TALLY_FIELDS(SUM, MAX, SQUARES, FLAG) \
  SUM(nprod, Offset, nprod)                         \
  MAX(nprod_max, Offset, nprod)                     \
  SUM(bound, Offset, bound)                         \
  MAX(bound_max, Offset, bound)                     \
  SUM(a_nnz, Offset, a_nnz)                         \
  MAX(a_nnz_max, Offset, a_nnz)                     \
  SUM(span, std::int64_t, span)                     \
  MAX(span_max, std::int64_t, span)                 \
  MAX(b_row_max, std::int64_t, b_max)               \
  FLAG(in_runs, std::int64_t, in_run)               \
  FLAG(in_shifts, std::int64_t, in_shift)           \
  SQUARES(nprod_squares, double, nprod)
/// For users that leave a kind of field out.
#define ROWAN_NO_FIELD(...)

struct Tally {
  std::int64_t rows = 0;
#define ROWAN_FIELD(field, type, ...) type field = 0;
  ROWAN_TALLY_FIELDS(ROWAN_FIELD, ROWAN_FIELD, ROWAN_FIELD, ROWAN_FIELD)
#undef ROWAN_FIELD

  /// `times` rows that are alike. Inline, so that one row is not multiplied by one: half of measuring rand4.
  [[gnu::always_inline]] constexpr void add(const RowNumbers& row, std::int64_t times = 1) noexcept {
    rows += times;
#define ROWAN_SUM(field, type, number) field += static_cast<type>(times) * row.number;
#define ROWAN_MAX(field, type, number) raise(field, static_cast<type>(row.number));
#define ROWAN_SQUARES(field, type, number) \
  field += static_cast<type>(times) * static_cast<type>(row.number) * static_cast<type>(row.number);
#define ROWAN_FLAG(field, type, flag) field += row.flag ? times : 0;
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SQUARES, ROWAN_FLAG)
#undef ROWAN_SUM
#undef ROWAN_MAX
#undef ROWAN_SQUARES
#undef ROWAN_FLAG
  }
  [[gnu::always_inline]] constexpr void add(const CRow& row, Offset row_a_nnz, Offset row_bound,
                                            std::int64_t times = 1) noexcept {
    add({.nprod = row.nprod,
         .bound = row_bound,
         .a_nnz = row_a_nnz,
         .span = row.span(),
         .b_max = row.b_max,
         .in_run = row.run.in_run(),
         .in_shift = row.run.in_shift_run()},
        times);
  }
  constexpr void add(const Tally& other) noexcept {
    rows += other.rows;
#define ROWAN_SUM(field, ...) field += other.field;
#define ROWAN_MAX(field, ...) field = std::max(field, other.field);
    ROWAN_TALLY_FIELDS(ROWAN_SUM, ROWAN_MAX, ROWAN_SUM, ROWAN_SUM)
#undef ROWAN_SUM
#undef ROWAN_MAX
  }

 private:
  /// A branch, which is nearly always foreseen, and then no store.
  template <class N>
  [[gnu::always_inline]] static constexpr void raise(N& most, N x) noexcept {
    if (x > most) most = x;
  }
};

}  // namespace rowan
