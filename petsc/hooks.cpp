#include "petsc/hooks.hpp"

#include <string_view>

namespace rowan::petsc {

bool names_algorithm(Mat c) {
  const Mat_Product& product = *c->product;
  if (product.alg != nullptr && std::string_view(product.alg) != MATPRODUCTALGORITHMDEFAULT) return true;
  const char* of_type = nullptr;
  switch (product.type) {
    case MATPRODUCT_AB:
      of_type = "-matmatmult_via";
      break;
    case MATPRODUCT_AtB:
      of_type = "-mattransposematmult_via";
      break;
    case MATPRODUCT_ABt:
      of_type = "-matmattransmult_via";
      break;
    case MATPRODUCT_PtAP:
      of_type = "-matptap_via";
      break;
    case MATPRODUCT_RARt:
      of_type = "-matrart_via";
      break;
    case MATPRODUCT_ABC:
      of_type = "-matmatmatmult_via";
      break;
    default:
      return false;
  }
  PetscBool named = PETSC_FALSE;
  check(PetscOptionsHasName(c->hdr.options, c->hdr.prefix, of_type, &named));
  if (named == PETSC_FALSE) check(PetscOptionsHasName(c->hdr.options, c->hdr.prefix, "-mat_product_algorithm", &named));
  return named == PETSC_TRUE;
}

States::States(const Mat_Product& product) {
  const auto state = [](Mat m, PetscObjectState& to) {
    if (m != nullptr) check(PetscObjectStateGet(reinterpret_cast<PetscObject>(m), &to));
  };
  state(product.A, a_), state(product.B, b_), state(product.C, c_);
}

bool all_of_type(const Mat_Product& product, MatType type) {
  bool all = true;
  for (const Mat m : {product.A, product.B, product.C}) {
    if (m == nullptr) continue;
    PetscBool same = PETSC_FALSE;
    check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(m), type, &same));
    all = all && same == PETSC_TRUE;
  }
  return all;
}

PetscErrorCode take_or_leave(Mat c, bool ours, Hook symbolic, Hook before) {
  PetscFunctionBegin;
  if (ours)
    c->ops->productsymbolic = symbolic;
  else
    PetscCall(before(c));
  PetscFunctionReturn(no_error);
}

void leave(Mat c, Hook before) {
  c->ops->productsymbolic = nullptr;
  check(before(c));
  if (c->ops->productsymbolic == nullptr) throw std::runtime_error("PETSc has no such product of these matrices");
  check(c->ops->productsymbolic(c));
}

}  // namespace rowan::petsc
