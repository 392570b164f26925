#pragma once
// PETSc's matrices as rowan sees them, and rowan's as PETSc does. Every function throws; hooks are guarded.
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <petsc/private/matimpl.h>

#include <rowan/csr.hpp>
#include <rowan/mpi.hpp>

namespace rowan::petsc {

static_assert(std::is_floating_point_v<PetscScalar>, "rowan's plug-in is for a PETSc of real values");

constexpr auto no_error = static_cast<PetscErrorCode>(0);  // PETSC_SUCCESS, which 3.18 does not have yet

/// A call of PETSc failed, which has said why.
struct PetscFailure {
  PetscErrorCode code;
};
inline void check(PetscErrorCode code) {
  if (code != 0) throw PetscFailure{code};
}

/// Calls f(), which may throw: nothing of C++ leaves a hook.
template <class F>
PetscErrorCode guarded(MPI_Comm comm, const F& f) {
  PetscFunctionBegin;
  try {
    f();
  } catch (const PetscFailure& failure) {
    return PetscError(comm, __LINE__, PETSC_FUNCTION_NAME, __FILE__, failure.code, PETSC_ERROR_REPEAT, " ");
  } catch (const std::exception& e) {
    return PetscError(comm, __LINE__, PETSC_FUNCTION_NAME, __FILE__, PETSC_ERR_LIB, PETSC_ERROR_INITIAL, "rowan: %s",
                      e.what());
  }
  PetscFunctionReturn(no_error);
}
template <class F>
PetscErrorCode guarded(Mat c, const F& f) {
  return guarded(PetscObjectComm(reinterpret_cast<PetscObject>(c)), f);
}

/// Whether rowan can take the matrix: this process's part has 32-bit sizes. Local.
[[nodiscard]] bool fits(Mat matrix);

/// A SeqAIJ matrix where it lies; columns of a 64-bit PetscInt are copied as 32-bit ones.
class Operand {
 public:
  Operand() = default;
  explicit Operand(Mat matrix);
  [[nodiscard]] const CsrView<PetscScalar>& view() const noexcept { return view_; }

 private:
  Array<Column> narrow_ = {};
  CsrView<PetscScalar> view_ = {};
};

/// The rows of an MPIAIJ matrix that this process has, where they lie; the names of its others' columns are 64-bit
/// ones of our own.
class LocalRows {
 public:
  explicit LocalRows(Mat matrix);
  LocalRows(const LocalRows&) = delete;
  LocalRows& operator=(const LocalRows&) = delete;
  [[nodiscard]] const mpi::RowsView<PetscScalar>& view() const noexcept { return view_; }

 private:
  Operand own_ = {}, others_ = {};
  std::vector<std::int64_t> names_ = {};
  mpi::RowsView<PetscScalar> view_ = {};
};

/// Memory that a SeqAIJ matrix points into: a matrix of rowan's with PETSc's integers.
struct Piece {
  std::vector<PetscInt> row_ptr = {};
  Array<PetscInt> col = {};
  Array<PetscScalar> val = {};
};
/// Takes columns and values over, where PetscInt has 32 bits. Throws std::length_error where it cannot count entries.
[[nodiscard]] Piece piece_of(Csr<PetscScalar>&& matrix);
/// A pattern with values of 0.
[[nodiscard]] Piece piece_of(std::span<const std::int64_t> row_ptr, std::span<const Column> col);

/// `what` lives as long as the matrix.
void keep(Mat matrix, std::shared_ptr<void> what);

/// C becomes D, and D is gone. C keeps its product, name, options prefix and symmetry, which are not D's to say.
void become(Mat c, Mat d);

/// Puts values in the order of `made` where their columns are in a matrix to which entries were added since; these
/// become 0. Columns of `made` count as made_names says and those of the matrix as names does, where they are not null.
void scatter(const Piece& made, const std::int64_t* made_names, const PetscScalar* from, Mat matrix,
             const PetscInt* names);

/// The matrix still points into what the product made.
[[nodiscard]] bool points_into(Mat matrix, const Piece& made);

/// A SeqAIJ matrix's values for writing.
class Writing {
 public:
  explicit Writing(Mat matrix) : matrix_(matrix) { check(MatSeqAIJGetArrayWrite(matrix_, &values_)); }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() { (void)MatSeqAIJRestoreArrayWrite(matrix_, &values_); }
  [[nodiscard]] PetscScalar* get() const noexcept { return values_; }

 private:
  Mat matrix_;
  PetscScalar* values_ = nullptr;
};

}  // namespace rowan::petsc
