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
#include <rowan/inspection.hpp>
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

/// A product of matrices in device memory whose patterns are known, for values to come. Copies share it; one that was
/// made by default or moved from is empty: its sizes are 0, execute() throws Error{invalid_argument}. Any number of
/// threads may execute it, in any streams: executions come one after another, in the order of the calls. The stream
/// that it was made in must outlive it.
template <class T>
class ROWAN_API DevicePlan {
 public:
  struct Work;

  DevicePlan() = default;
  explicit DevicePlan(std::shared_ptr<const Work> work) : work_(std::move(work)) {}

  /// C = A·B for matrices of the planned patterns, wherever they are now. C's row pointers and columns are the plan's,
  /// which all results share and which must not be changed; its values are its own. Nothing waits, unless
  /// Options::validate was set: then sizes, and 64 bits for each pattern under a key of the plan's, are compared on the
  /// device, and another pattern is refused as Error{invalid_argument}. Without it only sizes are compared.
  [[nodiscard]] DeviceMatrix<T> execute(const DeviceView<T>& a, const DeviceView<T>& b,
                                        const DeviceCall& call = {}) const;
  /// The same into nnz() values of the caller's device memory.
  void execute(const DeviceView<T>& a, const DeviceView<T>& b, T* val, const DeviceCall& call = {}) const;

  /// C's pattern in device memory, as wide as the call that made the plan asked for; without values.
  [[nodiscard]] DeviceView<T> pattern() const noexcept;
  [[nodiscard]] std::int64_t rows() const noexcept;
  [[nodiscard]] std::int64_t cols() const noexcept;
  [[nodiscard]] std::int64_t nnz() const noexcept;  ///< of C
  [[nodiscard]] std::int64_t nprod() const noexcept;
  [[nodiscard]] std::int64_t bytes() const noexcept;  ///< of device memory that it keeps

 private:
  std::shared_ptr<const Work> work_;
};

/// How many devices a backend has here; 0 where this build does not have the backend.
[[nodiscard]] ROWAN_API int device_count(Backend backend);

/// A device, under options and a policy. Any number of threads may call together, each in a stream of its own.
///
/// A call returns when its work is in the stream: what the caller puts there next finds C. The host waits within
/// multiply() for two copies of a few hundred bytes, the sums of the features and of C's rows, and where
/// Options::validate is set for a third, before both. to_device() and to_host() wait for their copies.
/// Options::memory_limit is for C and all temporaries of one call.
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

  /// What does not depend on values, to multiply matrices of the same patterns again: C's pattern and the decisions of
  /// the numeric phase, which runs again for new values. Counts, as symbolic(), and computes C once.
  [[nodiscard]] DevicePlan<float> plan(const DeviceView<float>& a, const DeviceView<float>& b,
                                       const DeviceCall& call = {}) const;
  [[nodiscard]] DevicePlan<double> plan(const DeviceView<double>& a, const DeviceView<double>& b,
                                        const DeviceCall& call = {}) const;

  /// What multiply() would choose for every row, and why; waits.
  [[nodiscard]] Inspection inspect(const DeviceView<float>& a, const DeviceView<float>& b,
                                   const DeviceCall& call = {}) const;
  [[nodiscard]] Inspection inspect(const DeviceView<double>& a, const DeviceView<double>& b,
                                   const DeviceCall& call = {}) const;

  /// A copy in device memory, and one in the host's; both wait.
  [[nodiscard]] DeviceMatrix<float> to_device(const CsrView<float>& matrix, const DeviceCall& call = {}) const;
  [[nodiscard]] DeviceMatrix<double> to_device(const CsrView<double>& matrix, const DeviceCall& call = {}) const;
  [[nodiscard]] Csr<float> to_host(const DeviceView<float>& matrix, const DeviceCall& call = {}) const;
  [[nodiscard]] Csr<double> to_host(const DeviceView<double>& matrix, const DeviceCall& call = {}) const;

  /// Waits for all that is in a stream.
  void wait(void* stream = nullptr) const;
  /// Bytes of device memory that are in use, those of matrices that it returned among them.
  [[nodiscard]] std::int64_t bytes_in_use() const;
  /// The most that was in use together since the last call of restart_peak(), or ever.
  [[nodiscard]] std::int64_t bytes_peak() const;
  void restart_peak() const;
  /// Gives memory that is kept for later calls back to the device. Waits for it.
  void trim() const;

  struct State;

 private:
  [[nodiscard]] const State& state() const;
  std::shared_ptr<const State> state_;
};

}  // namespace rowan
