#pragma once
// The device backends of this build as the host sees them: plain functions, no device header.
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lib/core/pattern.hpp"
#include "lib/core/values.hpp"
#include "models/policy.hpp"
#include <rowan/context.hpp>
#include <rowan/device.hpp>

namespace rowan {

/// One device of a backend.
struct DeviceReport {
  std::string backend = {};  // "cuda", "hip" or "emulated"
  std::string name = {};
  int ordinal = 0;
  int wave = 32;
  int multiprocessors = 0;
  std::int64_t memory = 0;  // bytes
};

/// C's pattern, counted and decided on a device that computes its values again and again.
template <class T>
struct HostedPlan {
  Array<std::int64_t> row_ptr = {};  // of C
  Array<Column> col = {};            // of C
  std::int64_t nprod = 0;
  std::int64_t bytes = 0;  // of device memory
  /// C's values for A's and B's, all in the host's memory. One call at a time.
  std::function<void(const T* a, const T* b, T* c)> execute = {};
};

/// What a public plan of matrices in device memory does.
template <class T>
struct DevicePlan<T>::Work {
  DeviceMatrix<T> pattern = {};  // C's, without values
  std::int64_t nprod = 0, bytes = 0;
  std::function<DeviceMatrix<T>(const DeviceView<T>& a, const DeviceView<T>& b, const DeviceCall&)> execute = {};
  std::function<void(const DeviceView<T>& a, const DeviceView<T>& b, T* val, const DeviceCall&)> execute_into = {};
};

/// Who does a bin's rows, and the lanes that walk one row of B; 0: by the average row.
struct DevicePick {
  CandidateId candidate = 0;
  int group = 0;
};

/// Rows that share a decision in one phase.
struct DeviceTrialBin {
  std::string label = {};
  std::int64_t rows = 0, nprod = 0;
  FeatureVector features{};
  std::array<bool, kCandidates.size()> feasible{};
  std::array<int, kCandidates.size()> lanes{};  // that may walk one row of B, at most
};

/// A product in device memory whose phases are run piece by piece, as often as wanted; what comes out is thrown away.
/// One call at a time.
struct DeviceTrial {
  std::int64_t rows = 0, nprod = 0;
  FeatureVector features{};                              // of all rows as the numeric phase's decisions see them
  std::array<std::vector<DeviceTrialBin>, 2> bins = {};  // by phase: those that any choice has work with
  /// For each of a phase's bins who does it, or nobody; one that cannot leaves it to its fallbacks. Each call of what
  /// comes back puts the kernels into the device's stream once.
  std::function<std::function<void()>(Phase phase, const std::vector<std::optional<DevicePick>>& picks)> prepare = {};
  std::function<void()> wait = {};
};

/// What the host does itself while its matrices are multiplied on devices.
template <class T>
struct HostWork {
  std::function<void()> check = {};  // throws where A or B is no matrix; no kernel begins before. Null: they are
  /// Its cores' speed over that of all devices, as predicted; 0: they multiply no rows.
  double speed = 0;
  /// C's rows from `first` on, as many as row_ptr says, which begins at 0, into their place. One call at a time.
  std::function<void(std::int64_t first, std::span<const std::int64_t> row_ptr, Column* col, T* val)> fill = {};
};

/// What a device does with operands of one type. `same`: A and B are one matrix.
template <class T>
struct DeviceCalls {
  template <class R, class... Arguments>
  using Of = std::function<R(const Operand<T>& a, const Operand<T>& b, bool same, Arguments...)>;

  /// C = A B, by chunks of rows where A, B or C do not fit.
  Of<Csr<T>, const HostWork<T>&, const Options&, Stats&> multiply = {};
  Of<Symbolic, const Options&> symbolic = {};  // by chunks, too
  Of<Inspection> inspect = {};
  /// One pattern twice has two sets of values.
  std::function<std::unique_ptr<const HostedPlan<T>>(const Operand<T>& a, const Operand<T>& b, const Options&)> plan =
      {};
  Of<DeviceTrial> trial = {};  // the engine's policy says which bins there are

