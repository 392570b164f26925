#pragma once
// hypre's matrices as rowan sees them, and rowan's as hypre expects them.
#include <cstdint>
#include <vector>

#include <_hypre_parcsr_mv.h>

#include <rowan/mpi.hpp>

namespace rowan::hypre {

/// The rows of a ParCSR matrix that this process has, where they lie; the names of its others' columns are 64-bit ones
/// of our own. Collective: hypre knows just its own part of a layout.
class LocalRows {
 public:
  explicit LocalRows(hypre_ParCSRMatrix* matrix);
  LocalRows(const LocalRows&) = delete;
  LocalRows& operator=(const LocalRows&) = delete;
  [[nodiscard]] const mpi::RowsView<double>& view() const noexcept { return view_; }

 private:
  std::vector<std::int64_t> names_ = {};
  mpi::RowsView<double> view_ = {};
};

/// Copies into hypre's memory. In a square matrix each row of the diagonal block begins with the diagonal entry, as
/// hypre's smoothers expect it; it is added as 0 where the product has none. `row_starts`, `col_starts`: of this
/// process, begin and end. O(nnz). Throws std::length_error where hypre's integers do not count the entries.
[[nodiscard]] hypre_ParCSRMatrix* matrix_of(MPI_Comm comm, const mpi::Rows<double>& rows, HYPRE_BigInt* row_starts,
                                            HYPRE_BigInt* col_starts);

}  // namespace rowan::hypre
