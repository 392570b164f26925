// One backend for the host: what lib/backends/devices.hpp promises.
#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/group.hpp"
#include "lib/device/pipeline/host_product.hpp"
#include "lib/device/pipeline/in_parts.hpp"
#include "lib/device/pipeline/inspect.hpp"
#include "lib/device/pipeline/planned.hpp"
#include "lib/device/pipeline/symbolic.hpp"
#include "lib/device/pipeline/there.hpp"
#include "lib/device/pipeline/trial.hpp"
#include "models/embedded.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

#if defined(ROWAN_EMULATED)
constexpr const char* kName = "emulated";
constexpr bool kHasClock = false;  // its times say nothing about a device
#elif defined(__HIPCC__)
constexpr const char* kName = "hip";
constexpr bool kHasClock = true;
#else
constexpr const char* kName = "cuda";
constexpr bool kHasClock = true;
#endif

/// What takes A and B as a whole tells so where they do not fit.
template <class F>
auto as_a_whole(const char* what, const F& f) {
  try {
    return f();
  } catch (const Error& e) {
    if (!too_large(e)) throw;
    throw Error(e.code(), std::string(what) + " takes A and B as a whole, and there is no room for them: " + e.what() +
                              "; multiply() and symbolic() take them in parts");
  }
}

template <class T>
DeviceCalls<T> calls(const SharedEngines& engines, const std::string& force) {
  const std::shared_ptr<Engine>& engine = engines.front();
  const int ordinal = engine->info().ordinal;
  const auto pair = [engine](const Operand<T>& a, const Operand<T>& b, bool same) {
    return std::make_shared<Pair<T>>(engine, a, b, same);
  };
  using A = const Operand<T>&;
  return {
      .multiply = [engines](
                      A a, A b, bool same, const HostWork<T>& meanwhile, const rowan::Options& options,
                      Stats& stats) { return multiply_on_host(plain(engines), a, b, same, options, stats, meanwhile); },
      .symbolic = [engines](A a, A b, bool same,
                            const rowan::Options& options) { return symbolic_on_host(engines, a, b, same, options); },
      .inspect =
          [pair, ordinal, force](A a, A b, bool same) {
            const CurrentDevice chosen(ordinal);
            return as_a_whole("inspect()", [&] {
              const auto operands = pair(a, b, same);
              return inspect(operands->engine(), operands->a(), operands->b(), force, operands->stream());
            });
          },
      .plan =
          [pair, ordinal](A a, A b, const rowan::Options& options) {
            const CurrentDevice chosen(ordinal);
            return as_a_whole("a plan", [&] { return plan_on_host(pair(a, b, false), options.memory_limit); });
          },
      .trial =
          [pair, ordinal](A a, A b, bool same) {
            const CurrentDevice chosen(ordinal);
            return trial(pair(a, b, same));
          },
      .multiply_there = [engine](const auto& a, const auto& b, const rowan::Options& options,
                                 const DeviceCall& call) { return multiply_there(engine, a, b, options, call); },
      .symbolic_there = [engine](const auto& a, const auto& b, const rowan::Options& options,
                                 const DeviceCall& call) { return symbolic_there(*engine, a, b, options, call); },
      .inspect_there = [engine, force](
                           const auto& a, const auto& b, const rowan::Options& options,
                           const DeviceCall& call) { return inspect_there(*engine, a, b, force, options, call); },
      .plan_there = [engine](const auto& a, const auto& b, const rowan::Options& options,
                             const DeviceCall& call) { return plan_there(engine, a, b, options, call); },
      .to_device = [engine](A host, const rowan::Options& options,
                            const DeviceCall& call) { return to_device(engine, host, options, call); },
      .to_host = [engine](const DeviceView<T>& m, const rowan::Options& options,
                          const DeviceCall& call) { return to_host(*engine, m, options, call); },
      .to_group = [engines](A host, std::span<const std::int64_t> first,
                            const rowan::Options& options) { return to_group(engines, host, first, options); },
      .replicate = [engines](A host, const rowan::Options& options) { return replicate(engines, host, options); },
      .multiply_group = [engines](const auto& a, const auto& b, bool replicated, const rowan::Options& options,
                                  Stats* stats) { return multiply_group(engines, a, b, replicated, options, stats); },
      .gather = [engines](const auto& m, std::size_t to) { return gather(engines, m, to); },
      .group_to_host = [engines](const auto& m,
                                 const rowan::Options& options) { return group_to_host(engines, m, options); },
  };
}

}  // namespace

bool has_candidate(CandidateId id) noexcept {
  return on_devices(id);
}

std::vector<DeviceReport> reports() {
  std::vector<DeviceReport> all;
  for (int ordinal = 0; ordinal < count(); ordinal++) {
    const Info i = info(ordinal);
    all.push_back({.backend = kName,
                   .name = i.name,
                   .ordinal = ordinal,
                   .wave = i.wave,
                   .multiprocessors = i.multiprocessors,
                   .memory = i.memory});
  }
  return all;
}

std::shared_ptr<const DeviceEngine> open(std::span<const int> ordinals, const Policy& policy,
                                         const rowan::Options& options, const DeviceAllocator& allocator) {
  const bool small_path = options.force.empty() && options.policy.empty() && options.model.empty() &&
                          embedded_policy(policy.name) != nullptr;
  SharedEngines engines;
  for (const int each : ordinals) {
    const CurrentDevice chosen(each);
    engines.push_back(std::make_shared<Engine>(each, policy, options.force, options.deterministic, allocator,
                                               small_path, small_path && kHasClock));
  }
  const std::shared_ptr<Engine> engine = engines.front();
  const int ordinal = engine->info().ordinal;
#define ROWAN_CALLS(T) calls<T>(engines, options.force),
  Pool& pool = engine->pool();
  return std::make_shared<DeviceEngine>(DeviceEngine{
      .on = {ROWAN_FOR_EACH_VALUE(ROWAN_CALLS)},
      .name = engine->info().name,
      .devices = static_cast<int>(engines.size()),
      .memory = std::ranges::max(engines, {}, [](const auto& e) { return e->info().memory; })->info().memory,
      .wait =
          [ordinal](void* stream) {
            const CurrentDevice here(ordinal);
            check(hipStreamSynchronize(static_cast<hipStream_t>(stream)), "waiting for the device");
          },
      .transfer_speed = [engine, threads = options.threads] { return transfer_speed(*engine, Team(threads)); },
      .bytes_in_use = [engine, &pool] { return pool.in_use(); },
      .bytes_peak = [engine, &pool] { return pool.peak(); },
      .restart_peak = [engine, &pool] { pool.restart_peak(); },
      .trim =
          [engine, &pool, ordinal] {
            const CurrentDevice here(ordinal);
            pool.trim();
          }});
#undef ROWAN_CALLS
}

}  // namespace rowan::device::inline ROWAN_BACKEND
