// Products of MPIAIJ matrices through rowan::mpi: AB, AtB and PtAP. C's two pieces are rowan's memory.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "petsc/hooks.hpp"
#include "petsc/settings.hpp"

namespace rowan::petsc {

Hook parallel_before = nullptr;

namespace {

/// What C points into.
struct Pair {
  Piece own = {}, others = {};
  std::vector<std::int64_t> names = {};
};

/// What C remembers between its phases.
struct Parallel {
  std::optional<mpi::Product<PetscScalar>> two = {};
  std::optional<mpi::GalerkinProduct<PetscScalar>> three = {};
  std::shared_ptr<Pair> c = {};
  bool has_values = false;
  States states = {};
};

/// Products of A·B (of PᵀAP: of A·P), from average lengths of rows. Collective.
double estimated_products(MPI_Comm comm, const mpi::RowsView<PetscScalar>& a, const mpi::RowsView<PetscScalar>& b) {
  std::array<double, 2> nnz = {static_cast<double>(a.own.nnz() + a.others.nnz()),
                               static_cast<double>(b.own.nnz() + b.others.nnz())};
  MPI_Allreduce(MPI_IN_PLACE, nnz.data(), 2, MPI_DOUBLE, MPI_SUM, comm);
  return nnz[0] * nnz[1] / std::max(1.0, static_cast<double>(b.rows.all()));
}

void add(const mpi::ProductStats& stats, Done& to) {
  to.exchange += stats.exchange, to.assemble += stats.assemble, to.divide += stats.divide;
  to.bytes_received += stats.bytes_received;
}

void multiply(MPI_Comm comm, MatProductType type, const LocalRows& a, const LocalRows& b, Parallel& to, Done& done) {
  const Timed timed(settings().multiply, done.multiply);
  mpi::Rows<PetscScalar> c;
  if (type == MATPRODUCT_PtAP) {
    to.three.emplace(context(), comm, a.view(), b.view(), false);
    add(to.three->first(), done), add(to.three->second(), done);
    check(
        PetscLogFlops(2 * static_cast<PetscLogDouble>(to.three->first().local.nprod + to.three->second().local.nprod)));
    c = to.three->take();
  } else {
    to.two = type == MATPRODUCT_AB
                 ? mpi::Product<PetscScalar>::multiply(context(), comm, a.view(), b.view(), false)
                 : mpi::Product<PetscScalar>::transposed_multiply(context(), comm, a.view(), b.view(), false);
    add(to.two->stats(), done);
    check(PetscLogFlops(2 * static_cast<PetscLogDouble>(to.two->stats().local.nprod)));
    c = to.two->take();
  }
  to.c = std::make_shared<Pair>();
  to.c->own = piece_of(std::move(c.own)), to.c->others = piece_of(std::move(c.others));
  to.c->names = std::move(c.names);
}

PetscErrorCode numeric_parallel(Mat c) {
  return guarded(c, [&] {
    Mat_Product& product = *c->product;
    auto& s = *static_cast<Parallel*>(product.data);
    const States now(product);
    if (std::exchange(s.has_values, false) && now == s.states) return;
    Done& done = settings().done[1][product.type];
    const Timed timed(settings().values, done.values);
    const LocalRows a(product.A), b(product.B);
    const auto execute = [&](std::span<PetscScalar> own, std::span<PetscScalar> others) {
      if (s.three)
        s.three->execute(a.view(), b.view(), own, others);
      else
        s.two->execute(a.view(), b.view(), own, others);
    };
    Mat own = nullptr, others = nullptr;
    const PetscInt* names = nullptr;
    check(MatMPIAIJGetSeqAIJ(c, &own, &others, &names));
    if (points_into(own, s.c->own) && points_into(others, s.c->others)) {
      const Writing to_own(own), to_others(others);
      execute({to_own.get(), s.c->own.val.size()}, {to_others.get(), s.c->others.val.size()});
    } else {  // in one of the processes alone, maybe
      std::vector<PetscScalar> of_own(s.c->own.val.size()), of_others(s.c->others.val.size());
      execute(of_own, of_others);
      scatter(s.c->own, nullptr, of_own.data(), own, nullptr);
      scatter(s.c->others, s.c->names.data(), of_others.data(), others, names);
    }
    check(PetscObjectStateIncrease(reinterpret_cast<PetscObject>(c)));
    done.again++;
  });
}

PetscErrorCode symbolic_parallel(Mat c) {
  return guarded(c, [&] {
    Mat_Product& product = *c->product;
    Done& done = settings().done[1][product.type];
    const MPI_Comm comm = PetscObjectComm(reinterpret_cast<PetscObject>(c));
    auto s = std::make_unique<Parallel>();
    {
      const LocalRows a(product.A), b(product.B);
      const std::int64_t least = settings().least_products;
      if (wants_diagonal(c) ||
          (least > 0 && estimated_products(comm, a.view(), b.view()) < static_cast<double>(least))) {
        done.left++;
        leave(c, parallel_before);
        return;
      }
      multiply(comm, product.type, a, b, *s, done);
    }
    s->has_values = true, s->states = States(product);
    const PetscLayout rows = product.type == MATPRODUCT_AB    ? product.A->rmap
                             : product.type == MATPRODUCT_AtB ? product.A->cmap
                                                              : product.B->cmap;
    const PetscLayout cols = product.B->cmap;
    Mat d = nullptr;
    // PETSc takes global columns of the others, and numbers them anew where they lie
    for (PetscInt& k : s->c->others.col.span()) k = static_cast<PetscInt>(s->c->names[static_cast<std::size_t>(k)]);
    check(MatCreateMPIAIJWithSplitArrays(comm, rows->n, cols->n, rows->N, cols->N, s->c->own.row_ptr.data(),
                                         s->c->own.col.data(), s->c->own.val.data(), s->c->others.row_ptr.data(),
                                         s->c->others.col.data(), s->c->others.val.data(), &d));
    keep(d, s->c);
    check(MatSetBlockSizes(d, rows->bs, cols->bs));
    become(c, d);
    install(c, symbolic_parallel, numeric_parallel, std::move(s));
    done.products++;
  });
}

/// In every process. Collective.
bool all_fit(const Mat_Product& product) {
  int fit = fits(product.A) && fits(product.B) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fit, 1, MPI_INT, MPI_MIN, PetscObjectComm(reinterpret_cast<PetscObject>(product.A)));
  return fit == 1;
}

}  // namespace

PetscErrorCode parallel_hook(Mat c) {
  PetscFunctionBegin;
  const Mat_Product& product = *c->product;
  bool ours = settings().parallel &&
              (product.type == MATPRODUCT_AB || product.type == MATPRODUCT_AtB || product.type == MATPRODUCT_PtAP);
  PetscCall(guarded(c, [&] {
    ours = ours && all_of_type(product, MATMPIAIJ) && (sizeof(PetscInt) == sizeof(Column) || all_fit(product)) &&
           !names_algorithm(c);
  }));
  PetscCall(take_or_leave(c, ours, symbolic_parallel, parallel_before));
  PetscFunctionReturn(no_error);
}

}  // namespace rowan::petsc
