/* An ordinary PETSc program that knows nothing of rowan: times products of a 27-point stencil A on n^3 points and a
   prolongation P of two entries a row, new and five times again with new values; the least of -reps rounds. Run it with and
   without PETSC_OPTIONS="-dll_append librowan_petsc.so": bench/petsc/compare.py does. */
#include <petscmat.h>

#define AGAIN 5

static PetscErrorCode stencil(PetscInt n, Mat* a) {
  PetscInt begin, end;
  PetscFunctionBeginUser;
  PetscCall(MatCreate(PETSC_COMM_WORLD, a));
  PetscCall(MatSetSizes(*a, PETSC_DECIDE, PETSC_DECIDE, n * n * n, n * n * n));
  PetscCall(MatSetFromOptions(*a));
  PetscCall(MatSeqAIJSetPreallocation(*a, 27, NULL));
  PetscCall(MatMPIAIJSetPreallocation(*a, 27, NULL, 27, NULL));
  PetscCall(MatGetOwnershipRange(*a, &begin, &end));
  for (PetscInt r = begin; r < end; r++) {
    const PetscInt x = r % n, y = (r / n) % n, z = r / n / n;
    for (PetscInt k = PetscMax(z - 1, 0); k <= PetscMin(z + 1, n - 1); k++)
      for (PetscInt j = PetscMax(y - 1, 0); j <= PetscMin(y + 1, n - 1); j++)
        for (PetscInt i = PetscMax(x - 1, 0); i <= PetscMin(x + 1, n - 1); i++) {
          const PetscInt c = i + n * (j + n * k);
          PetscCall(MatSetValue(*a, r, c, c == r ? 26.0 + (PetscReal)(r % 3) : -1.0 / (PetscReal)(1 + r % 7), INSERT_VALUES));
        }
  }
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Aggregates of 2 x 2 x 2 points, and a quarter of the next one. */
static PetscErrorCode prolongation(Mat a, PetscInt n, Mat* p) {
  const PetscInt m = n / 2;
  PetscInt rows, begin, end;
  PetscFunctionBeginUser;
  PetscCall(MatGetLocalSize(a, &rows, NULL));
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, rows, PETSC_DECIDE, n * n * n, m * m * m, 2, NULL, 2, NULL, p));
  PetscCall(MatGetOwnershipRange(*p, &begin, &end));
  for (PetscInt r = begin; r < end; r++) {
    const PetscInt x = PetscMin(r % n / 2, m - 1), y = PetscMin(r / n % n / 2, m - 1), z = PetscMin(r / n / n / 2, m - 1);
    const PetscInt c = x + m * (y + m * z);
    PetscCall(MatSetValue(*p, r, c, 1.0, INSERT_VALUES));
    PetscCall(MatSetValue(*p, r, (c + 1) % (m * m * m), 0.25, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*p, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*p, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode multiply(int kind, Mat a, Mat p, MatReuse reuse, Mat* c) {
  PetscFunctionBeginUser;
  switch (kind) {
    case 0: PetscCall(MatMatMult(a, a, reuse, PETSC_DEFAULT, c)); break;
    case 1: PetscCall(MatMatMult(a, p, reuse, PETSC_DEFAULT, c)); break;
    case 2: PetscCall(MatTransposeMatMult(p, a, reuse, PETSC_DEFAULT, c)); break;
    default: PetscCall(MatPtAP(a, p, reuse, PETSC_DEFAULT, c)); break;
  }
  PetscFunctionReturn(0);
}

int main(int argc, char** argv) {
  static const char* const name[] = {"AA", "AP", "PtA", "PtAP"};
  Mat a, p, c;
  PetscInt n = 20, reps = 3;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-reps", &reps, NULL));
  PetscCall(stencil(n, &a));
  PetscCall(prolongation(a, n, &p));
  for (int kind = 0; kind < 4; kind++) {
    double least[1 + AGAIN];
    for (int k = 0; k <= AGAIN; k++) least[k] = 1e30;
    for (PetscInt rep = 0; rep < reps; rep++) {
      for (int k = 0; k <= AGAIN; k++) {
        PetscLogDouble from, to;
        PetscCall(MatScale(a, 1.01));
        PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
        PetscCall(PetscTime(&from));
        PetscCall(multiply(kind, a, p, k == 0 ? MAT_INITIAL_MATRIX : MAT_REUSE_MATRIX, &c));
        PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
        PetscCall(PetscTime(&to));
        least[k] = PetscMin(least[k], to - from);
      }
      PetscCall(MatDestroy(&c));
    }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "time %s", name[kind]));
    for (int k = 0; k <= AGAIN; k++) PetscCall(PetscPrintf(PETSC_COMM_WORLD, " %.6f", least[k]));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "\n"));
  }
  PetscCall(MatDestroy(&a));
  PetscCall(MatDestroy(&p));
  PetscCall(PetscFinalize());
  return 0;
}
