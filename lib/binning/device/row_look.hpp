#pragma once
// What the binning passes find of a row: its numbers, and the key that follows. On their way they make bundles.
#include "lib/binning/device/bins.hpp"
#include "lib/binning/device/bundles.hpp"
#include "lib/binning/device/class_table.hpp"
#include "lib/core/mix.hpp"

namespace rowan::device::inline ROWAN_BACKEND {

/// A row's numbers and its key, as the binning passes look at it.
struct RowLook {
  RowNumbers numbers;
  int key;
};

/// Row i, by its products.
__device__ inline RowLook look_by_products(const RowSource& s, const Borders& borders, const ClassTable& classes,
                                           bool heavy_apart, std::int64_t i, ShiftMark mark) {
  const CRow c_row = s.c_rows[i];
  const std::int64_t products = s.number[i], span = c_row.span();
  const RowNumbers row{.nprod = products,
                       .bound = products < span ? products : span,
                       .a_nnz = s.a.length(i),
                       .span = span,
                       .b_max = c_row.b_max,
                       .in_run = s.relation != nullptr && in_run(s.a.rows, s.relation, i),
                       .in_shift = mark.in_bundle()};
  const bool follower = mark.in_bundle() ? mark.is_follower() : s.relation != nullptr && goes_on(s.relation, i);
  const int c = classes.class_of(row);
  return {row, heavy_apart ? key_of(borders, row, c, follower) : bin_of(borders, row, c, follower)};
}

/// Row i, by its entries. A follower gets its leader's: the leader's thread does not write that.
__device__ inline RowLook look_by_entries(const RowSource& s, const Borders& borders, const ClassTable& classes,
                                          std::int64_t i) {
  const ShiftMark mark = s.shift_mark == nullptr ? ShiftMark() : s.shift_mark[i];
  const CRow c_row = s.c_rows[i];
  RowNumbers row{.nprod = std::int64_t{c_row.nprod},
                 .a_nnz = s.a.length(i),
                 .span = c_row.span(),
                 .b_max = c_row.b_max,
                 .in_shift = mark.in_bundle()};
  PlaceInRun place{i, 1};
  if (mark.in_bundle()) {
    if (mark.is_follower()) place.leader = i - mark.behind();
  } else if (s.relation != nullptr) {
    row.in_run = in_run(s.a.rows, s.relation, i);
    place = place_in_run(s.a.rows, s.relation, i);
    if (place.leader != i && s.saved != nullptr) s.saved[i] = s.saved[place.leader];
  }
  if (s.bundle_rows != nullptr) s.bundle_rows[i] = place.bundle_rows;
  row.bound = s.number[place.leader];
  if (place.leader != i) s.number[i] = row.bound;
  return {row, bin_of(borders, row, classes.class_of(row), mark.is_follower() || place.bundle_rows == 0)};
}

/// What a row adds to the checksum of all: where two multiplications have the same, their rows have the same numbers
/// and keys, and so the same sums by key. (Factors are digits of pi. A bound, a span and lengths of rows of A and B
/// have fewer than 32 bits, products fewer than 54.)
__device__ inline std::uint64_t in_checksum(const RowLook& look) {
  const auto number = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
  const RowNumbers& row = look.numbers;
  const std::uint64_t flags = number(look.key) << 2 | (row.in_run ? 2U : 0U) | (row.in_shift ? 1U : 0U);
  return mix((number(row.nprod) + (flags << 54)) * 0x243F6A8885A308D3U +
             (number(row.bound) | number(row.a_nnz) << 32) * 0x13198A2E03707345U +
             (number(row.span) | number(row.b_max) << 32) * 0xA4093822299F31D1U);
}

}  // namespace rowan::device::inline ROWAN_BACKEND
