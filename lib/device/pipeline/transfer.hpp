#pragma once
// Host to host: operands go up, the product comes down; in chunks of rows where it does not fit the device.
#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/multiply.hpp"
#include "lib/device/pipeline/staging.hpp"
#include <rowan/csr.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

/// Puts a copy of n values into the stream.
template <class V>
void copy_down(V* to, const V* from, std::int64_t n, hipStream_t stream) {
  if (n <= 0) return;
  check(hipMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(V), hipMemcpyDeviceToHost, stream),
        "copying to the host");
}

template <class V>
void copy_up(V* to, const V* from, std::int64_t n, hipStream_t stream) {
  if (n <= 0) return;
  check(hipMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(V), hipMemcpyHostToDevice, stream),
        "copying to the device");
}

/// From the device's memory to the device's.
template <class V>
void copy_there(V* to, const V* from, std::int64_t n, hipStream_t stream) {
  if (n <= 0) return;
  check(hipMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(V), hipMemcpyDeviceToDevice, stream),
        "copying on the device");
}

/// A stream of its own for as long as it lives.
class OwnStream {
 public:
  OwnStream() { check(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking), "making a stream"); }
  ~OwnStream() { (void)hipStreamDestroy(stream_); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  [[nodiscard]] hipStream_t get() const noexcept { return stream_; }

 private:
  hipStream_t stream_ = nullptr;
};

/// A matrix of the host's, copied to the device: its pattern first, its values while patterns are looked at.
template <class T>
class Uploaded {
 public:
  Uploaded(Pool& pool, const Operand<T>& host, Staging& staging, hipStream_t stream);
  /// `val`: of the host, as many as the pattern has entries.
  void copy_values(const T* val, Staging& staging, hipStream_t stream);
  [[nodiscard]] Resident<T> resident() const noexcept { return {device_, nnz_}; }
  [[nodiscard]] std::int64_t bytes() const noexcept;

 private:
  Operand<T> device_;
  std::int64_t nnz_;
  Buffer<std::int64_t> ptr_;
  Buffer<Column> col_;
  Buffer<T> val_;
};

/// Measured by copies of some megabytes, up from memory in use and down to new memory.
[[nodiscard]] TransferSpeed transfer_speed(Engine& engine, const Team& team);

/// C = A B from and to the host's memory. `same`: A and B are one matrix.
template <class T>
[[nodiscard]] Csr<T> multiply_on_host(Engine& engine, const Operand<T>& a, const Operand<T>& b, bool same,
                                      const rowan::Options& options, Stats& stats);

}  // namespace rowan::device::inline ROWAN_BACKEND
