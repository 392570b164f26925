#include "hypre/matrix.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace rowan::hypre {
namespace {

static_assert(std::is_same_v<HYPRE_Complex, double> && sizeof(HYPRE_Int) == sizeof(Column),
              "rowan's library is for a hypre of double values and 32-bit integers in a process");

CsrView<double> view_of(hypre_CSRMatrix* block) {
  static constexpr HYPRE_Int none = 0;
  const auto rows = static_cast<std::size_t>(hypre_CSRMatrixNumRows(block));
  const HYPRE_Int* const row_ptr = hypre_CSRMatrixI(block);
  if (row_ptr == nullptr && rows > 0) throw std::invalid_argument("a block of a matrix has no row pointers");
  const auto nnz = rows == 0 ? 0 : static_cast<std::size_t>(row_ptr[rows]);
  return {.rows = hypre_CSRMatrixNumRows(block),
          .cols = hypre_CSRMatrixNumCols(block),
          .row_ptr = std::span<const HYPRE_Int>(rows == 0 ? &none : row_ptr, rows + 1),
          .col = {hypre_CSRMatrixJ(block), nnz},
          .val = {hypre_CSRMatrixData(block), nnz}};
}

template <class T>
T* allocate(std::int64_t n) {
  return n == 0 ? nullptr : static_cast<T*>(hypre_MAlloc(static_cast<std::size_t>(n) * sizeof(T), HYPRE_MEMORY_HOST));
}

/// Row by row, each with its diagonal entry first where `square`.
void fill(hypre_CSRMatrix* block, const Csr<double>& from, bool square) {
  const std::int64_t rows = from.rows();
  const auto ptr = from.row_ptr();
  const auto col = from.col();
  const auto val = from.val();
  const auto diagonal = [&](std::int64_t r) {  // where it is, or the row's end
    const auto begin = col.begin() + ptr[static_cast<std::size_t>(r)];
    const auto end = col.begin() + ptr[static_cast<std::size_t>(r) + 1];
    const auto at = std::lower_bound(begin, end, static_cast<Column>(r));
    return (at != end && *at == r ? at : end) - col.begin();
  };
  auto* const i = allocate<HYPRE_Int>(rows + 1);
  i[0] = 0;
  std::int64_t nnz = 0;
  for (std::int64_t r = 0; r < rows; r++) {
    const std::int64_t end = ptr[static_cast<std::size_t>(r) + 1];
    nnz += end - ptr[static_cast<std::size_t>(r)] + (square && diagonal(r) == end ? 1 : 0);
    if (nnz > std::numeric_limits<HYPRE_Int>::max())
      throw std::length_error("the product has more entries in one process than HYPRE_Int counts");
    i[r + 1] = static_cast<HYPRE_Int>(nnz);
  }
  auto* const j = allocate<HYPRE_Int>(nnz);
  auto* const data = allocate<HYPRE_Complex>(nnz);
  for (std::int64_t r = 0; r < rows; r++) {
    const auto begin = static_cast<std::size_t>(ptr[static_cast<std::size_t>(r)]);
    const auto end = static_cast<std::size_t>(ptr[static_cast<std::size_t>(r) + 1]);
    HYPRE_Int to = i[r];
    std::size_t first = end;
    if (square) {
      first = static_cast<std::size_t>(diagonal(r));
      j[to] = static_cast<HYPRE_Int>(r);
      data[to++] = first == end ? 0.0 : val[first];
    }
    for (std::size_t k = begin; k < end; k++)
      if (k != first) j[to] = col[k], data[to++] = val[k];
  }
  hypre_CSRMatrixI(block) = i;
  hypre_CSRMatrixJ(block) = j;
  hypre_CSRMatrixData(block) = data;
  hypre_CSRMatrixNumNonzeros(block) = static_cast<HYPRE_Int>(nnz);
}

}  // namespace

LocalRows::LocalRows(hypre_ParCSRMatrix* matrix) {
  const MPI_Comm comm = hypre_ParCSRMatrixComm(matrix);
  view_ = {.rows = mpi::Layout::of(comm, hypre_CSRMatrixNumRows(hypre_ParCSRMatrixDiag(matrix))),
           .cols = mpi::Layout::of(comm, hypre_CSRMatrixNumCols(hypre_ParCSRMatrixDiag(matrix))),
           .own = view_of(hypre_ParCSRMatrixDiag(matrix)),
           .others = view_of(hypre_ParCSRMatrixOffd(matrix))};
  const HYPRE_BigInt* const names = hypre_ParCSRMatrixColMapOffd(matrix);
  names_.assign(names, names + view_.others.cols);
  view_.names = names_;
}

hypre_ParCSRMatrix* matrix_of(MPI_Comm comm, const mpi::Rows<double>& rows, HYPRE_BigInt* row_starts,
                              HYPRE_BigInt* col_starts) {
  const bool square = rows.rows == rows.cols;
  hypre_ParCSRMatrix* const made = hypre_ParCSRMatrixCreate(
      comm, static_cast<HYPRE_BigInt>(rows.rows.all()), static_cast<HYPRE_BigInt>(rows.cols.all()), row_starts,
      col_starts, static_cast<HYPRE_Int>(rows.names.size()), static_cast<HYPRE_Int>(rows.own.nnz()),
      static_cast<HYPRE_Int>(rows.others.nnz()));
  fill(hypre_ParCSRMatrixDiag(made), rows.own, square);
  fill(hypre_ParCSRMatrixOffd(made), rows.others, false);
  auto* const names = allocate<HYPRE_BigInt>(std::ssize(rows.names));
  std::ranges::transform(rows.names, names, [](std::int64_t name) { return static_cast<HYPRE_BigInt>(name); });
  hypre_ParCSRMatrixColMapOffd(made) = names;
  return made;
}

}  // namespace rowan::hypre
