#include "tests/petsc/support.hpp"

#include <algorithm>
#include <cstring>

namespace rowan::test {

int ranks(MPI_Comm comm) {
  int n = 1;
  MPI_Comm_size(comm, &n);
  return n;
}

Owned matrix_of(MPI_Comm comm, const Csr<double>& whole, PetscInt own_rows, PetscInt own_cols) {
  Owned m;
  ok(MatCreate(comm, &m));
  ok(MatSetSizes(m, own_rows, own_cols, static_cast<PetscInt>(whole.rows()), static_cast<PetscInt>(whole.cols())));
  ok(MatSetType(m, MATAIJ));
  ok(MatSetUp(m));
  ok(MatSetOption(m, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscInt begin = 0, end = 0;
  ok(MatGetOwnershipRange(m, &begin, &end));
  for (PetscInt r = begin; r < end; r++)
    for (auto k = static_cast<std::size_t>(whole.row_ptr()[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(whole.row_ptr()[static_cast<std::size_t>(r) + 1]); k++)
      ok(MatSetValue(m, r, whole.col()[k], whole.val()[k], INSERT_VALUES));
  ok(MatAssemblyBegin(m, MAT_FINAL_ASSEMBLY));
  ok(MatAssemblyEnd(m, MAT_FINAL_ASSEMBLY));
  return m;
}

namespace {

/// The row of a matrix, entry by entry; sorted by column.
std::vector<std::pair<PetscInt, PetscScalar>> row_of(Mat m, PetscInt r) {
  PetscInt n = 0;
  const PetscInt* col = nullptr;
  const PetscScalar* val = nullptr;
  ok(MatGetRow(m, r, &n, &col, &val));
  std::vector<std::pair<PetscInt, PetscScalar>> row;
  for (PetscInt k = 0; k < n; k++) row.emplace_back(col[k], val[k]);
  ok(MatRestoreRow(m, r, &n, &col, &val));
  return row;
}

bool same_rows(const std::vector<std::pair<PetscInt, PetscScalar>>& a,
               const std::vector<std::pair<PetscInt, PetscScalar>>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && std::memcmp(&x.second, &y.second, sizeof x.second) == 0;
  });
}

bool all_agree(MPI_Comm comm, bool here) {
  int mine = here ? 1 : 0, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
  return all == 1;
}

}  // namespace

bool same(Mat part, const Csr<double>& whole) {
  PetscInt begin = 0, end = 0;
  ok(MatGetOwnershipRange(part, &begin, &end));
  bool equal = true;
  for (PetscInt r = begin; r < end; r++) {
    std::vector<std::pair<PetscInt, PetscScalar>> row;
    for (auto k = static_cast<std::size_t>(whole.row_ptr()[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(whole.row_ptr()[static_cast<std::size_t>(r) + 1]); k++)
      row.emplace_back(whole.col()[k], whole.val()[k]);
    equal = equal && same_rows(row_of(part, r), row);
  }
  return all_agree(PetscObjectComm(reinterpret_cast<PetscObject>(part)), equal);
}

bool same(Mat a, Mat b) {
  PetscInt begin = 0, end = 0, begin_b = 0, end_b = 0;
  ok(MatGetOwnershipRange(a, &begin, &end));
  ok(MatGetOwnershipRange(b, &begin_b, &end_b));
  bool equal = begin == begin_b && end == end_b;
  for (PetscInt r = begin; equal && r < end; r++) equal = same_rows(row_of(a, r), row_of(b, r));
  return all_agree(PetscObjectComm(reinterpret_cast<PetscObject>(a)), equal);
}

bool is_product(MatProductType type, Mat a, Mat b, Mat c) {
  PetscBool equal = PETSC_FALSE;
  switch (type) {
    case MATPRODUCT_AB:
      ok(MatMatMultEqual(a, b, c, 5, &equal));
      break;
    case MATPRODUCT_AtB:
      ok(MatTransposeMatMultEqual(a, b, c, 5, &equal));
      break;
    case MATPRODUCT_ABt:
      ok(MatMatTransposeMultEqual(a, b, c, 5, &equal));
      break;
    case MATPRODUCT_PtAP:
      ok(MatPtAPMultEqual(a, b, c, 5, &equal));
      break;
    default:
      ok(MatRARtMultEqual(a, b, c, 5, &equal));
      break;
  }
  return equal == PETSC_TRUE;
}

void multiply(MatProductType type, Mat a, Mat b, MatReuse reuse, Mat* c) {
  switch (type) {
    case MATPRODUCT_AB:
      ok(MatMatMult(a, b, reuse, PETSC_DEFAULT, c));
      break;
    case MATPRODUCT_AtB:
      ok(MatTransposeMatMult(a, b, reuse, PETSC_DEFAULT, c));
      break;
    case MATPRODUCT_ABt:
      ok(MatMatTransposeMult(a, b, reuse, PETSC_DEFAULT, c));
      break;
    case MATPRODUCT_PtAP:
      ok(MatPtAP(a, b, reuse, PETSC_DEFAULT, c));
      break;
    default:
      ok(MatRARt(a, b, reuse, PETSC_DEFAULT, c));
      break;
  }
}

Owned by_petsc(MatProductType type, Mat a, Mat b, const char* algorithm) {
  Owned c;
  ok(MatProductCreate(a, b, nullptr, &c));
  ok(MatProductSetType(c, type));
  ok(MatProductSetAlgorithm(c, algorithm));
  ok(MatProductSetFromOptions(c));
  ok(MatProductSymbolic(c));
  ok(MatProductNumeric(c));
  return c;
}

bool is_rowans(Mat c) {
  PetscObject box = nullptr;
  ok(PetscObjectQuery(reinterpret_cast<PetscObject>(c), "rowan", &box));
  return box != nullptr;
}

}  // namespace rowan::test
