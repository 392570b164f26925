#pragma once
// cuSPARSE's C = A B, every way it has, all phases, with C's memory and every buffer taken inside from a warm pool.
#include <cstdint>
#include <stdexcept>
#include <string>

#include <cuda_runtime.h>
#include <cusparse.h>

namespace rowan::bench {

inline void must(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}
inline void must(cusparseStatus_t s) {
  if (s != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(s));
}

/// A matrix in device memory, as cuSPARSE wants it.
struct DeviceCsr32 {
  std::int64_t rows, cols, nnz;
  int *ptr, *col;
  double* val;
};

class CuSparse {
 public:
  CuSparse() { must(cusparseCreate(&handle_)); }
  ~CuSparse() { cusparseDestroy(handle_); }
  CuSparse(const CuSparse&) = delete;
  CuSparse& operator=(const CuSparse&) = delete;

  /// One multiply, C freed at the end; its entries.
  std::int64_t multiply(const DeviceCsr32& a, const DeviceCsr32& b, cusparseSpGEMMAlg_t alg) {
    Call call(*this, a, b);
    if (alg == CUSPARSE_SPGEMM_ALG2 || alg == CUSPARSE_SPGEMM_ALG3) return with_estimate(call, alg);
    std::size_t n1 = 0, n2 = 0;
    must(cusparseSpGEMM_workEstimation(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg,
                                       call.spgemm, &n1, nullptr));
    void* w1 = call.take(n1);
    must(cusparseSpGEMM_workEstimation(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg,
                                       call.spgemm, &n1, w1));
    must(cusparseSpGEMM_compute(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg, call.spgemm,
                                &n2, nullptr));
    void* w2 = call.take(n2);
    must(cusparseSpGEMM_compute(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg, call.spgemm,
                                &n2, w2));
    return finish(call, alg);
  }

  /// Through cusparseSpGEMMreuse, structure and values.
  std::int64_t reuse(const DeviceCsr32& a, const DeviceCsr32& b) {
    Call call(*this, a, b);
    const auto alg = CUSPARSE_SPGEMM_DEFAULT;
    std::size_t n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0;
    must(cusparseSpGEMMreuse_workEstimation(handle_, kOp, kOp, call.a, call.b, call.c, alg, call.spgemm, &n1, nullptr));
    void* w1 = call.take(n1);
    must(cusparseSpGEMMreuse_workEstimation(handle_, kOp, kOp, call.a, call.b, call.c, alg, call.spgemm, &n1, w1));
    must(cusparseSpGEMMreuse_nnz(handle_, kOp, kOp, call.a, call.b, call.c, alg, call.spgemm, &n2, nullptr, &n3,
                                 nullptr, &n4, nullptr));
    void *w2 = call.take(n2), *w3 = call.take(n3), *w4 = call.take(n4);
    must(cusparseSpGEMMreuse_nnz(handle_, kOp, kOp, call.a, call.b, call.c, alg, call.spgemm, &n2, w2, &n3, w3, &n4,
                                 w4));
    const std::int64_t nnz = call.allocate_c();
    must(cusparseSpGEMMreuse_copy(handle_, kOp, kOp, call.a, call.b, call.c, alg, call.spgemm, &n5, nullptr));
    void* w5 = call.take(n5);
    must(cusparseSpGEMMreuse_copy(handle_, kOp, kOp, call.a, call.b, call.c, alg, call.spgemm, &n5, w5));
    must(cusparseSpGEMMreuse_compute(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg,
                                     call.spgemm));
    return nnz;
  }

 private:
  static constexpr auto kOp = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr int kMostBlocks = 16;

  struct Call {
    cusparseSpMatDescr_t a{}, b{}, c{};
    cusparseSpGEMMDescr_t spgemm{};
    void* blocks[kMostBlocks]{};
    int used = 0;
    int* ptr = nullptr;

    Call(CuSparse&, const DeviceCsr32& left, const DeviceCsr32& right) {
      const auto describe = [](cusparseSpMatDescr_t& d, const DeviceCsr32& m) {
        must(cusparseCreateCsr(&d, m.rows, m.cols, m.nnz, m.ptr, m.col, m.val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                               CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
      };
      describe(a, left), describe(b, right);
      ptr = static_cast<int*>(take((static_cast<std::size_t>(left.rows) + 1) * sizeof(int)));
      describe(c, {left.rows, right.cols, 0, ptr, nullptr, nullptr});
      must(cusparseSpGEMM_createDescr(&spgemm));
    }
    ~Call() {
      cusparseSpGEMM_destroyDescr(spgemm);
      for (auto* d : {a, b, c}) cusparseDestroySpMat(d);
      for (int k = 0; k < used; k++) cudaFreeAsync(blocks[k], nullptr);
    }
    void* take(std::size_t bytes) {
      void* p = nullptr;
      if (bytes != 0) must(cudaMallocAsync(&p, bytes, nullptr));
      if (p != nullptr) blocks[used++] = p;
      return p;
    }
    std::int64_t allocate_c() {
      std::int64_t rows, cols, nnz;
      must(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
      void* col = take(static_cast<std::size_t>(nnz) * sizeof(int));
      void* val = take(static_cast<std::size_t>(nnz) * sizeof(double));
      must(cusparseCsrSetPointers(c, ptr, col, val));
      return nnz;
    }
  };

  std::int64_t with_estimate(Call& call, cusparseSpGEMMAlg_t alg) {
    std::size_t n1 = 0, n2 = 0, n3 = 0;
    const float share = 0.2F;  // of the products at a time, for ALG3; the documentation's example
    must(cusparseSpGEMM_workEstimation(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg,
                                       call.spgemm, &n1, nullptr));
    void* w1 = call.take(n1);
    must(cusparseSpGEMM_workEstimation(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg,
                                       call.spgemm, &n1, w1));
    must(cusparseSpGEMM_estimateMemory(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg,
                                       call.spgemm, share, &n3, nullptr, nullptr));
    void* w3 = call.take(n3);
    must(cusparseSpGEMM_estimateMemory(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg,
                                       call.spgemm, share, &n3, w3, &n2));
    void* w2 = call.take(n2);
    must(cusparseSpGEMM_compute(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg, call.spgemm,
                                &n2, w2));
    return finish(call, alg);
  }

  std::int64_t finish(Call& call, cusparseSpGEMMAlg_t alg) {
    const std::int64_t nnz = call.allocate_c();
    must(cusparseSpGEMM_copy(handle_, kOp, kOp, &one_, call.a, call.b, &zero_, call.c, CUDA_R_64F, alg, call.spgemm));
    return nnz;
  }

  cusparseHandle_t handle_{};
  double one_ = 1, zero_ = 0;
};

}  // namespace rowan::bench
