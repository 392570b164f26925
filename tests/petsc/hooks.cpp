// What PETSc's users expect of a product, of matrices of one process and of matrices over all.
#include <string>

#include "tests/petsc/support.hpp"
#include <rowan/context.hpp>
#include <rowan/generate.hpp>

namespace rowan::test {
namespace {

PetscObject object(Mat m) {
  return reinterpret_cast<PetscObject>(m);
}

Csr<double> squared(const Csr<double>& a) {
  return Context({.threads = 1}).multiply(a, a);
}

TEST_CASE("PETSc plug-in: values may change between the phases, name, prefix and symmetry stay") {
  for (const MPI_Comm comm : {PETSC_COMM_SELF, PETSC_COMM_WORLD}) {
    Csr<double> whole = generate("stencil2d:nx=10,ny=10");
    const Owned a = matrix_of(comm, whole);
    Owned c;
    ok(MatProductCreate(a, a, nullptr, &c));
    ok(MatSetOptionsPrefix(c, "mine_"));
    ok(PetscObjectSetName(object(c), "my product"));
    ok(MatSetOption(c, MAT_SYMMETRIC, PETSC_TRUE));
    ok(MatProductSetType(c, MATPRODUCT_AB));
    ok(MatProductSetFromOptions(c));
    ok(MatProductSymbolic(c));
    ok(MatScale(a, 3.0));
    for (double& v : whole.val()) v *= 3.0;
    ok(MatProductNumeric(c));
    CHECK(same(c, squared(whole)));
    const char *prefix = nullptr, *name = nullptr;
    ok(MatGetOptionsPrefix(c, &prefix));
    ok(PetscObjectGetName(object(c), &name));
    CHECK(std::string(prefix) == "mine_");
    CHECK(std::string(name) == "my product");
    PetscBool set = PETSC_FALSE, symmetric = PETSC_FALSE;
    ok(MatIsSymmetricKnown(c, &set, &symmetric));
    CHECK(set == PETSC_TRUE);
    CHECK(symmetric == PETSC_TRUE);
  }
}

TEST_CASE("PETSc plug-in: a C to which entries were added, by one process, is computed again where they lie") {
  for (const MPI_Comm comm : {PETSC_COMM_SELF, PETSC_COMM_WORLD})
    for (const bool planned : {false, true}) {
      CAPTURE(planned);
      const Owned a = matrix_of(comm, generate("stencil2d:nx=8,ny=8"));
      Owned c;
      ok(MatMatMult(a, a, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c));
      if (planned) ok(MatMatMult(a, a, MAT_REUSE_MATRIX, PETSC_DEFAULT, &c));
      ok(MatSetOption(c, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_FALSE));
      ok(MatSetOption(c, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
      PetscInt begin = 0, end = 0;
      ok(MatGetOwnershipRange(c, &begin, &end));
      const bool here = begin == 0 && end > 0;
      if (here) ok(MatSetValue(c, 0, 63, 5.0, INSERT_VALUES));
      ok(MatAssemblyBegin(c, MAT_FINAL_ASSEMBLY));
      ok(MatAssemblyEnd(c, MAT_FINAL_ASSEMBLY));
      ok(MatScale(a, 2.0));
      for (int again = 0; again < 2; again++) {
        ok(MatMatMult(a, a, MAT_REUSE_MATRIX, PETSC_DEFAULT, &c));
        CHECK(is_product(MATPRODUCT_AB, a, a, c));
        PetscScalar added = here ? 1 : 0;
        if (here) ok(MatGetValue(c, 0, 63, &added));
        CHECK(added == 0);
      }
    }
}

TEST_CASE("PETSc plug-in: duplicates outlive C, operands may be replaced") {
  for (const MPI_Comm comm : {PETSC_COMM_SELF, PETSC_COMM_WORLD}) {
    const Csr<double> whole = generate("random:n=40,row_length=4");
    const Owned a = matrix_of(comm, whole);
    Owned c, copy, other;
    ok(MatMatMult(a, a, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c));
    ok(MatDuplicate(c, MAT_COPY_VALUES, &copy));
    ok(MatDuplicate(a, MAT_COPY_VALUES, &other));
    ok(MatScale(other, -3.0));
    ok(MatMatMult(other, a, MAT_REUSE_MATRIX, PETSC_DEFAULT, &c));
    CHECK(is_product(MATPRODUCT_AB, other, a, c));
    ok(MatDestroy(&c));
    CHECK(same(copy, squared(whole)));
  }
}

}  // namespace
}  // namespace rowan::test
