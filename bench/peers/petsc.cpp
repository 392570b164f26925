// PETSc: MatMatMult of sequential AIJ matrices, by its default algorithm and two others by name; its product is sorted.
// With `reuse`, MAT_REUSE_MATRIX: values only. One thread.
#include <petscmat.h>

#include "bench/peers/protocol.hpp"

namespace {

void check(PetscErrorCode code, const char* what) {
  if (code != 0) throw std::runtime_error(std::string(what) + " failed with " + std::to_string(code));
}

/// Over m's memory, which must stay.
Mat convert(peer::Matrix& m) {
  Mat c = nullptr;
  check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, static_cast<PetscInt>(m.rows), static_cast<PetscInt>(m.cols),
                                  m.row_ptr.data(), m.col.data(), m.val.data(), &c),
        "MatCreateSeqAIJWithArrays");
  return c;
}

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int, const std::vector<std::string>& args)
      : a_memory_(a), b_memory_(&a == &b ? peer::Matrix() : b), reuse_(!args.empty() && args[0] == "reuse") {
    check(PetscInitializeNoArguments(), "PetscInitialize");
    PetscPopSignalHandler();
    check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "PetscPushErrorHandler");
    if (!args.empty() && !reuse_) check(PetscOptionsSetValue(nullptr, "-matmatmult_via", args[0].c_str()), "option");
    if (!args.empty() && !reuse_)
      check(PetscOptionsSetValue(nullptr, "-mat_product_algorithm", args[0].c_str()), "option");
    a_ = convert(a_memory_), b_ = &a == &b ? a_ : convert(b_memory_);
    if (reuse_) create();
  }

  void multiply() {
    if (reuse_)
      check(MatMatMult(a_, b_, MAT_REUSE_MATRIX, PETSC_DEFAULT, &c_), "MatMatMult");
    else
      create();
  }
  [[nodiscard]] peer::Result result() {
    PetscInt rows = 0;
    const PetscInt *row_ptr = nullptr, *col = nullptr;
    PetscScalar* val = nullptr;
    PetscBool done = PETSC_FALSE;
    check(MatGetRowIJ(c_, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_ptr, &col, &done), "MatGetRowIJ");
    check(MatSeqAIJGetArray(c_, &val), "MatSeqAIJGetArray");
    PetscInt cols = 0;
    check(MatGetSize(c_, nullptr, &cols), "MatGetSize");
    return {rows, cols, row_ptr, nullptr, col, val};
  }
  void release() {
    if (!reuse_) MatDestroy(&c_);
  }

 private:
  void create() { check(MatMatMult(a_, b_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &c_), "MatMatMult"); }

  peer::Matrix a_memory_, b_memory_;
  bool reuse_;
  Mat a_ = nullptr, b_ = nullptr, c_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = "PETSc " + std::to_string(PETSC_VERSION_MAJOR) + "." + std::to_string(PETSC_VERSION_MINOR) +
                           "." + std::to_string(PETSC_VERSION_SUBMINOR);
  return peer::serve<Peer>({{name},
                            {name + " rowmerge", {"rowmerge"}},
                            {name + " heap", {"heap"}},
                            {name + " numeric only", {"reuse"}, "reuse"}},
                           argc, argv);
}