  // Of matrices in device memory, whoever's it is.
  template <class R>
  using There = std::function<R(const DeviceView<T>& a, const DeviceView<T>& b, const Options&, const DeviceCall&)>;
  There<DeviceMatrix<T>> multiply_there = {};
  There<Symbolic> symbolic_there = {};
  There<Inspection> inspect_there = {};
  There<DevicePlan<T>> plan_there = {};
  std::function<DeviceMatrix<T>(const Operand<T>& host, const Options&, const DeviceCall&)> to_device = {};
  std::function<Csr<T>(const DeviceView<T>&, const Options&, const DeviceCall&)> to_host = {};

  // Of matrices in the memory of all of the engine's devices.
  using Blocks = std::vector<DeviceMatrix<T>>;
  using BlockViews = std::vector<DeviceView<T>>;
  std::function<Blocks(const Operand<T>& host, std::span<const std::int64_t> first, const Options&)> to_group = {};
  std::function<Blocks(const Operand<T>& host, const Options&)> replicate = {};
  std::function<Blocks(const BlockViews& a, const BlockViews& b, bool replicated, const Options&, Stats*)>
      multiply_group = {};
  std::function<DeviceMatrix<T>(const BlockViews&, std::size_t to)> gather = {};
  std::function<Csr<T>(const BlockViews&, const Options&)> group_to_host = {};
};

/// Bytes a second that travel between the host's memory and a device's, as multiply() sends them.
struct TransferSpeed {
  double up = 1, down = 1;
};

/// Threads of the host that copy for a device, at most.
inline constexpr int kCopyingThreads = 8;

/// Devices at work for a context, under one policy. Any number of threads may call at once.
struct DeviceEngine {
  PerValue<DeviceCalls> on = {};
  std::string name = {};  // the first's
  int devices = 1;
  std::int64_t memory = 0;  // bytes of the device that has the most
  std::function<void(void* stream)> wait = {};
  std::function<TransferSpeed()> transfer_speed = {};  // measured now, in milliseconds
  std::function<std::int64_t()> bytes_in_use = {}, bytes_peak = {};
  std::function<void()> restart_peak = {}, trim = {};
};

/// Names of the backends that this build has, besides the host.
[[nodiscard]] std::vector<std::string> device_backends();
/// All devices there are, by backend.
[[nodiscard]] std::vector<DeviceReport> devices();
/// Numbers of the backend's devices; none where this build does not have the backend.
[[nodiscard]] std::vector<int> all_devices(Backend backend);
/// That multiply together, at most.
inline constexpr int kMostDevices = 16;
/// Whether the backend has kernels of the candidate's; never where this build does not have the backend.
[[nodiscard]] bool has_candidate(Backend backend, CandidateId id) noexcept;
/// The policy in force on the backend's first device where nothing else is asked for: wave64-rules where waves have 64
/// lanes, else device-rules; wave64-trained, and on CUDA cuda-trained, go before them where they are compiled in.
[[nodiscard]] const Policy& default_policy(Backend backend);
/// Devices of `options.backend`, all at work where the host's matrices are multiplied, the first alone in all else.
/// Throws Error{unsupported} where the build has no such backend, Error{device} where the machine has no such device,
/// Error{invalid_argument} where none or one of them twice is asked for, or devices have no accumulator
/// `options.force`. `policy` outlives the engine.
[[nodiscard]] std::shared_ptr<const DeviceEngine> open_devices(const Policy& policy, const Options& options,
                                                               std::span<const int> ordinals,
                                                               const DeviceAllocator& allocator = {});
/// The one that `options.devices` names, or several of them.
[[nodiscard]] std::shared_ptr<const DeviceEngine> open_devices(const Policy& policy, const Options& options);

}  // namespace rowan
