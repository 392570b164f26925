// One backend for the host: what lib/backends/devices.hpp promises.
#include "lib/backends/devices.hpp"
#include "lib/device/pipeline/inspect.hpp"
#include "lib/device/pipeline/planned.hpp"
#include "lib/device/pipeline/there.hpp"
#include "lib/device/pipeline/trial.hpp"
#include "models/embedded.hpp"

namespace rowan::device::inline ROWAN_BACKEND {
namespace {

#if defined(ROWAN_EMULATED)
constexpr const char* kName = "emulated";
#elif defined(__HIPCC__)
constexpr const char* kName = "hip";
#else
constexpr const char* kName = "cuda";
#endif

template <class T>
Symbolic symbolic_on_host(const Pair<T>& pair) {
  const CountedProduct<T> counted = measure_and_count(pair.engine(), pair.a(), pair.b(), pair.stream(), nullptr);
  const std::int64_t rows = counted.c.rows, entry = static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(T));
  return {.row_ptr = fetched(counted.c.row_ptr.data(), rows + 1, pair.stream()),
          .nprod = counted.record.nprod(),
          .nnz = counted.c.nnz,
          .bytes_c = counted.c.nnz * entry + (rows + 1) * 8,
          .bytes_temporary = counted.bytes_temporary + pair.bytes()};
}

template <class T>
DeviceCalls<T> calls(const std::shared_ptr<Engine>& engine, const std::string& force) {
  const int ordinal = engine->info().ordinal;
  const auto pair = [engine](const Operand<T>& a, const Operand<T>& b, bool same) {
    return std::make_shared<Pair<T>>(engine, a, b, same);
  };
  using A = const Operand<T>&;
  return {
      .multiply = [engine](A a, A b, bool same, const rowan::Options& options,
                           Stats& stats) { return multiply_on_host(*engine, a, b, same, options, stats); },
      .symbolic =
          [pair, ordinal](A a, A b, bool same) {
            const CurrentDevice chosen(ordinal);
            return symbolic_on_host(*pair(a, b, same));
          },
      .inspect =
          [pair, ordinal, force](A a, A b, bool same) {
            const CurrentDevice chosen(ordinal);
            const auto operands = pair(a, b, same);
            return inspect(operands->engine(), operands->a(), operands->b(), force, operands->stream());
          },
      .plan =
          [pair, ordinal](A a, A b, const rowan::Options& options) {
            const CurrentDevice chosen(ordinal);
            return plan_on_host(pair(a, b, false), options.memory_limit);
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

std::shared_ptr<const DeviceEngine> open(int ordinal, const Policy& policy, const rowan::Options& options,
                                         const DeviceAllocator& allocator) {
  const CurrentDevice chosen(ordinal);
  const bool small_path = options.force.empty() && options.policy.empty() && options.model.empty() &&
                          embedded_policy(policy.name) != nullptr;
  const auto engine =
      std::make_shared<Engine>(ordinal, policy, options.force, options.deterministic, allocator, small_path);
#define ROWAN_CALLS(T) calls<T>(engine, options.force),
  Pool& pool = engine->pool();
  return std::make_shared<DeviceEngine>(DeviceEngine{
      .on = {ROWAN_FOR_EACH_VALUE(ROWAN_CALLS)},
      .name = engine->info().name,
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
