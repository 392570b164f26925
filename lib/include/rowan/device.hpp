#pragma once
/// \file
/// Matrices in the memory of a GPU: products of what is there, which stay there, in the order of the caller's stream.
/// No header of CUDA or HIP is needed: a stream is a void*, the runtime's own handle.

#include <cstdint>
#include <functional>
#include <memory>

#include <rowan/context.hpp>
#include <rowan/csr.hpp>
#include <rowan/export.hpp>
#include <rowan/options.hpp>

namespace rowan {

/// A matrix in device memory of the caller, which must outlive all that was put into the stream with it. One of the two
/// row pointers is set, and one of the two columns; 32-bit columns and 64-bit row pointers are used where they are,
/// others are copied first. Rows need not be sorted; duplicate entries count as their sum. `T` is float or double.
template <class T>
struct DeviceView {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  const std::int64_t* row_ptr64 = nullptr;  ///< rows + 1, or null
  const std::int32_t* row_ptr32 = nullptr;  ///< rows + 1, or null
  const std::int32_t* col32 = nullptr;      ///< nnz, each in [0, cols), or null
  const std::int64_t* col64 = nullptr;      ///< nnz, each in [0, cols), or null
  const T* val = nullptr;                   ///< nnz
};

/// A matrix in device memory that it owns: what DeviceContext returns. Its memory goes back in the order of the stream
/// that it was made in, which must outlive it; copies share one memory.
template <class T>
class DeviceMatrix {
 public:
  DeviceMatrix() = default;
  /// A view, and the object that keeps its memory.
  DeviceMatrix(const DeviceView<T>& view, std::shared_ptr<const void> memory)
      : view_(view), memory_(std::move(memory)) {}

  [[nodiscard]] const DeviceView<T>& view() const noexcept { return view_; }
  operator const DeviceView<T>&() const noexcept { return view_; }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::int64_t rows() const noexcept { return view_.rows; }
  [[nodiscard]] std::int64_t cols() const noexcept { return view_.cols; }
  [[nodiscard]] std::int64_t nnz() const noexcept { return view_.nnz; }
  /// The object that keeps the memory, for those that use it elsewhere.
  [[nodiscard]] const std::shared_ptr<const void>& memory() const noexcept { return memory_; }

 private:
  DeviceView<T> view_ = {};
  std::shared_ptr<const void> memory_ = {};
};

/// How a call on a device is made.
struct DeviceCall {
  void* stream = nullptr;  ///< cudaStream_t or hipStream_t; null: the default stream
  bool row_ptr32 = false;  ///< C's row pointers in 32 bits; Error{overflow} where its entries do not fit
  bool col64 = false;      ///< C's columns in 64 bits
  Stats* stats = nullptr;  ///< gets times and numbers, at the price of a wait after every stage
};

/// Memory for C and all temporaries, in the order of a stream, in place of rowan's own pool.
struct DeviceAllocator {
  std::function<void*(std::size_t bytes, void* stream)> allocate = {};  ///< null where there is none
  std::function<void(void* memory, std::size_t bytes, void* stream)> free = {};
};

/// A device, under options and a policy. Any number of threads may call together, each in a stream of its own.
///
/// A call returns when its work is in the stream: what the caller puts there next finds C. The host waits within
/// multiply() for two copies of a few hundred bytes, the sums of the features and of C's rows, and where
/// Options::validate is set for a third, before both. to_device() and to_host() wait for their copies.
class ROWAN_API DeviceContext {
 public:
  /// `options.backend` is cuda, hip or emulated; `ordinal` counts its devices from 0. Throws Error{unsupported} for a
  /// backend that this build does not have, Error{device} where there is no such device, and as Context.
  explicit DeviceContext(const Options& options, int ordinal = 0, const DeviceAllocator& allocator = {});

  /// C = A·B on the device, columns of each row rising. Sums are in any order, unless Options::deterministic. Throws
  /// Error: invalid_argument (sizes that do not fit, null pointers, and where Options::validate is set what is wrong
  /// with row pointers and columns), overflow, out_of_memory, memory_limit, device with the runtime's words.
  [[nodiscard]] DeviceMatrix<float> multiply(const DeviceView<float>& a, const DeviceView<float>& b,
                                             const DeviceCall& call = {}) const;
  [[nodiscard]] DeviceMatrix<double> multiply(const DeviceView<double>& a, const DeviceView<double>& b,
                                              const DeviceCall& call = {}) const;

  /// The size of C and of each of its rows, on the host; waits.
  [[nodiscard]] Symbolic symbolic(const DeviceView<float>& a, const DeviceView<float>& b,
                                  const DeviceCall& call = {}) const;
  [[nodiscard]] Symbolic symbolic(const DeviceView<double>& a, const DeviceView<double>& b,
                                  const DeviceCall& call = {}) const;

  /// A copy in device memory, and one in the host's; both wait.
  [[nodiscard]] DeviceMatrix<float> to_device(const CsrView<float>& matrix, const DeviceCall& call = {}) const;
  [[nodiscard]] DeviceMatrix<double> to_device(const CsrView<double>& matrix, const DeviceCall& call = {}) const;
  [[nodiscard]] Csr<float> to_host(const DeviceView<float>& matrix, const DeviceCall& call = {}) const;
  [[nodiscard]] Csr<double> to_host(const DeviceView<double>& matrix, const DeviceCall& call = {}) const;

  /// Bytes of device memory that are in use, those of matrices that it returned among them.
  [[nodiscard]] std::int64_t bytes_in_use() const;
  /// Gives memory that is kept for later calls back to the device. Waits for it.
  void trim() const;

  struct State;

 private:
  [[nodiscard]] const State& state() const;
  std::shared_ptr<const State> state_;
};

}  // namespace rowan
