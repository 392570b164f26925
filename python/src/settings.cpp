#include "settings.hpp"

#include <chrono>

namespace pyrowan {
namespace {

using Clock = std::chrono::steady_clock;

thread_local bool in_call = false;
thread_local Clock::time_point next_look;

rowan::Options interruptible(rowan::Options options) {
  options.progress = Interruptible::look;
  return options;
}

}  // namespace

Interruptible::Interruptible() noexcept : outer_(std::exchange(in_call, true)) {
  next_look = Clock::now();
}
Interruptible::~Interruptible() {
  in_call = outer_;
}

void Interruptible::look(double) {
  if (!in_call) return;  // one of rowan's own threads
  const auto now = Clock::now();
  if (now < next_look) return;
  next_look = now + std::chrono::milliseconds(20);
  const py::gil_scoped_acquire held;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

Settings::Settings(rowan::Options options) : options_(interruptible(std::move(options))), context_(options_) {}

const rowan::DeviceContext& Settings::device(int ordinal) const {
  const std::lock_guard lock(devices_->lock);
  std::unique_ptr<const rowan::DeviceContext>& known = devices_->by_ordinal[ordinal];
  if (known) return *known;
  rowan::Options of_device = options_;
  if (options_.backend == rowan::Backend::host)
    refuse("backend is \"host\", but the matrices are in a device's memory");
  if (options_.backend != rowan::Backend::automatic) {
    known = std::make_unique<const rowan::DeviceContext>(of_device, ordinal);
    devices_->backend = of_device.backend;
    return *known;
  }
  for (const rowan::Backend backend : {rowan::Backend::cuda, rowan::Backend::hip}) {
    of_device.backend = backend;
    try {
      known = std::make_unique<const rowan::DeviceContext>(of_device, ordinal);
      devices_->backend = backend;
      return *known;
    } catch (const rowan::Error& e) {
      if (e.code() != rowan::ErrorCode::unsupported) throw;
    }
  }
  throw rowan::Error(rowan::ErrorCode::unsupported,
                     "this build of pyrowan has no GPU: build it with -DROWAN_CUDA=ON or -DROWAN_HIP=ON");
}

rowan::Backend Settings::device_backend() const {
  const std::lock_guard lock(devices_->lock);
  return devices_->backend;
}

}  // namespace pyrowan
