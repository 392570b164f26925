#pragma once
/// \file
/// Several GPUs of one machine: matrices whose rows are distributed over their memory, and products that stay there.

#include <memory>
#include <vector>

#include <rowan/device.hpp>

namespace rowan {

/// A matrix in the memory of a group's devices: rows in order, a block a device, columns those of the whole matrix; or
/// all of it on every device. What DeviceGroup returns and takes; blocks of the caller's are taken, too, once their
/// contents are complete.
template <class T>
class DistributedMatrix {
 public:
  DistributedMatrix() = default;
  /// `blocks` of each of the group's devices in order, a block without rows where a device has none.
  explicit DistributedMatrix(std::vector<DeviceMatrix<T>> blocks, bool replicated = false)
      : blocks_(std::move(blocks)), replicated_(replicated) {}

  [[nodiscard]] const std::vector<DeviceMatrix<T>>& blocks() const noexcept { return blocks_; }
  /// Every device has all rows.
  [[nodiscard]] bool replicated() const noexcept { return replicated_; }
  [[nodiscard]] std::int64_t rows() const noexcept { return sum(&DeviceMatrix<T>::rows); }
  [[nodiscard]] std::int64_t cols() const noexcept { return blocks_.empty() ? 0 : blocks_.front().cols(); }
  [[nodiscard]] std::int64_t nnz() const noexcept { return sum(&DeviceMatrix<T>::nnz); }

 private:
  [[nodiscard]] std::int64_t sum(std::int64_t (DeviceMatrix<T>::*of)() const noexcept) const noexcept {
    std::int64_t all = 0;
    for (const DeviceMatrix<T>& block : blocks_) {
      all += (block.*of)();
      if (replicated_) break;
    }
    return all;
  }
  std::vector<DeviceMatrix<T>> blocks_ = {};
  bool replicated_ = false;
};

/// Devices that multiply together, each the rows of C that A has there. Rows of B that a device's entries of A ask for
/// and others have are read from their memory (over NVLink or xGMI), each once; a product with a replicated B reads
/// none. With Options::deterministic C has the bits that one device gives it, and the host. Calls return when their
/// work is done. Any number of threads may call together.
class ROWAN_API DeviceGroup {
 public:
  /// `options.backend` is cuda, hip or emulated; `options.devices` are the group's, 16 at most; empty: all there are.
  /// Throws Error as DeviceContext, and invalid_argument where a device is named twice.
  explicit DeviceGroup(const Options& options);

  [[nodiscard]] int size() const;  ///< devices

  /// Copies A to the devices, its rows cut so that A·B takes each about as long (products, entries and rows count).
  /// All rows go to the first device where A·B has so few products that several would be no sooner. O(nnz(A)).
  /// B has A.cols rows. Errors as DeviceContext::to_device.
  [[nodiscard]] DistributedMatrix<float> distribute(const CsrView<float>& a, const CsrView<float>& b) const;
  [[nodiscard]] DistributedMatrix<double> distribute(const CsrView<double>& a, const CsrView<double>& b) const;
  /// The same, with cuts of the caller's: device k gets the rows [first[k], first[k + 1]). size() + 1 numbers that rise
  /// from 0 to matrix.rows; others are Error{invalid_argument}.
  [[nodiscard]] DistributedMatrix<float> distribute_rows(const CsrView<float>& matrix,
                                                         const std::vector<std::int64_t>& first) const;
  [[nodiscard]] DistributedMatrix<double> distribute_rows(const CsrView<double>& matrix,
                                                          const std::vector<std::int64_t>& first) const;
  /// Copies a matrix to every device.
  [[nodiscard]] DistributedMatrix<float> replicate(const CsrView<float>& matrix) const;
  [[nodiscard]] DistributedMatrix<double> replicate(const CsrView<double>& matrix) const;

  /// C = A·B, distributed as A is. `stats` gets what each device did. Options::memory_limit is each device's, for its
  /// rows of C, temporaries and copies of B's rows. Throws Error as DeviceContext::multiply, and invalid_argument for
  /// an A that is replicated or matrices of another number of devices.
  [[nodiscard]] DistributedMatrix<float> multiply(const DistributedMatrix<float>& a, const DistributedMatrix<float>& b,
                                                  Stats* stats = nullptr) const;
  [[nodiscard]] DistributedMatrix<double> multiply(const DistributedMatrix<double>& a,
                                                   const DistributedMatrix<double>& b, Stats* stats = nullptr) const;

  /// All rows on one device, `device` counted within the group.
  [[nodiscard]] DeviceMatrix<float> gather(const DistributedMatrix<float>& matrix, int device = 0) const;
  [[nodiscard]] DeviceMatrix<double> gather(const DistributedMatrix<double>& matrix, int device = 0) const;
  /// All rows in the host's memory.
  [[nodiscard]] Csr<float> to_host(const DistributedMatrix<float>& matrix) const;
  [[nodiscard]] Csr<double> to_host(const DistributedMatrix<double>& matrix) const;

  struct State;

 private:
  [[nodiscard]] const State& state() const;
  std::shared_ptr<const State> state_;
};

}  // namespace rowan
