// doctest between PetscInitialize and PetscFinalize; every process runs every case. The program is an ordinary one: the
// plug-in comes from PETSC_OPTIONS.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <petscsys.h>

int main(int argc, char** argv) {
  // doctest's arguments are not PETSc's
  int none = 1;
  if (PetscInitialize(&none, &argv, nullptr, nullptr) != 0) return 2;
  const int failed = doctest::Context(argc, argv).run();
  int any = 0;
  MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  return PetscFinalize() != 0 ? 2 : any;
}
