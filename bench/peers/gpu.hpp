#pragma once
// What peers for GPUs have in common, in HIP's words: operands in device memory, and a pool for everything that one
// product takes.
#if defined(PEER_CUDA)
#include "lib/device/runtime/runtime_cuda.hpp"
#else
#include <hip/hip_runtime_api.h>
#endif

#include "bench/peers/protocol.hpp"

namespace peer::gpu {

inline void must(hipError_t e) {
  if (e == hipSuccess) return;
  (void)hipGetLastError();  // the next call is not to blame
  throw std::runtime_error(hipGetErrorString(e));
}

[[nodiscard]] inline bool there() {
  int devices = 0;
  return hipGetDeviceCount(&devices) == hipSuccess && devices != 0;
}

template <class Kind>
void copy(void* to, const void* from, std::size_t bytes, Kind kind) {
  if (bytes == 0) return;
  must(hipMemcpyAsync(to, from, bytes, kind, nullptr));
  must(hipStreamSynchronize(nullptr));
}

/// Device memory in the order of the null stream; what is freed stays until trim().
class Pool {
 public:
  Pool() {
    hipMemPoolProps props{};
    props.allocType = hipMemAllocationTypePinned;
    props.location.type = hipMemLocationTypeDevice;
    must(hipMemPoolCreate(&pool_, &props));
    std::uint64_t keep = UINT64_MAX;
    must(hipMemPoolSetAttribute(pool_, hipMemPoolAttrReleaseThreshold, &keep));
  }
  ~Pool() { (void)hipMemPoolDestroy(pool_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  [[nodiscard]] void* take(std::size_t bytes) {
    void* p = nullptr;
    if (bytes != 0) must(hipMallocFromPoolAsync(&p, bytes, pool_, nullptr));
    in_use_ += bytes, peak_ = std::max(peak_, in_use_);
    return p;
  }
  void give(void* p, std::size_t bytes) noexcept {
    (void)hipFreeAsync(p, nullptr);
    in_use_ -= bytes;
  }
  void trim() const {
    must(hipDeviceSynchronize());
    must(hipMemPoolTrimTo(pool_, 0));
  }
  /// Bytes in use, and their peak since restart_peak().
  [[nodiscard]] std::size_t in_use() const noexcept { return in_use_; }
  [[nodiscard]] std::size_t peak() const noexcept { return peak_; }
  void restart_peak() noexcept { peak_ = in_use_; }

 private:
  hipMemPool_t pool_{};
  std::size_t in_use_ = 0, peak_ = 0;
};

/// Blocks of a pool that are freed together.
class Blocks {
 public:
  explicit Blocks(Pool& pool) : pool_(pool) {}
  ~Blocks() {
    for (const auto& [p, bytes] : blocks_) pool_.give(p, bytes);
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  [[nodiscard]] void* take(std::size_t bytes) {
    void* const p = pool_.take(bytes);
    if (p != nullptr) blocks_.push_back({p, bytes});
    return p;
  }

 private:
  struct Block {
    void* p;
    std::size_t bytes;
  };
  Pool& pool_;
  std::vector<Block> blocks_;
};

/// CSR in device memory, 32-bit row pointers.
struct Csr {
  std::int64_t rows = 0, cols = 0, nnz = 0;
  void *row_ptr = nullptr, *col = nullptr, *val = nullptr;
};

/// A matrix of the host's, copied.
class Resident {
 public:
  Resident(Pool& pool, const Matrix& m) : blocks_(pool), csr_{m.rows, m.cols, m.nnz()} {
    csr_.row_ptr = copied(m.row_ptr), csr_.col = copied(m.col), csr_.val = copied(m.val);
  }
  [[nodiscard]] const Csr& csr() const { return csr_; }

 private:
  template <class T>
  void* copied(const std::vector<T>& from) {
    void* const to = blocks_.take(from.size() * sizeof(T));
    copy(to, from.data(), from.size() * sizeof(T), hipMemcpyHostToDevice);
    return to;
  }
  Blocks blocks_;
  Csr csr_;
};

/// Memory for `nnz` entries of C.
inline void allocate(Csr& c, std::int64_t nnz, Blocks& blocks) {
  c.nnz = nnz;
  c.col = blocks.take(static_cast<std::size_t>(nnz) * sizeof(std::int32_t));
  c.val = blocks.take(static_cast<std::size_t>(nnz) * sizeof(double));
}

[[nodiscard]] inline Matrix fetched(const Csr& c) {
  Matrix m{.rows = c.rows, .cols = c.cols};
  m.row_ptr.resize(static_cast<std::size_t>(c.rows) + 1);
  m.col.resize(static_cast<std::size_t>(c.nnz)), m.val.resize(static_cast<std::size_t>(c.nnz));
  copy(m.row_ptr.data(), c.row_ptr, m.row_ptr.size() * sizeof(std::int32_t), hipMemcpyDeviceToHost);
  copy(m.col.data(), c.col, m.col.size() * sizeof(std::int32_t), hipMemcpyDeviceToHost);
  copy(m.val.data(), c.val, m.val.size() * sizeof(double), hipMemcpyDeviceToHost);
  return m;
}

[[nodiscard]] inline Result view(const Matrix& m) {
  return {m.rows, m.cols, m.row_ptr.data(), nullptr, m.col.data(), m.val.data()};
}

}  // namespace peer::gpu
