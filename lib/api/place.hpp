#pragma once
// Host or device: where Backend::automatic multiplies matrices of the host's.
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lib/backends/devices.hpp"
#include <rowan/csr.hpp>
#include <rowan/options.hpp>

namespace rowan {

/// What a glance at A and B tells of a product.
struct ProductOutline {
  double operand_bytes = 0;                // of A, and of B where it is another matrix
  double b_bytes = 0;                      // of B
  double c_bytes = 0;                      // estimated
  double a_nnz = 0, nprod = 0, c_nnz = 0;  // the last two estimated
  double scattered = 0;                    // runs of neighbouring columns in C over its entries: 1 where none touch
  double shifted = 0;                      // share of rows of A that are the row before moved by one column
  double far = 0;                          // share of A's entries whose row of B is 256 and more from the one before
};

/// From sizes, and from rows of A at places spread over the matrix: O(1). Safe for matrices that nobody checked.
template <class T>
[[nodiscard]] ProductOutline outline(const CsrView<T>& a, const CsrView<T>& b);

/// Bytes that are sent to a device with so many: A and B once; where they do not fit, rows of B with every chunk of A's
/// rows that names them, about.
[[nodiscard]] double sent_bytes(const ProductOutline& product, double memory);
/// Seconds that multiply() takes on a host, and through a device with all copies.
[[nodiscard]] double host_seconds(const ProductOutline& product, int threads);
[[nodiscard]] double device_seconds(const ProductOutline& product, const TransferSpeed& speed, double memory);

/// The host's cores beside devices that share a product's rows with them.
struct CoresShare {
  double speed = 0;  // over that of all devices; 0: they take no rows
  int threads = 1;
};

/// Cores that do not copy for the devices, which take so many seconds without them; none where they would do little, or
/// where A and B do not fit a device's memory.
[[nodiscard]] CoresShare share_of_cores(const ProductOutline& product, int threads, int devices, double memory,
                                        double device_seconds);

/// Where a product is made, and why there.
struct Placement {
  const DeviceEngine* device = nullptr;  // null: the host
  CoresShare cores = {};
  std::string reason = {};  // empty: no device was thought of
};

/// Opens a device when the first product is large enough to pay for that. Any number of threads.
class Placing {
 public:
  /// `backends` in the order of preference.
  explicit Placing(std::vector<Backend> backends) : backends_(std::move(backends)) {}

  template <class T>
  [[nodiscard]] Placement place(const CsrView<T>& a, const CsrView<T>& b, const Options& options);
  /// "host: cuda failed: ..."
  [[nodiscard]] static std::string after_failure(const std::string& what);

 private:
  void open();

  std::vector<Backend> backends_;
  std::mutex lock_;  // of what follows
  bool tried_ = false;
  std::shared_ptr<const DeviceEngine> engine_ = nullptr;
  TransferSpeed speed_ = {};
};

/// The process's, over the GPUs' backends of this build, where options leave the choice to rowan; null where there are
/// none. A device is opened once, whatever contexts come and go.
[[nodiscard]] Placing* placing_for(const Options& options, bool nothing_named);

}  // namespace rowan
