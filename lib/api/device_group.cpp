#include <algorithm>

#include "lib/api/on_device.hpp"
#include "lib/api/row_cuts.hpp"
#include "lib/core/border.hpp"
#include "lib/core/prepared.hpp"
#include <rowan/device_group.hpp>
#include <rowan/error.hpp>

namespace rowan {
namespace {

std::vector<int> named_or_all(const Options& options) {
  std::vector<int> devices = options.devices.empty() ? all_devices(options.backend) : options.devices;
  if (devices.empty()) devices.push_back(0);  // which is then missed by name
  if (devices.size() > static_cast<std::size_t>(kMostDevices))
    throw Error(ErrorCode::invalid_argument, "a group has at most " + std::to_string(kMostDevices) + " devices, " +
                                                 std::to_string(devices.size()) + " were named");
  return devices;
}

}  // namespace

struct DeviceGroup::State {
  Context::State common;
  std::shared_ptr<const DeviceEngine> engine;

  [[gnu::visibility("hidden")]] explicit State(const Options& options)
      : common(options, Context::State::Opens::no_device),
        engine(open_devices(common.policy, common.options, named_or_all(options))) {}
};

DeviceGroup::DeviceGroup(const Options& options) try : state_(std::make_shared<const State>(options)) {
} catch (...) {
  rethrow_as_error();
}

const DeviceGroup::State& DeviceGroup::state() const {
  if (!state_) throw Error(ErrorCode::invalid_argument, "the device group was moved from: it is empty");
  return *state_;
}

int DeviceGroup::size() const {
  return state().engine->devices;
}

namespace {

template <class T>
std::vector<DeviceView<T>> views(const DistributedMatrix<T>& m) {
  return {m.blocks().begin(), m.blocks().end()};
}

template <class T>
DistributedMatrix<T> distributed(const DeviceGroup::State& state, const CsrView<T>& a, const CsrView<T>& b) {
  const Options& options = state.common.options;
  const Team team(options.threads);
  const Inputs<T> in(a, b, options.validate, team);
  const std::vector<std::int64_t> first =
      row_cuts(in.a(), in.b(), state.engine->devices, one_device_seconds(a, b), team);
  return DistributedMatrix<T>(state.engine->on.of<T>().to_group(in.a(), first, options));
}

template <class T>
DistributedMatrix<T> distributed_rows(const DeviceGroup::State& state, const CsrView<T>& m,
                                      const std::vector<std::int64_t>& first) {
  const Options& options = state.common.options;
  const Prepared<T> host(m, "the matrix", options.validate, Team(options.threads));
  const auto devices = static_cast<std::size_t>(state.engine->devices);
  if (first.size() != devices + 1 || first.front() != 0 || first.back() != host.operand().rows ||
      !std::ranges::is_sorted(first))
    throw Error(ErrorCode::invalid_argument, "first must be " + std::to_string(devices + 1) +
                                                 " numbers that rise from 0 to " + std::to_string(host.operand().rows));
  return DistributedMatrix<T>(state.engine->on.of<T>().to_group(host.operand(), first, options));
}

template <class T>
DistributedMatrix<T> replicated(const DeviceGroup::State& state, const CsrView<T>& m) {
  const Options& options = state.common.options;
  const Prepared<T> host(m, "the matrix", options.validate, Team(options.threads));
  return DistributedMatrix<T>(state.engine->on.of<T>().replicate(host.operand(), options), true);
}

template <class T>
DistributedMatrix<T> multiplied(const DeviceGroup::State& state, const DistributedMatrix<T>& a,
                                const DistributedMatrix<T>& b, Stats* stats) {
  if (a.replicated() && state.engine->devices > 1)
    throw Error(ErrorCode::invalid_argument, "A is on every device as a whole: distribute it, C's rows lie as A's do");
  return DistributedMatrix<T>(
      state.engine->on.of<T>().multiply_group(views(a), views(b), b.replicated(), state.common.options, stats));
}

template <class T>
DeviceMatrix<T> gathered(const DeviceGroup::State& state, const DistributedMatrix<T>& m, int device) {
  if (device < 0 || device >= state.engine->devices)
    throw Error(ErrorCode::invalid_argument,
                "device is " + std::to_string(device) + ", but the group has " + std::to_string(state.engine->devices));
  if (m.replicated()) return m.blocks()[static_cast<std::size_t>(device)];
  return state.engine->on.of<T>().gather(views(m), static_cast<std::size_t>(device));
}

template <class T>
Csr<T> brought_home(const DeviceGroup::State& state, const DistributedMatrix<T>& m) {
  const auto& calls = state.engine->on.of<T>();
  if (m.replicated()) return calls.to_host(m.blocks().front(), state.common.options, {});
  return calls.group_to_host(views(m), state.common.options);
}

}  // namespace

#define ROWAN_DEFINE(T)                                                                                          \
  DistributedMatrix<T> DeviceGroup::distribute(const CsrView<T>& a, const CsrView<T>& b) const try {             \
    return distributed(state(), a, b);                                                                           \
  } catch (...) {                                                                                                \
    rethrow_as_error();                                                                                          \
  }                                                                                                              \
  DistributedMatrix<T> DeviceGroup::distribute_rows(const CsrView<T>& m, const std::vector<std::int64_t>& first) \
      const try {                                                                                                \
    return distributed_rows(state(), m, first);                                                                  \
  } catch (...) {                                                                                                \
    rethrow_as_error();                                                                                          \
  }                                                                                                              \
  DistributedMatrix<T> DeviceGroup::replicate(const CsrView<T>& m) const try {                                   \
    return replicated(state(), m);                                                                               \
  } catch (...) {                                                                                                \
    rethrow_as_error();                                                                                          \
  }                                                                                                              \
  DistributedMatrix<T> DeviceGroup::multiply(const DistributedMatrix<T>& a, const DistributedMatrix<T>& b,       \
                                             Stats* stats) const try {                                           \
    return multiplied(state(), a, b, stats);                                                                     \
  } catch (...) {                                                                                                \
    rethrow_as_error();                                                                                          \
  }                                                                                                              \
  DeviceMatrix<T> DeviceGroup::gather(const DistributedMatrix<T>& m, int device) const try {                     \
    return gathered(state(), m, device);                                                                         \
  } catch (...) {                                                                                                \
    rethrow_as_error();                                                                                          \
  }                                                                                                              \
  Csr<T> DeviceGroup::to_host(const DistributedMatrix<T>& m) const try {                                         \
    return brought_home(state(), m);                                                                             \
  } catch (...) {                                                                                                \
    rethrow_as_error();                                                                                          \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

}  // namespace rowan
