// Products of MPIAIJ matrices under the plug-in have the bits of one process's, on any number of processes.
#include "tests/petsc/support.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

Csr<double> product(MatProductType type, const Csr<double>& a, const Csr<double>& b) {
  const Context context({.threads = 1});
  switch (type) {
    case MATPRODUCT_AB:
      return context.multiply(a, b);
    case MATPRODUCT_AtB:
      return context.multiply(transposed(a.view()), b);
    default:
      return context.galerkin(a, b);
  }
}

TEST_CASE("PETSc plug-in: products of MPIAIJ matrices have the bits of one process, new and again") {
  const bool several = ranks(PETSC_COMM_WORLD) > 1;
  for (const char* spec : {"stencil2d:nx=12,ny=9", "rmat:scale=7,edge_factor=6", "random:n=3,row_length=2"}) {
    CAPTURE(spec);
    Csr<double> whole = generate(spec);
    const Owned a = matrix_of(PETSC_COMM_WORLD, whole);
    for (const MatProductType type : {MATPRODUCT_AB, MATPRODUCT_AtB, MATPRODUCT_PtAP}) {
      CAPTURE(MatProductTypes[type]);
      Owned c;
      multiply(type, a, a, MAT_INITIAL_MATRIX, &c);
      CHECK(is_rowans(c));
      CHECK(same(c, product(type, whole, whole)));
      CHECK(is_product(type, a, a, c));
      for (int again = 0; again < 3; again++) {
        ok(MatScale(a, 1.25));
        for (double& v : whole.val()) v *= 1.25;
        multiply(type, a, a, MAT_REUSE_MATRIX, &c);
        CHECK(same(c, product(type, whole, whole)));
      }
      PetscBool parallel = PETSC_FALSE;
      ok(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(static_cast<Mat>(c)), MATMPIAIJ, &parallel));
      CHECK((parallel == PETSC_TRUE) == several);
    }
  }
}

TEST_CASE("PETSc plug-in: rectangular products whose rows lie unevenly, and ranks without any") {
  Csr<double> whole_a = generate("stencil3d:nx=6,ny=5,nz=4"),
              whole_p = generate("rectangular:rows=120,cols=17,least=2,most=2");
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const bool last = rank == ranks(PETSC_COMM_WORLD) - 1;
  const PetscInt rows = last ? 120 : 0, cols = last ? 17 : 0;
  const Owned a = matrix_of(PETSC_COMM_WORLD, whole_a, rows, rows),
              p = matrix_of(PETSC_COMM_WORLD, whole_p, rows, cols);
  for (const MatProductType type : {MATPRODUCT_AB, MATPRODUCT_PtAP}) {
    Owned c;
    multiply(type, a, p, MAT_INITIAL_MATRIX, &c);
    CHECK(same(c, product(type, whole_a, whole_p)));
    multiply(type, a, p, MAT_REUSE_MATRIX, &c);
    CHECK(same(c, product(type, whole_a, whole_p)));
  }
}

TEST_CASE("PETSc plug-in: a C that must have its whole diagonal is PETSc's") {
  const Owned a = matrix_of(PETSC_COMM_WORLD, generate("hypersparse:rows=20,cols=20,entries=5"));
  Owned c, diagonal;
  ok(MatProductCreate(a, a, nullptr, &c));
  ok(MatProductSetType(c, MATPRODUCT_AB));
  ok(MatSetOption(c, MAT_FORCE_DIAGONAL_ENTRIES, PETSC_TRUE));
  ok(MatProductSetFromOptions(c));
  ok(MatProductSymbolic(c));
  ok(MatProductNumeric(c));
  ok(MatSetOption(c, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  ok(MatShift(c, 1.0));  // an error where an entry is missing
  CHECK_FALSE(is_rowans(c));
}

TEST_CASE("PETSc plug-in: products that rowan does not take over processes are PETSc's") {
  const Owned a = matrix_of(PETSC_COMM_WORLD, generate("stencil2d:nx=8,ny=8"));
  Owned c;
  ok(MatRARt(a, a, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c));
  CHECK(is_product(MATPRODUCT_RARt, a, a, c));
}

}  // namespace
}  // namespace rowan::test
