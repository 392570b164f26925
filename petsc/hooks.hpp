#pragma once
// What PETSc calls in place of its own MatProductSetFromOptions of SeqAIJ and MPIAIJ matrices.
#include "petsc/matrix.hpp"

namespace rowan::petsc {

using Hook = PetscErrorCode (*)(Mat);

/// PETSc's own, to which everything else is handed on: read from the table of a matrix, as they are no public
/// functions.
extern Hook sequential_before, parallel_before;

PetscErrorCode sequential_hook(Mat c);
PetscErrorCode parallel_hook(Mat c);

/// The user named an algorithm for this product, by MatProductSetAlgorithm or an option: it is his to choose.
[[nodiscard]] bool names_algorithm(Mat c);

/// C is to have its whole diagonal (MAT_FORCE_DIAGONAL_ENTRIES), entries that the product may not have: PETSc's work.
[[nodiscard]] inline bool wants_diagonal(Mat c) {
  return c->force_diagonals == PETSC_TRUE;
}

/// Operands have not changed since a product was made.
class States {
 public:
  States() = default;
  explicit States(const Mat_Product& product);
  bool operator==(const States&) const = default;

 private:
  PetscObjectState a_ = 0, b_ = 0, c_ = 0;
};

/// The operands are of this type, and not of one made from it.
[[nodiscard]] bool all_of_type(const Mat_Product& product, MatType type);

/// Hands the symbolic phase back to PETSc.
void leave(Mat c, Hook before);

/// What a hook ends with: the symbolic phase is rowan's, or the product is PETSc's.
PetscErrorCode take_or_leave(Mat c, bool ours, Hook symbolic, Hook before);

/// C's phases are rowan's from now on, and C keeps what they remember.
template <class State>
void install(Mat c, Hook symbolic, Hook numeric, std::unique_ptr<State> state) {
  c->ops->productsymbolic = symbolic;
  c->ops->productnumeric = numeric;
  c->product->data = state.release();
  c->product->destroy = [](void* p) -> PetscErrorCode {
    delete static_cast<State*>(p);
    return no_error;
  };
}

}  // namespace rowan::petsc
