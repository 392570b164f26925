#pragma once
// Plans of products of which no row was measured (lib/host/sampled.hpp). A chunk of rows is one flat list: of its
// products, in the order of A's entries, each with its position among the chunk's sums, and of its entries of C, each
// with the sum that it takes. Sums stand in the order in which their columns were first met, so that a position is
// known when its product is met; rows begin and end nowhere, so that short ones cost nothing by themselves.
#include <cstddef>
#include <cstdint>

#include "lib/core/pattern.hpp"
#include "lib/core/values.hpp"

namespace rowan::replay {

/// Of a sum in its chunk.
using ThinPosition = std::uint16_t;
inline constexpr std::int64_t kMostThinSums = 65536;  // of a chunk
inline constexpr std::int64_t kThinSlack = 64;        // columns and positions behind a chunk's that may be written over

/// C's columns in rows [first, last). Rows of B need not be sorted.
struct ThinPatternTask {
  const Pattern& a;
  const Pattern& b;
  std::int64_t first, last;
  std::byte* places;          // Places of all columns of B; its content is kept from task to task
  Offset* nnz;                // out: entries of row i into nnz[i]
  Column* col;                // out: columns, row by row, rising; up to kThinSlack behind the last are written over
  ThinPosition* position_of;  // out, for each product: its sum; null: not wanted
  ThinPosition* sum_of;       // out, for each entry of C: its sum; null as position_of; slack as col's
};
/// Returns the entries of the rows. O(products + nnz log nnz) a row.
[[nodiscard]] std::int64_t thin_pattern(const ThinPatternTask& task);
/// Bytes of ThinPatternTask::places, which are zero at first. At most kMostPlaces columns.
[[nodiscard]] std::size_t thin_place_bytes(std::int64_t cols) noexcept;

/// Values of the same rows.
template <class T>
struct ThinValuesTask {
  const Operand<T>& a;
  const Operand<T>& b;
  std::int64_t first, last;
  const ThinPosition* position_of;
  const ThinPosition* sum_of;
  std::int64_t products, entries;  // of the rows
  T* sums;                         // room for `entries`
  T* val;                          // out
};
#define ROWAN_DECLARE_THIN_VALUES(T) void thin_values(const ThinValuesTask<T>& task);
ROWAN_FOR_EACH_VALUE(ROWAN_DECLARE_THIN_VALUES)
#undef ROWAN_DECLARE_THIN_VALUES

}  // namespace rowan::replay
