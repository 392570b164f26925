// PETSc opens the library in PetscInitialize and calls the one function that it exports. That registers the types of
// AIJ matrices anew: PETSc's own constructors, after which one entry of the new matrix's table is a hook of rowan's.
#include "petsc/hooks.hpp"
#include "petsc/settings.hpp"
#include <rowan/petsc.h>

PETSC_EXTERN PetscErrorCode MatCreate_SeqAIJ(Mat);
PETSC_EXTERN PetscErrorCode MatCreate_MPIAIJ(Mat);

namespace rowan::petsc {
namespace {

template <Hook create, Hook& before, Hook hook>
PetscErrorCode create_hooked(Mat matrix) {
  PetscFunctionBegin;
  PetscCall(create(matrix));
  before = matrix->ops->productsetfromoptions;
  matrix->ops->productsetfromoptions = hook;
  PetscFunctionReturn(no_error);
}

PetscErrorCode at_end() {
  return guarded(PETSC_COMM_WORLD, [] { close_settings(); });
}

/// matimpl.h is private to one minor version, and libraries of other scalars and integers have the same function names.
PetscErrorCode check_flavour() {
  PetscFunctionBegin;
  PetscInt major = 0, minor = 0, patch = 0;
  PetscDataType scalar = PETSC_DATATYPE_UNKNOWN, real = PETSC_DATATYPE_UNKNOWN;
  std::size_t index = 0;
  PetscBool found = PETSC_FALSE;
  PetscCall(PetscGetVersionNumber(&major, &minor, &patch, nullptr));
  PetscCall(PetscDataTypeFromString("scalar", &scalar, &found));
  PetscCall(PetscDataTypeFromString("real", &real, &found));
  PetscCall(PetscDataTypeGetSize(PETSC_INT, &index));
  PetscCheck(major == PETSC_VERSION_MAJOR && minor == PETSC_VERSION_MINOR, PETSC_COMM_SELF, PETSC_ERR_SUP_SYS,
             "librowan_petsc.so was built for PETSc %d.%d, this is %d.%d", PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR,
             static_cast<int>(major), static_cast<int>(minor));
  PetscCheck(
      scalar == PETSC_SCALAR && real == PETSC_REAL && index == sizeof(PetscInt), PETSC_COMM_SELF, PETSC_ERR_SUP_SYS,
      "librowan_petsc.so was built for a PETSc of other scalars or integers: for %zu-byte PetscInt, this one has "
      "%zu bytes",
      sizeof(PetscInt), index);
  PetscFunctionReturn(no_error);
}

}  // namespace
}  // namespace rowan::petsc

PetscErrorCode PetscDLLibraryRegister_rowan_petsc(void) {
  using namespace rowan::petsc;
  static bool registered = false;
  PetscFunctionBegin;
  if (registered) PetscFunctionReturn(no_error);
  PetscCall(check_flavour());
  PetscCall(MatInitializePackage());
  PetscCall(guarded(PETSC_COMM_WORLD, [] { read_settings(); }));
  PetscCall(MatRegister(MATSEQAIJ, create_hooked<MatCreate_SeqAIJ, sequential_before, sequential_hook>));
  PetscCall(MatRegister(MATMPIAIJ, create_hooked<MatCreate_MPIAIJ, parallel_before, parallel_hook>));
  PetscCall(PetscRegisterFinalize(at_end));
  registered = true;
  PetscFunctionReturn(no_error);
}
