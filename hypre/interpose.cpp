// Functions of hypre's that BoomerAMG calls for products, under the same names: LD_PRELOAD="librowan_hypre.so" puts
// these first. What rowan cannot do, or fails at, goes to hypre's own.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>

#include <_hypre_parcsr_ls.h>
#include <dlfcn.h>

#include "hypre/matrix.hpp"
#include <rowan/context.hpp>

namespace rowan::hypre {
namespace {

/// What was done, shown when the program ends where ROWAN_HYPRE_VIEW is set.
struct Counts {
  int products = 0, triple = 0, left = 0;
  double seconds = 0;
  ~Counts() {
    const bool any = products + triple + left > 0;          // else a program that MPI starts
    if (any && std::getenv("ROWAN_HYPRE_VIEW") != nullptr)  // NOLINT(concurrency-mt-unsafe): at the end
      std::fprintf(stderr, "rowan: hypre: %d products, %d of three, %d left to hypre, %.3f ms\n", products, triple,
                   left, 1e3 * seconds);
  }
};
Counts counts;

/// ROWAN_HYPRE_THREADS, or this process's share of the machine's CPUs. Collective at first.
const Context& context(MPI_Comm comm) {
  static std::optional<Context> kept;
  if (!kept) {
    const char* const asked =
        std::getenv("ROWAN_HYPRE_THREADS");  // NOLINT(concurrency-mt-unsafe): hypre has one thread
    const int share = mpi::share_of_cpus(comm);
    kept.emplace(Options{.backend = Backend::host, .threads = asked != nullptr ? std::atoi(asked) : share});
  }
  return *kept;
}

template <class F>
F* own(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

bool all(MPI_Comm comm, bool here) {
  int holds = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &holds, 1, MPI_INT, MPI_MIN, comm);
  return holds == 1;
}

/// The product, or nullptr in every process where it failed in any.
template <class F>
hypre_ParCSRMatrix* made(MPI_Comm comm, int& count, const F& f) {
  const double from = MPI_Wtime();
  hypre_ParCSRMatrix* c = nullptr;
  try {
    c = f();
  } catch (const std::exception&) {  // hypre tries, and says what is wrong
  }
  if (!all(comm, c != nullptr)) {
    if (c != nullptr) hypre_ParCSRMatrixDestroy(c);
    counts.left++;
    return nullptr;
  }
  int processes = 1;
  MPI_Comm_size(comm, &processes);
  if (processes > 1) hypre_MatvecCommPkgCreate(c);
  count++, counts.seconds += MPI_Wtime() - from;
  return c;
}

hypre_ParCSRMatrix* multiplied(hypre_ParCSRMatrix* a, hypre_ParCSRMatrix* b) {
  const MPI_Comm comm = hypre_ParCSRMatrixComm(a);
  return made(comm, counts.products, [&] {
    const LocalRows va(a), vb(b);
    return matrix_of(comm, mpi::multiply(context(comm), comm, va.view(), vb.view()), hypre_ParCSRMatrixRowStarts(a),
                     hypre_ParCSRMatrixColStarts(b));
  });
}

/// Rᵀ·A·P, whose R hypre has transposed.
hypre_ParCSRMatrix* coarse(hypre_ParCSRMatrix* r, hypre_ParCSRMatrix* a, hypre_ParCSRMatrix* p) {
  const MPI_Comm comm = hypre_ParCSRMatrixComm(a);
  return made(comm, counts.triple, [&] {
    const LocalRows vr(r), va(a), vp(p);
    mpi::Rows<double> c;
    if (r == p) {
      c = mpi::GalerkinProduct<double>(context(comm), comm, va.view(), vp.view()).take();
    } else {
      const auto ap = mpi::multiply(context(comm), comm, va.view(), vp.view());
      c = mpi::Product<double>::transposed_multiply(context(comm), comm, vr.view(), ap).take();
    }
    return matrix_of(comm, c, hypre_ParCSRMatrixColStarts(r), hypre_ParCSRMatrixColStarts(p));
  });
}

}  // namespace
}  // namespace rowan::hypre

using namespace rowan::hypre;

hypre_ParCSRMatrix* hypre_ParMatmul(hypre_ParCSRMatrix* a, hypre_ParCSRMatrix* b) {
  hypre_ParCSRMatrix* const c = multiplied(a, b);
  return c != nullptr ? c : own<decltype(hypre_ParMatmul)>("hypre_ParMatmul")(a, b);
}

hypre_ParCSRMatrix* hypre_ParCSRMatMat(hypre_ParCSRMatrix* a, hypre_ParCSRMatrix* b) {
  hypre_ParCSRMatrix* const c = multiplied(a, b);
  return c != nullptr ? c : own<decltype(hypre_ParCSRMatMat)>("hypre_ParCSRMatMat")(a, b);
}

hypre_ParCSRMatrix* hypre_ParCSRMatrixRAPKT(hypre_ParCSRMatrix* r, hypre_ParCSRMatrix* a, hypre_ParCSRMatrix* p,
                                            HYPRE_Int keep_transpose) {
  hypre_ParCSRMatrix* const c = keep_transpose == 0 ? coarse(r, a, p) : nullptr;
  return c != nullptr ? c : own<decltype(hypre_ParCSRMatrixRAPKT)>("hypre_ParCSRMatrixRAPKT")(r, a, p, keep_transpose);
}

HYPRE_Int hypre_BoomerAMGBuildCoarseOperatorKT(hypre_ParCSRMatrix* r, hypre_ParCSRMatrix* a, hypre_ParCSRMatrix* p,
                                               HYPRE_Int keep_transpose, hypre_ParCSRMatrix** rap) {
  *rap = keep_transpose == 0 ? coarse(r, a, p) : nullptr;
  return *rap != nullptr ? 0
                         : own<decltype(hypre_BoomerAMGBuildCoarseOperatorKT)>("hypre_BoomerAMGBuildCoarseOperatorKT")(
                               r, a, p, keep_transpose, rap);
}
