// PETSc opens the library in PetscInitialize and calls the one function that it exports. That registers the types of
// AIJ matrices anew: PETSc's own constructors, after which one entry of the new matrix's table is a hook of rowan's.
#include <string>
#include <utility>

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

/// Why this is not the PETSc that the library was built for, or nothing: matimpl.h is private to one minor version, and
/// libraries of other scalars and integers have the same function names.
std::string difference() {
  PetscInt major = 0, minor = 0, patch = 0;
  PetscDataType scalar = PETSC_DATATYPE_UNKNOWN, real = PETSC_DATATYPE_UNKNOWN;
  std::size_t index = 0;
  PetscBool found = PETSC_FALSE;
  check(PetscGetVersionNumber(&major, &minor, &patch, nullptr));
  check(PetscDataTypeFromString("scalar", &scalar, &found));
  check(PetscDataTypeFromString("real", &real, &found));
  check(PetscDataTypeGetSize(PETSC_INT, &index));
  if (major != PETSC_VERSION_MAJOR || minor != PETSC_VERSION_MINOR)
    return "PETSc " + std::to_string(major) + "." + std::to_string(minor) + ", not " +
           std::to_string(PETSC_VERSION_MAJOR) + "." + std::to_string(PETSC_VERSION_MINOR);
  if (scalar != PETSC_SCALAR) return std::string("scalars of type ") + PetscDataTypes[scalar];
  if (real != PETSC_REAL) return std::string("reals of type ") + PetscDataTypes[real];
  if (index != sizeof(PetscInt))
    return "integers of " + std::to_string(8 * index) + " bits, not " + std::to_string(8 * sizeof(PetscInt));
  return {};
}

void add_hooks() {
  read_settings();
  check(MatRegister(MATSEQAIJ, create_hooked<MatCreate_SeqAIJ, sequential_before, sequential_hook>));
  check(MatRegister(MATMPIAIJ, create_hooked<MatCreate_MPIAIJ, parallel_before, parallel_hook>));
  check(PetscRegisterFinalize(at_end));
}

}  // namespace
}  // namespace rowan::petsc

PetscErrorCode PetscDLLibraryRegister_rowan_petsc(void) {
  using namespace rowan::petsc;
  return guarded(PETSC_COMM_WORLD, [] {
    static bool called = false;
    if (std::exchange(called, true)) return;
    const std::string other = difference();
    if (other.empty())
      add_hooks();
    else  // the program goes on, with PETSc's own products
      say(PETSC_COMM_WORLD, "this PETSc has " + other + ": products stay PETSc's own");
  });
}
