#pragma once
// Matrices with far more rows than entries, without their empty rows: work and memory then follow the entries.
#include <span>

#include "lib/core/parallel.hpp"
#include "lib/core/pattern.hpp"
#include <rowan/csr.hpp>

namespace rowan {

/// Whether what is kept for each row would outweigh the entries: 13 bytes a row of B and 25 a row of A are more than
/// the 12 bytes an entry from here on. Small matrices are not worth a look.
[[nodiscard]] constexpr bool is_hypersparse(std::int64_t rows, std::int64_t nnz) noexcept {
  constexpr std::int64_t kRowsPerEntry = 4, kFewRows = 4096;
  return rows >= kFewRows && rows / kRowsPerEntry > nnz;
}

/// A matrix without its empty rows. Owns what it had to make; columns and values may be the caller's.
template <class T>
struct NonEmptyRows {
  Array<Column> row;  // numbers of the rows that are kept, rising
  Array<Offset> ptr;
  Array<Column> col;
  Array<T> val;
  Operand<T> operand;  // its rows: those that are kept

  [[nodiscard]] std::int64_t bytes() const noexcept;
};

/// The rows of a valid view that have entries; of a transposed view those of the transpose, whose entries are sorted
/// instead of counted into all rows. O(rows), or O(rows + nnz log nnz) of what is stored.
template <class T>
[[nodiscard]] NonEmptyRows<T> non_empty_rows(const CsrView<T>& view);

/// Bytes that non_empty_rows takes at most while it works.
template <class T>
[[nodiscard]] std::int64_t non_empty_bytes(const CsrView<T>& view) noexcept;

/// A with its columns renumbered to the rows that B has kept, in the same order; entries that met an empty row of B,
/// and so have no products, are left out. `row` stays empty: A's rows are all kept. O(nnz log) or, where A has more
/// entries than B had rows, O(nnz + rows of B); parallel.
template <class T>
[[nodiscard]] NonEmptyRows<T> renumbered(const Operand<T>& a, std::span<const Column> rows_of_b, const Team& team);

/// Bytes that renumbered takes at most while it works.
template <class T>
[[nodiscard]] std::int64_t renumbered_bytes(const Operand<T>& a) noexcept;

}  // namespace rowan
