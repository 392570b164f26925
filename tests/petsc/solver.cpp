// An ordinary program: Poisson's equation on n x n x n points by conjugate gradients under algebraic multigrid, set up,
// and set up again for other values. Prints the residual of each iteration.
#include <petscksp.h>

namespace {

PetscErrorCode laplacian(PetscInt n, Mat* a) {
  PetscFunctionBeginUser;
  PetscCall(MatCreate(PETSC_COMM_WORLD, a));
  PetscCall(MatSetSizes(*a, PETSC_DECIDE, PETSC_DECIDE, n * n * n, n * n * n));
  PetscCall(MatSetType(*a, MATAIJ));
  PetscCall(MatSetUp(*a));
  PetscInt begin = 0, end = 0;
  PetscCall(MatGetOwnershipRange(*a, &begin, &end));
  for (PetscInt r = begin; r < end; r++) {
    const PetscInt x = r % n, y = r / n % n, z = r / n / n;
    const PetscInt near[] = {x > 0 ? r - 1 : -1,     x < n - 1 ? r + 1 : -1, y > 0 ? r - n : -1,
                             y < n - 1 ? r + n : -1, z > 0 ? r - n * n : -1, z < n - 1 ? r + n * n : -1};
    PetscCall(MatSetValue(*a, r, r, 6.0, INSERT_VALUES));
    for (const PetscInt c : near)
      PetscCall(MatSetValue(*a, r, c, -1.0, INSERT_VALUES));  // negative columns are left out
  }
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(static_cast<PetscErrorCode>(0));
}

PetscErrorCode show(KSP, PetscInt iteration, PetscReal norm, void*) {
  return PetscPrintf(PETSC_COMM_WORLD, "%3d residual %.9e\n", static_cast<int>(iteration), static_cast<double>(norm));
}

PetscErrorCode solve(PetscInt n) {
  PetscFunctionBeginUser;
  Mat a = nullptr;
  PetscCall(laplacian(n, &a));
  Vec x = nullptr, b = nullptr;
  PetscCall(MatCreateVecs(a, &x, &b));
  PetscCall(VecSet(b, 1.0));
  KSP ksp = nullptr;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetType(ksp, KSPCG));
  PetscCall(KSPMonitorSet(ksp, show, nullptr, nullptr));
  PC pc = nullptr;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCGAMG));
  PetscCall(PCGAMGSetReuseInterpolation(pc, PETSC_TRUE));
  PetscCall(KSPSetFromOptions(ksp));
  for (int again = 0; again < 3; again++) {
    PetscCall(KSPSetOperators(ksp, a, a));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(MatScale(a, 1.5));
  }
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(static_cast<PetscErrorCode>(0));
}

}  // namespace

int main(int argc, char** argv) {
  if (PetscInitialize(&argc, &argv, nullptr, nullptr) != 0) return 2;
  PetscInt n = 12;
  const bool done = PetscOptionsGetInt(nullptr, nullptr, "-n", &n, nullptr) == 0 && solve(n) == 0;
  return PetscFinalize() == 0 && done ? 0 : 1;
}
