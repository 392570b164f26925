#pragma once
// PETSc's matrices made of rowan's, and compared with them bit by bit.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <petscmat.h>

#include <rowan/csr.hpp>

namespace rowan::test {

inline void ok(PetscErrorCode code) {
  REQUIRE(code == 0);
}

/// A Mat that is destroyed when it goes.
class Owned {
 public:
  Owned() = default;
  explicit Owned(Mat m) : m_(m) {}
  Owned(Owned&& other) noexcept : m_(std::exchange(other.m_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(m_, other.m_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { (void)MatDestroy(&m_); }
  operator Mat() const { return m_; }  // NOLINT(google-explicit-constructor)
  Mat* operator&() { return &m_; }     // NOLINT(google-runtime-operator): as PETSc takes it

 private:
  Mat m_ = nullptr;
};

/// The rows of `whole` that a process has; PETSC_DECIDE: even shares.
Owned matrix_of(MPI_Comm comm, const Csr<double>& whole, PetscInt own_rows = PETSC_DECIDE,
                PetscInt own_cols = PETSC_DECIDE);

/// This process's rows have the bits of those of the whole.
bool same(Mat part, const Csr<double>& whole);
/// Two matrices of one communicator have the same bits.
bool same(Mat a, Mat b);

/// Whether C is the product, tried on vectors by PETSc: an oracle that multiplies no matrices.
bool is_product(MatProductType type, Mat a, Mat b, Mat c);

/// C = the product, by the functions that users call.
void multiply(MatProductType type, Mat a, Mat b, MatReuse reuse, Mat* c);
/// The same by MatProduct, in two phases, by the algorithm named: one of PETSc's own.
Owned by_petsc(MatProductType type, Mat a, Mat b, const char* algorithm);

/// Whether C points into memory of rowan's.
bool is_rowans(Mat c);

int ranks(MPI_Comm comm);

}  // namespace rowan::test
