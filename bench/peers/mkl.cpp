// Intel MKL: mkl_sparse_spmm, then mkl_sparse_order, since its columns come unsorted.
#include <mkl.h>

#include "bench/peers/protocol.hpp"

namespace {

void check(sparse_status_t status, const char* what) {
  if (status != SPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string(what) + " failed with " + std::to_string(status));
}

/// Over m's memory, which must stay.
sparse_matrix_t convert(peer::Matrix& m) {
  sparse_matrix_t c = nullptr;
  check(mkl_sparse_d_create_csr(&c, SPARSE_INDEX_BASE_ZERO, static_cast<MKL_INT>(m.rows), static_cast<MKL_INT>(m.cols),
                                m.row_ptr.data(), m.row_ptr.data() + 1, m.col.data(), m.val.data()),
        "mkl_sparse_d_create_csr");
  return c;
}

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int threads, const std::vector<std::string>&)
      : a_memory_(a), b_memory_(&a == &b ? peer::Matrix() : b) {
    mkl_set_num_threads(threads);
    a_ = convert(a_memory_), b_ = &a == &b ? a_ : convert(b_memory_);
  }
  void multiply() {
    check(mkl_sparse_spmm(SPARSE_OPERATION_NON_TRANSPOSE, a_, b_, &c_), "mkl_sparse_spmm");
    check(mkl_sparse_order(c_), "mkl_sparse_order");
  }
  [[nodiscard]] peer::Result result() {
    sparse_index_base_t base = SPARSE_INDEX_BASE_ZERO;
    MKL_INT rows = 0, cols = 0, *begin = nullptr, *end = nullptr, *col = nullptr;
    double* val = nullptr;
    check(mkl_sparse_d_export_csr(c_, &base, &rows, &cols, &begin, &end, &col, &val), "mkl_sparse_d_export_csr");
    return {rows, cols, begin, nullptr, col, val};
  }
  void release() {
    if (c_ != nullptr) mkl_sparse_destroy(c_);
    c_ = nullptr;
  }

 private:
  peer::Matrix a_memory_, b_memory_;
  sparse_matrix_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  return peer::serve<Peer>({{"MKL " + std::to_string(INTEL_MKL_VERSION)}}, argc, argv);
}
