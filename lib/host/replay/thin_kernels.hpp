#pragma once
// Plans of products of which no row was measured (lib/host/sampled.hpp): C's pattern, and its values in three ways.
//   dense      needs nothing but C's pattern: a row is added up in an array of all columns and read at C's columns
//              (Gilbert, Moler and Schreiber 1992)
//   positions  two bytes a product: where in its chunk of C it is added. A chunk is one list of products, so that short
//              rows cost nothing by themselves
//   masks      one to eight bytes an entry of A (masks.hpp)
// All add a row's products in the order of A's entries.
#include <cstddef>
#include <cstdint>

#include "lib/core/pattern.hpp"
#include "lib/core/values.hpp"

namespace rowan::replay {

inline constexpr std::int64_t kThinSlack = 64;  // columns behind a task's that may be written over

/// Whether prefetching rows of B pays. (Where they are nearer it takes longer than it saves: A P of smoothed
/// aggregation, 240,000 entries of P: 15 %.)
[[nodiscard]] inline bool is_far_away(const Pattern& b) noexcept {
  return b.nnz() > (std::int64_t{1} << 19);
}

/// C's columns in rows [first, last). Rows of B need not be sorted.
struct ThinPatternTask {
  const Pattern& a;
  const Pattern& b;
  std::int64_t first, last;
  std::byte* positions;     // ColumnPositions of all columns of B; its content is kept from task to task
  Offset* nnz;              // out: entries of row i into nnz[i]
  Column* col;              // out: columns, row by row, rising; up to kThinSlack behind the last are written over
  bool by_sorting = false;  // rather than by markers: the same columns, faster where rows have few products that differ
};
/// Returns the entries of the rows. O(products + nnz log nnz) a row.
[[nodiscard]] std::int64_t thin_pattern(const ThinPatternTask& task);
/// Bytes of ThinPatternTask::positions, which are zero at first. At most kMostPositions columns.
[[nodiscard]] std::size_t thin_scratch_bytes(std::int64_t cols) noexcept;

enum class ThinForm : std::uint8_t { none, positions, masks };
inline constexpr std::int64_t kMostThinEntries = 65536;  // of C in a chunk with positions

/// Rows [first, last) of a planned multiplication: one chunk.
struct ThinRows {
  const Pattern& a;
  const Pattern& b;
  const std::int64_t* row_ptr;  // of C
  const Column* col;            // of C
  std::int64_t first, last;
};
/// The form that suits rows with so many products: masks where the processor has them, C's rows have kMostMasked
/// entries at most, and they pay. O(nnz of A and of B's rows).
[[nodiscard]] ThinForm thin_form(const ThinRows& rows, std::int64_t products);
/// Bytes of the form. O(rows).
[[nodiscard]] std::int64_t thin_bytes(const ThinRows& rows, ThinForm form, std::int64_t products) noexcept;
/// Writes what the form has. `position` has an entry for every column of B and holds anything.
void write_thin(const ThinRows& rows, ThinForm form, std::uint32_t* position, std::byte* out);

/// Values of the rows.
template <class T>
struct ThinValuesTask {
  const Operand<T>& a;
  const Operand<T>& b;
  const ThinRows& rows;
  ThinForm form;           // none: dense
  const std::byte* steps;  // what write_thin wrote
  std::int64_t products;   // of the rows
  T* sums;                 // dense: zero for every column of B; handed back zero
  T* val;                  // out: all of C's
};
#define ROWAN_DECLARE_THIN_VALUES(T) void thin_values(const ThinValuesTask<T>& task);
ROWAN_FOR_EACH_VALUE(ROWAN_DECLARE_THIN_VALUES)
#undef ROWAN_DECLARE_THIN_VALUES

}  // namespace rowan::replay
