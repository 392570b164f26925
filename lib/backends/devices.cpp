// The only place where backends are listed. Each compiles lib/device/pipeline/entry.cpp in a namespace of its own;
// ROWAN_HAVE_EMULATED is the emulated one's name, of which a test has its own.
#include "lib/backends/devices.hpp"

#include <algorithm>

#include "models/embedded.hpp"
#include <rowan/error.hpp>

#define ROWAN_DECLARE(backend)                                                                        \
  namespace rowan::device::inline backend {                                                           \
  bool has_candidate(CandidateId id) noexcept;                                                        \
  std::vector<DeviceReport> reports();                                                                \
  std::shared_ptr<const DeviceEngine> open(std::span<const int> ordinals, const Policy& policy,       \
                                           const Options& options, const DeviceAllocator& allocator); \
  }
#if defined(ROWAN_HAVE_CUDA)
ROWAN_DECLARE(cuda)
#endif
#if defined(ROWAN_HAVE_HIP)
ROWAN_DECLARE(hip)
#endif
#if defined(ROWAN_HAVE_EMULATED)
ROWAN_DECLARE(ROWAN_HAVE_EMULATED)
#endif
#undef ROWAN_DECLARE

namespace rowan {
namespace {

struct Known {
  Backend backend;
  const char *name, *option;
  bool (*has_candidate)(CandidateId) noexcept;
  std::vector<DeviceReport> (*reports)();
  std::shared_ptr<const DeviceEngine> (*open)(std::span<const int>, const Policy&, const Options&,
                                              const DeviceAllocator&);
};
constexpr Known kKnown[] = {
#if defined(ROWAN_HAVE_CUDA)
    {Backend::cuda, "cuda", "ROWAN_CUDA", device::cuda::has_candidate, device::cuda::reports, device::cuda::open},
#else
    {Backend::cuda, "cuda", "ROWAN_CUDA", nullptr, nullptr, nullptr},
#endif
#if defined(ROWAN_HAVE_HIP)
    {Backend::hip, "hip", "ROWAN_HIP", device::hip::has_candidate, device::hip::reports, device::hip::open},
#else
    {Backend::hip, "hip", "ROWAN_HIP", nullptr, nullptr, nullptr},
#endif
#if defined(ROWAN_HAVE_EMULATED)
    {Backend::emulated, "emulated", "ROWAN_EMULATED", device::ROWAN_HAVE_EMULATED::has_candidate,
     device::ROWAN_HAVE_EMULATED::reports, device::ROWAN_HAVE_EMULATED::open},
#else
    {Backend::emulated, "emulated", "ROWAN_EMULATED", nullptr, nullptr, nullptr},
#endif
};

}  // namespace

std::vector<std::string> device_backends() {
  std::vector<std::string> names;
  for (const Known& k : kKnown)
    if (k.open != nullptr) names.emplace_back(k.name);
  return names;
}

std::vector<DeviceReport> devices() {
  std::vector<DeviceReport> all;
  for (const Known& k : kKnown) {
    if (k.reports == nullptr) continue;
    for (DeviceReport& report : k.reports()) all.push_back(std::move(report));
  }
  return all;
}

std::vector<int> all_devices(Backend backend) {
  std::vector<int> ordinals;
  for (const Known& k : kKnown) {
    if (k.backend != backend || k.reports == nullptr) continue;
    for (const DeviceReport& report : k.reports()) ordinals.push_back(report.ordinal);
  }
  return ordinals;
}

bool has_candidate(Backend backend, CandidateId id) noexcept {
  for (const Known& k : kKnown)
    if (k.backend == backend) return k.has_candidate != nullptr && k.has_candidate(id);
  return kCandidates[id].on_host;
}

const Policy& default_policy(Backend backend) {
  constexpr int kWide = 64;
  int wave = 0;
  for (const Known& k : kKnown) {
    if (k.backend != backend || k.reports == nullptr) continue;
    if (const auto all = k.reports(); !all.empty()) wave = all.front().wave;
  }
  const bool wide = wave == kWide;
  const Policy* const trained = wide                       ? embedded_policy("wave64-trained")
                                : backend == Backend::cuda ? embedded_policy("cuda-trained")
                                                           : nullptr;
  return trained != nullptr ? *trained : *embedded_policy(wide ? "wave64-rules" : "device-rules");
}

std::shared_ptr<const DeviceEngine> open_devices(const Policy& policy, const Options& options,
                                                 std::span<const int> ordinals, const DeviceAllocator& allocator) {
  for (const Known& k : kKnown) {
    if (k.backend != options.backend) continue;
    const std::string asked = "backend is \"" + std::string(k.name) + "\", ";
    if (k.open == nullptr)
      throw Error(ErrorCode::unsupported, asked + "which this build does not have; configure with -D" +
                                              std::string(k.option) + "=ON, or take the host");
    const std::size_t there = k.reports().size();
    if (there == 0)
      throw Error(ErrorCode::device, asked + "but there is no such device here; rowan info lists those that are");
    if (ordinals.empty()) throw Error(ErrorCode::invalid_argument, asked + "but no device was named");
    for (std::size_t i = 0; i < ordinals.size(); i++) {
      if (ordinals[i] < 0 || static_cast<std::size_t>(ordinals[i]) >= there)
        throw Error(ErrorCode::device, asked + "of which there is no device " + std::to_string(ordinals[i]) +
                                           "; there are " + std::to_string(there));
      if (std::ranges::count(ordinals.first(i), ordinals[i]) != 0)
        throw Error(ErrorCode::invalid_argument, "device " + std::to_string(ordinals[i]) + " was named twice");
    }
    return k.open(ordinals, policy, options, allocator);
  }
  throw Error(ErrorCode::invalid_argument, "backend is the host, which is no device");
}

std::shared_ptr<const DeviceEngine> open_devices(const Policy& policy, const Options& options) {
  constexpr int kFirst[] = {0};
  return open_devices(policy, options, options.devices.empty() ? std::span<const int>(kFirst) : options.devices);
}

}  // namespace rowan
