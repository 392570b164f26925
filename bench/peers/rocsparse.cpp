// rocSPARSE: rocsparse_spgemm, in full or its last stage alone. A, B and C in device memory; C and the buffer are taken
// inside the time.
#include <optional>

#if __has_include(<rocsparse/rocsparse.h>)
#include <rocsparse/rocsparse.h>
#else
#include <rocsparse.h>
#endif

#include "bench/peers/gpu.hpp"

namespace {

constexpr double kOne = 1, kZero = 0;

void must(rocsparse_status s) {
  if (s != rocsparse_status_success) throw std::runtime_error("rocSPARSE's status " + std::to_string(s));
}

/// One product: its descriptors, buffer and C, which go with it.
class Product {
 public:
  Product(rocsparse_handle handle, peer::gpu::Pool& pool, const peer::gpu::Csr& a, const peer::gpu::Csr& b)
      : handle_(handle), blocks_(pool), csr_{a.rows, b.cols} {
    csr_.row_ptr = blocks_.take((static_cast<std::size_t>(a.rows) + 1) * sizeof(std::int32_t));
    describe(a_, a), describe(b_, b), describe(c_, csr_);
    describe(d_, {a.rows, b.cols});  // what is added to A B: nothing
  }
  ~Product() {
    for (auto* d : {a_, b_, c_, d_})
      if (d != nullptr) rocsparse_destroy_spmat_descr(d);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  /// C's pattern's size, and its memory.
  void count() {
    stage(rocsparse_spgemm_stage_buffer_size);
    buffer_ = blocks_.take(std::max<std::size_t>(bytes_, 4));  // null would ask for the size again
    stage(rocsparse_spgemm_stage_nnz);
    std::int64_t rows = 0, cols = 0, nnz = 0;
    must(rocsparse_spmat_get_size(c_, &rows, &cols, &nnz));
    peer::gpu::allocate(csr_, nnz, blocks_);
    must(rocsparse_csr_set_pointers(c_, csr_.row_ptr, csr_.col, csr_.val));
  }
  void compute() { stage(rocsparse_spgemm_stage_compute); }
  [[nodiscard]] const peer::gpu::Csr& c() const { return csr_; }

 private:
  static void describe(rocsparse_spmat_descr& d, const peer::gpu::Csr& m) {
    must(rocsparse_create_csr_descr(&d, m.rows, m.cols, m.nnz, m.row_ptr, m.col, m.val, rocsparse_indextype_i32,
                                    rocsparse_indextype_i32, rocsparse_index_base_zero, rocsparse_datatype_f64_r));
  }
  void stage(rocsparse_spgemm_stage which) {
    must(rocsparse_spgemm(handle_, rocsparse_operation_none, rocsparse_operation_none, &kOne, a_, b_, &kZero, d_, c_,
                          rocsparse_datatype_f64_r, rocsparse_spgemm_alg_default, which, &bytes_, buffer_));
  }

  rocsparse_handle handle_;
  peer::gpu::Blocks blocks_;
  peer::gpu::Csr csr_;
  rocsparse_spmat_descr a_{}, b_{}, c_{}, d_{};
  std::size_t bytes_ = 0;
  void* buffer_ = nullptr;
};

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int, const std::vector<std::string>& args)
      : values_(!args.empty()), a_(pool_, a) {
    if (&a != &b) b_.emplace(pool_, b);
    must(rocsparse_create_handle(&handle_));
    if (values_) count();
  }
  ~Peer() {
    product_.reset();
    rocsparse_destroy_handle(handle_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void multiply() {
    if (!values_) count();
    product_->compute();
    peer::gpu::must(hipStreamSynchronize(nullptr));
  }
  [[nodiscard]] peer::Result result() {
    c_ = peer::gpu::fetched(product_->c());
    return peer::gpu::view(c_);
  }
  void release() {
    c_ = {};
    if (!values_) product_.reset();
  }
  void rest() const { pool_.trim(); }

 private:
  void count() {
    product_.reset();
    product_.emplace(handle_, pool_, a_.csr(), b_ ? b_->csr() : a_.csr()).count();
  }

  bool values_;
  peer::gpu::Pool pool_;
  peer::gpu::Resident a_;
  std::optional<peer::gpu::Resident> b_;
  rocsparse_handle handle_{};
  std::optional<Product> product_;
  peer::Matrix c_;
};

std::vector<peer::Contestant> contestants() {
  if (!peer::gpu::there()) return {};
  const auto part = [](int n) { return std::to_string(n); };
  const std::string name = "rocSPARSE " + part(ROCSPARSE_VERSION_MAJOR) + "." + part(ROCSPARSE_VERSION_MINOR) + "." +
                           part(ROCSPARSE_VERSION_PATCH);
  return {{name, {}, "full", "hip"}, {name + " values", {"values"}, "reuse", "hip"}};
}

}  // namespace

int main(int argc, char** argv) {
  return peer::serve<Peer>(contestants(), argc, argv);
}
