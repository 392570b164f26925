// cuSPARSE: cusparseSpGEMM with its default algorithm, ALG2 and ALG3, and cusparseSpGEMMreuse, in full or values only.
// A, B and C in device memory; C and every buffer are taken inside the time.
#define PEER_CUDA
#include <optional>

#include <cusparse.h>

#include "bench/peers/gpu.hpp"

namespace {

constexpr auto kOp = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto kType = CUDA_R_64F;
constexpr double kOne = 1, kZero = 0;

void must(cusparseStatus_t s) {
  if (s != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(s));
}

/// One product: its descriptors, buffers and C, which go with it.
class Product {
 public:
  Product(cusparseHandle_t handle, peer::gpu::Pool& pool, const peer::gpu::Csr& a, const peer::gpu::Csr& b)
      : handle_(handle), pool_(pool), blocks_(pool), csr_{a.rows, b.cols} {
    csr_.row_ptr = blocks_.take((static_cast<std::size_t>(a.rows) + 1) * sizeof(std::int32_t));
    describe(a_, a), describe(b_, b), describe(c_, csr_);
    must(cusparseSpGEMM_createDescr(&spgemm_));
  }
  ~Product() {
    if (spgemm_ != nullptr) cusparseSpGEMM_destroyDescr(spgemm_);
    for (auto* d : {a_, b_, c_})
      if (d != nullptr) cusparseDestroySpMat(d);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  void multiply(cusparseSpGEMMAlg_t alg) {
    const auto estimate_work = [&](std::size_t& n, void* buffer) {
      must(
          cusparseSpGEMM_workEstimation(handle_, kOp, kOp, &kOne, a_, b_, &kZero, c_, kType, alg, spgemm_, &n, buffer));
    };
    const auto compute = [&](std::size_t& n, void* buffer) {
      must(cusparseSpGEMM_compute(handle_, kOp, kOp, &kOne, a_, b_, &kZero, c_, kType, alg, spgemm_, &n, buffer));
    };
    std::size_t n1 = 0, n2 = 0;
    estimate_work(n1, nullptr);
    estimate_work(n1, blocks_.take(n1));
    if (alg == CUSPARSE_SPGEMM_ALG2 || alg == CUSPARSE_SPGEMM_ALG3)
      n2 = estimated_memory(alg);
    else
      compute(n2, nullptr);
    compute(n2, blocks_.take(n2));
    allocate();
    must(cusparseSpGEMM_copy(handle_, kOp, kOp, &kOne, a_, b_, &kZero, c_, kType, alg, spgemm_));
  }

  /// All of cusparseSpGEMMreuse but the values.
  void prepare_reuse() {
    std::size_t n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0;
    const auto estimate_work = [&](void* buffer) {
      must(cusparseSpGEMMreuse_workEstimation(handle_, kOp, kOp, a_, b_, c_, kReuse, spgemm_, &n1, buffer));
    };
    const auto count = [&](void* two, void* three, void* four) {
      must(cusparseSpGEMMreuse_nnz(handle_, kOp, kOp, a_, b_, c_, kReuse, spgemm_, &n2, two, &n3, three, &n4, four));
    };
    const auto copy = [&](void* buffer) {
      must(cusparseSpGEMMreuse_copy(handle_, kOp, kOp, a_, b_, c_, kReuse, spgemm_, &n5, buffer));
    };
    estimate_work(nullptr);
    estimate_work(blocks_.take(n1));
    count(nullptr, nullptr, nullptr);
    void *const two = blocks_.take(n2), *const three = blocks_.take(n3), *const four = blocks_.take(n4);
    count(two, three, four);
    allocate();
    copy(nullptr);
    copy(blocks_.take(n5));
  }
  void reuse() {
    must(cusparseSpGEMMreuse_compute(handle_, kOp, kOp, &kOne, a_, b_, &kZero, c_, kType, kReuse, spgemm_));
  }
  [[nodiscard]] const peer::gpu::Csr& c() const { return csr_; }

 private:
  static constexpr auto kReuse = CUSPARSE_SPGEMM_DEFAULT;  // the only one that it has

  static void describe(cusparseSpMatDescr_t& d, const peer::gpu::Csr& m) {
    must(cusparseCreateCsr(&d, m.rows, m.cols, m.nnz, m.row_ptr, m.col, m.val, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, kType));
  }
  void allocate() {
    std::int64_t rows = 0, cols = 0, nnz = 0;
    must(cusparseSpMatGetSize(c_, &rows, &cols, &nnz));
    peer::gpu::allocate(csr_, nnz, blocks_);
    must(cusparseCsrSetPointers(c_, csr_.row_ptr, csr_.col, csr_.val));
  }
  std::size_t estimated_memory(cusparseSpGEMMAlg_t alg) {
    constexpr float kShare = 0.2F;  // of the products at a time, for ALG3; the documentation's example
    std::size_t n2 = 0, n3 = 0;
    const auto estimate = [&](void* buffer, std::size_t* wanted) {
      must(cusparseSpGEMM_estimateMemory(handle_, kOp, kOp, &kOne, a_, b_, &kZero, c_, kType, alg, spgemm_, kShare, &n3,
                                         buffer, wanted));
    };
    estimate(nullptr, nullptr);
    peer::gpu::Blocks meanwhile(pool_);  // freed here, as the documentation allows
    estimate(meanwhile.take(n3), &n2);
    return n2;
  }

  cusparseHandle_t handle_;
  peer::gpu::Pool& pool_;
  peer::gpu::Blocks blocks_;
  peer::gpu::Csr csr_;
  cusparseSpMatDescr_t a_{}, b_{}, c_{};
  cusparseSpGEMMDescr_t spgemm_{};
};

class Peer {
 public:
  Peer(const peer::Matrix& a, const peer::Matrix& b, int, const std::vector<std::string>& args)
      : way_(args.empty() ? "default" : args.front()), a_(pool_, a) {
    if (&a != &b) b_.emplace(pool_, b);
    must(cusparseCreate(&handle_));
    if (way_ == "values") fresh().prepare_reuse();
  }
  ~Peer() {
    product_.reset();
    cusparseDestroy(handle_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void multiply() {
    if (way_ != "values") product_.reset();
    pool_.restart_peak();
    const std::size_t before = pool_.in_use();
    if (way_ == "reuse") fresh().prepare_reuse();
    if (way_ == "reuse" || way_ == "values")
      product_->reuse();
    else
      fresh().multiply(way_ == "alg2"   ? CUSPARSE_SPGEMM_ALG2
                       : way_ == "alg3" ? CUSPARSE_SPGEMM_ALG3
                                        : CUSPARSE_SPGEMM_DEFAULT);
    peer::gpu::must(hipStreamSynchronize(nullptr));
    device_bytes_ = pool_.peak() - before;
  }
  /// What cuSPARSE asks the caller for; what it allocates itself, if anything, is not known.
  [[nodiscard]] std::int64_t device_bytes() const { return static_cast<std::int64_t>(device_bytes_); }
  [[nodiscard]] peer::Result result() {
    c_ = peer::gpu::fetched(product_->c());
    return peer::gpu::view(c_);
  }
  void release() {
    c_ = {};
    if (way_ != "values") product_.reset();
  }
  void rest() const { pool_.trim(); }

 private:
  Product& fresh() { return product_.emplace(handle_, pool_, a_.csr(), b_ ? b_->csr() : a_.csr()); }

  std::string way_;
  peer::gpu::Pool pool_;
  peer::gpu::Resident a_;
  std::optional<peer::gpu::Resident> b_;
  cusparseHandle_t handle_{};
  std::optional<Product> product_;
  std::size_t device_bytes_ = 0;
  peer::Matrix c_;
};

std::vector<peer::Contestant> contestants() {
  if (!peer::gpu::there()) return {};
  const auto part = [](int n) { return std::to_string(n); };
  const std::string name =
      "cuSPARSE " + part(CUSPARSE_VER_MAJOR) + "." + part(CUSPARSE_VER_MINOR) + "." + part(CUSPARSE_VER_PATCH) + " ";
  std::vector<peer::Contestant> all;
  for (const char* way : {"default", "alg2", "alg3", "reuse"}) all.push_back({name + way, {way}, "full", "cuda"});
  all.push_back({name + "values", {"values"}, "reuse", "cuda"});
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return peer::serve<Peer>(contestants(), argc, argv);
}
