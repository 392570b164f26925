#include "petsc/matrix.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace rowan::petsc {
namespace {

PetscObject object(Mat matrix) {
  return reinterpret_cast<PetscObject>(matrix);
}

mpi::Layout layout_of(PetscLayout layout) {
  PetscMPIInt ranks = 1;
  MPI_Comm_size(layout->comm, &ranks);
  const PetscInt* ranges = nullptr;
  check(PetscLayoutGetRanges(layout, &ranges));
  return mpi::Layout(std::vector<std::int64_t>(ranges, ranges + ranks + 1));
}

struct Stored {
  const PetscInt *row_ptr = nullptr, *col = nullptr;
  PetscScalar* val = nullptr;
};
Stored stored(Mat matrix) {
  Stored s;
  PetscMemType where = PETSC_MEMTYPE_HOST;
  check(MatSeqAIJGetCSRAndMemType(matrix, &s.row_ptr, &s.col, &s.val, &where));
  return s;
}

void require_countable(std::int64_t nnz) {
  if (nnz > std::numeric_limits<PetscInt>::max())
    throw std::length_error("the product has " + std::to_string(nnz) +
                            " entries in one process, more than PetscInt counts");
}

/// A copy with PETSc's integers.
Array<PetscInt> widened(std::span<const Column> col) {
  Array<PetscInt> wide(std::ssize(col));
  std::ranges::copy(col, wide.data());
  return wide;
}

/// Columns between PETSc and rowan: copied where their integers differ.
template <class Int>
struct Columns {
  static std::span<const Column> of(std::span<const Int> col, Array<Column>& copy) {
    copy = Array<Column>(std::ssize(col));
    std::ranges::transform(col, copy.data(), [](Int c) { return static_cast<Column>(c); });
    return copy.span();
  }
  static Array<Int> given(Array<Column>&& col) { return widened(col.span()); }
};
template <>
struct Columns<Column> {
  static std::span<const Column> of(std::span<const Column> col, Array<Column>&) { return col; }
  static Array<Column> given(Array<Column>&& col) { return std::move(col); }
};

}  // namespace

bool fits(Mat matrix) {
  constexpr std::int64_t most = std::numeric_limits<Column>::max();
  return matrix->rmap->n <= most && matrix->cmap->n <= most;
}

Operand::Operand(Mat matrix) {
  const Stored s = stored(matrix);
  const auto rows = static_cast<std::size_t>(matrix->rmap->n);
  static constexpr PetscInt none = 0;
  const auto nnz = rows == 0 ? 0 : static_cast<std::size_t>(s.row_ptr[rows]);
  view_ = {.rows = matrix->rmap->n,
           .cols = matrix->cmap->n,
           .row_ptr = std::span<const PetscInt>(rows == 0 ? &none : s.row_ptr, rows + 1),
           .val = {s.val, nnz}};
  view_.col = Columns<PetscInt>::of({s.col, nnz}, narrow_);
}

LocalRows::LocalRows(Mat matrix) {
  Mat own = nullptr, others = nullptr;
  const PetscInt* names = nullptr;
  check(MatMPIAIJGetSeqAIJ(matrix, &own, &others, &names));
  own_ = Operand(own), others_ = Operand(others);
  view_ = {
      .rows = layout_of(matrix->rmap), .cols = layout_of(matrix->cmap), .own = own_.view(), .others = others_.view()};
  if (names != nullptr)
    names_.assign(names, names + view_.others.cols);
  else
    view_.others.cols = 0;  // one process
  view_.names = names_;
}

Piece piece_of(Csr<PetscScalar>&& matrix) {
  require_countable(matrix.nnz());
  CsrArrays<PetscScalar> all = matrix.release();
  return {.row_ptr = std::vector<PetscInt>(all.row_ptr.data(), all.row_ptr.data() + all.row_ptr.size()),
          .col = Columns<PetscInt>::given(std::move(all.col)),
          .val = std::move(all.val)};
}

Piece piece_of(std::span<const std::int64_t> row_ptr, std::span<const Column> col) {
  require_countable(std::ssize(col));
  return {.row_ptr = std::vector<PetscInt>(row_ptr.begin(), row_ptr.end()),
          .col = widened(col),
          .val = Array<PetscScalar>::zeroed(std::ssize(col))};
}

void keep(Mat matrix, std::shared_ptr<void> what) {
  PetscContainer box = nullptr;
  check(PetscContainerCreate(PetscObjectComm(object(matrix)), &box));
  check(PetscContainerSetPointer(box, new std::shared_ptr<void>(std::move(what))));
  check(PetscContainerSetUserDestroy(box, [](void* p) -> PetscErrorCode {
    delete static_cast<std::shared_ptr<void>*>(p);
    return no_error;
  }));
  check(PetscObjectCompose(object(matrix), "rowan", reinterpret_cast<PetscObject>(box)));
  check(PetscContainerDestroy(&box));
}

void become(Mat c, Mat d) {
  Mat_Product* const product = std::exchange(c->product, nullptr);
  char* const name = std::exchange(c->hdr.name, nullptr);
  char* const prefix = std::exchange(c->hdr.prefix, nullptr);
  const PetscBool3 symmetric = c->symmetric, hermitian = c->hermitian, structurally = c->structurally_symmetric,
                   positive = c->spd;
  check(MatHeaderReplace(c, &d));
  c->product = product;
  check(PetscFree(c->hdr.name));
  c->hdr.name = name, c->hdr.prefix = prefix;
  c->symmetric = symmetric, c->hermitian = hermitian, c->structurally_symmetric = structurally, c->spd = positive;
}

bool points_into(Mat matrix, const Piece& made) {
  const Stored s = stored(matrix);
  return s.row_ptr == made.row_ptr.data() && s.col == made.col.data() && s.val == made.val.data();
}

void scatter(const Piece& made, const std::int64_t* made_names, const PetscScalar* from, Mat matrix,
             const PetscInt* names) {
  const Stored to = stored(matrix);
  const Writing writing(matrix);
  for (std::size_t r = 0; r + 1 < made.row_ptr.size(); r++) {
    PetscInt at = to.row_ptr[r];
    for (PetscInt k = made.row_ptr[r]; k < made.row_ptr[r + 1]; k++) {
      const std::int64_t made_col = made_names != nullptr ? made_names[made.col.data()[k]] : made.col.data()[k];
      const auto col = [&] { return names != nullptr ? names[to.col[at]] : to.col[at]; };
      while (at < to.row_ptr[r + 1] && col() < made_col) writing.get()[at++] = 0;
      if (at == to.row_ptr[r + 1] || col() != made_col)
        throw std::invalid_argument("entries of the product were removed: column " + std::to_string(made_col) +
                                    " of local row " + std::to_string(r));
      writing.get()[at++] = from[k];
    }
    while (at < to.row_ptr[r + 1]) writing.get()[at++] = 0;
  }
}

}  // namespace rowan::petsc
