#pragma once
// Rows of C = R·A·P, one after another, without A·P.
#include "accumulators/candidate.hpp"
#include "lib/core/values.hpp"
#include "lib/host/galerkin/middle_rows.hpp"

namespace rowan::fused {

/// What was done.
struct FusedCounts {
  std::int64_t rows_made = 0;  // of A·P
  std::int64_t nprod = 0;      // products of R with them
};

/// Rows [first, last) of C.
template <class T>
struct FusedTask {
  Operand<T> r, a, p;
  std::int64_t first, last;
  std::int64_t longest_middle, longest;  // entries of a row of A·P and of C, at most
  std::int64_t most_ahead;               // rows of A·P that a row of C may have made before its own, in order
  MiddleRows<T>& middle;
  std::byte* positions_of_middle;  // ColumnPositions::bytes(p.cols), zero at first, kept from task to task; as the next
  std::byte* positions;
  std::byte* old;       // room for the values of the longest row of C
  FusedCounts& counts;  // added to
  Offset* nnz;          // out: of row i at [i]
  Column* col;          // out; kWriteSlack more entries may be read and written
  T* val;               // out
};

/// Rows of A·P are made in order, up to the last that a row of C needs, and so A is read in order; one that is no
/// longer there, or far ahead, is made by itself. Neither they nor the sums of a row of C are sorted before they are
/// complete, and rows of A·P never. Order of additions: that of the two products. O(products); returns the entries
/// written. As dense-spa's rows (accumulators/dense/spa.cpp), twice.
std::int64_t fused_rows(const FusedTask<float>& task);
std::int64_t fused_rows(const FusedTask<double>& task);

}  // namespace rowan::fused
