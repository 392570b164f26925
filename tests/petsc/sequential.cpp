// Products of SeqAIJ matrices under the plug-in: right, with rowan's bits, and PETSc's habits kept.
#include <petscksp.h>

#include "tests/petsc/support.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

constexpr auto kTypes = {MATPRODUCT_AB, MATPRODUCT_AtB, MATPRODUCT_ABt, MATPRODUCT_PtAP, MATPRODUCT_RARt};

Csr<double> product(MatProductType type, const Csr<double>& a, const Csr<double>& b) {
  const Context context({.threads = 1});
  switch (type) {
    case MATPRODUCT_AB:
      return context.multiply(a, b);
    case MATPRODUCT_AtB:
      return context.multiply(transposed(a.view()), b);
    case MATPRODUCT_ABt:
      return context.multiply(a, transposed(b.view()));
    case MATPRODUCT_PtAP:
      return context.galerkin(a, b);
    default:
      return context.galerkin(b, a, transposed(b.view()));
  }
}

TEST_CASE("PETSc plug-in: every product of SeqAIJ matrices has rowan's bits, new and again") {
  for (const char* spec : {"stencil2d:nx=12,ny=9", "rmat:scale=7,edge_factor=6", "random:n=60,row_length=5"}) {
    CAPTURE(spec);
    Csr<double> whole = generate(spec);
    const Owned a = matrix_of(PETSC_COMM_SELF, whole);
    for (const MatProductType type : kTypes) {
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
    }
  }
}

TEST_CASE("PETSc plug-in: rowan adds as PETSc's sorted algorithm does") {
  const Owned a = matrix_of(PETSC_COMM_SELF, generate("rmat:scale=8,edge_factor=6"));
  Owned c;
  multiply(MATPRODUCT_AB, a, a, MAT_INITIAL_MATRIX, &c);
  const Owned petsc = by_petsc(MATPRODUCT_AB, a, a, "sorted");
  CHECK_FALSE(is_rowans(petsc));  // a named algorithm is the user's choice
  CHECK(same(c, petsc));
}

TEST_CASE("PETSc plug-in: block sizes of C are those of its operands") {
  const Owned a = matrix_of(PETSC_COMM_SELF, generate("stencil2d:nx=8,ny=6"));
  ok(MatSetBlockSizes(a, 2, 3));
  Owned c;
  ok(MatMatMult(a, a, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c));
  PetscInt rows = 0, cols = 0;
  ok(MatGetBlockSizes(c, &rows, &cols));
  CHECK(rows == 2);
  CHECK(cols == 3);
}

TEST_CASE("PETSc plug-in: a product of three, and empty matrices") {
  Csr<double> whole = generate("stencil2d:nx=7,ny=5");
  const Owned a = matrix_of(PETSC_COMM_SELF, whole);
  Owned c;
  ok(MatMatMatMult(a, a, a, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c));
  const Context context({.threads = 1});
  CHECK(is_rowans(c));
  CHECK(same(c, context.galerkin(whole, whole, whole)));
  ok(MatMatMatMult(a, a, a, MAT_REUSE_MATRIX, PETSC_DEFAULT, &c));
  CHECK(same(c, context.galerkin(whole, whole, whole)));
  for (const auto& size : {std::pair(0, 0), std::pair(3, 0), std::pair(0, 4)}) {
    Owned empty, transpose, nothing;
    ok(MatCreateSeqAIJ(PETSC_COMM_SELF, size.first, size.second, 0, nullptr, &empty));
    ok(MatAssemblyBegin(empty, MAT_FINAL_ASSEMBLY));
    ok(MatAssemblyEnd(empty, MAT_FINAL_ASSEMBLY));
    ok(MatTranspose(empty, MAT_INITIAL_MATRIX, &transpose));
    ok(MatMatMult(empty, transpose, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &nothing));
    ok(MatMatMult(empty, transpose, MAT_REUSE_MATRIX, PETSC_DEFAULT, &nothing));
    PetscInt rows = -1;
    ok(MatGetSize(nothing, &rows, nullptr));
    CHECK(rows == size.first);
  }
}

TEST_CASE("PETSc plug-in: other types of matrices are PETSc's") {
  const Owned a = matrix_of(PETSC_COMM_SELF, generate("stencil2d:nx=6,ny=6"));
  Owned permuted, dense, c, d;
  ok(MatConvert(a, MATSEQAIJPERM, MAT_INITIAL_MATRIX, &permuted));
  ok(MatMatMult(permuted, permuted, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c));
  CHECK_FALSE(is_rowans(c));
  CHECK(is_product(MATPRODUCT_AB, permuted, permuted, c));
  ok(MatConvert(a, MATSEQDENSE, MAT_INITIAL_MATRIX, &dense));
  ok(MatMatMult(a, dense, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &d));
  CHECK(is_product(MATPRODUCT_AB, a, dense, d));
}

}  // namespace
}  // namespace rowan::test
