// An ordinary program of hypre: diffusion on n x n x n points by conjugate gradients under BoomerAMG. Prints
// the residual after each number of iterations, and seconds of the set-up.
//   solver [N] [ROUNDS OF THE SET-UP]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

namespace {

/// Of the flow between two points, in [1, 2): equal ones would let rounding choose which points are coarse.
double coefficient(HYPRE_Int r, HYPRE_Int c) {
  const auto low = static_cast<long>(std::min(r, c)), high = static_cast<long>(std::max(r, c));
  return 1.0 + static_cast<double>((low * 7919 + high * 104729) % 9973) / 9973.0;
}

HYPRE_IJMatrix laplacian(HYPRE_Int n, HYPRE_Int begin, HYPRE_Int end) {
  HYPRE_IJMatrix a = nullptr;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, begin, end - 1, begin, end - 1, &a);
  HYPRE_IJMatrixSetObjectType(a, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(a);
  for (HYPRE_Int r = begin; r < end; r++) {
    const HYPRE_Int x = r % n, y = r / n % n, z = r / n / n;
    std::vector<HYPRE_Int> col = {r};
    if (x > 0) col.push_back(r - 1);
    if (x < n - 1) col.push_back(r + 1);
    if (y > 0) col.push_back(r - n);
    if (y < n - 1) col.push_back(r + n);
    if (z > 0) col.push_back(r - n * n);
    if (z < n - 1) col.push_back(r + n * n);
    std::vector<double> val = {0.1};
    for (std::size_t k = 1; k < col.size(); k++) {
      val.push_back(-coefficient(r, col[k]));
      val[0] -= val[k];
    }
    auto length = static_cast<HYPRE_Int>(col.size());
    HYPRE_IJMatrixSetValues(a, 1, &length, &r, col.data(), val.data());
  }
  HYPRE_IJMatrixAssemble(a);
  return a;
}

HYPRE_IJVector vector(HYPRE_Int begin, HYPRE_Int end, double value) {
  HYPRE_IJVector v = nullptr;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, begin, end - 1, &v);
  HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(v);
  std::vector<HYPRE_Int> at;
  for (HYPRE_Int r = begin; r < end; r++) at.push_back(r);
  const std::vector<double> values(at.size(), value);
  HYPRE_IJVectorSetValues(v, end - begin, at.data(), values.data());
  HYPRE_IJVectorAssemble(v);
  return v;
}

template <class To, class From, class Get>
To object_of(From from, Get get) {
  void* object = nullptr;
  get(from, &object);
  return static_cast<To>(object);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  const HYPRE_Int n = argc > 1 ? std::atoi(argv[1]) : 12, rounds = argc > 2 ? std::atoi(argv[2]) : 1;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const HYPRE_Int all = n * n * n, begin = all * rank / ranks, end = all * (rank + 1) / ranks;
  HYPRE_IJMatrix a = laplacian(n, begin, end);
  HYPRE_IJVector b = vector(begin, end, 1.0), x = vector(begin, end, 0.0);
  auto* const matrix = object_of<HYPRE_ParCSRMatrix>(a, HYPRE_IJMatrixGetObject);
  auto* const right = object_of<HYPRE_ParVector>(b, HYPRE_IJVectorGetObject);
  auto* const solution = object_of<HYPRE_ParVector>(x, HYPRE_IJVectorGetObject);

  double least = 1e30;
  for (HYPRE_Int round = 0; round < rounds; round++) {
    HYPRE_Solver set_up = nullptr;
    HYPRE_BoomerAMGCreate(&set_up);
    HYPRE_BoomerAMGSetCoarsenType(set_up, 8);
    MPI_Barrier(MPI_COMM_WORLD);
    const double from = MPI_Wtime();
    HYPRE_BoomerAMGSetup(set_up, matrix, right, solution);
    MPI_Barrier(MPI_COMM_WORLD);
    least = std::min(least, MPI_Wtime() - from);
    HYPRE_BoomerAMGDestroy(set_up);
  }
  for (HYPRE_Int iterations = 1; iterations <= 6; iterations++) {
    HYPRE_ParVectorSetConstantValues(solution, 0.0);
    HYPRE_Solver amg = nullptr, cg = nullptr;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetCoarsenType(amg, 8);  // PMIS: HMIS, the default, depends on the order of entries within a row
    HYPRE_BoomerAMGSetTol(amg, 0.0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_PCGSetMaxIter(cg, iterations);
    HYPRE_PCGSetTol(cg, 1e-30);
    HYPRE_PCGSetTwoNorm(cg, 1);
    HYPRE_ParCSRPCGSetPrecond(cg, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, amg);
    HYPRE_ParCSRPCGSetup(cg, matrix, right, solution);
    HYPRE_ParCSRPCGSolve(cg, matrix, right, solution);
    double residual = 0;
    HYPRE_PCGGetFinalRelativeResidualNorm(cg, &residual);
    if (rank == 0) std::printf("%d residual %.9e\n", iterations, residual);
    HYPRE_ParCSRPCGDestroy(cg);
    HYPRE_BoomerAMGDestroy(amg);
  }
  HYPRE_ClearAllErrors();  // that it did not converge to 1e-30
  if (rank == 0) std::printf("set-up %.6f s\n", least);
  HYPRE_IJMatrixDestroy(a);
  HYPRE_IJVectorDestroy(b);
  HYPRE_IJVectorDestroy(x);
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}
