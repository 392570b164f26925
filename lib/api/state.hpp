#pragma once
// What contexts and plans own.
#include <mutex>
#include <optional>

#include "lib/api/digest.hpp"
#include "lib/api/place.hpp"
#include "lib/api/planned_pattern.hpp"
#include "lib/backends/devices.hpp"
#include "lib/host/replay/replay.hpp"
#include "lib/host/replay/thin.hpp"
#include "lib/host/settings.hpp"
#include "models/loaded.hpp"
#include <rowan/context.hpp>

namespace rowan {

struct Context::State {
  enum class Opens : bool { no_device, what_options_name };
  [[gnu::visibility("hidden")]] explicit State(Options given, Opens opens = Opens::what_options_name);  // as Context's
  State(const State&) = delete;  // the device looks at the policy
  State& operator=(const State&) = delete;

  Options options;
  std::optional<LoadedPolicy> loaded = {};
  Policy policy = {};
  std::shared_ptr<const DeviceEngine> device = nullptr;  // null: the host
  Placing* placing = nullptr;                            // where rowan chooses between the host and a device

  [[nodiscard]] bool nothing_named() const {
    return !loaded && options.policy.empty() && options.force.empty() && options.memory_limit == 0;
  }
  [[nodiscard]] Settings settings() const {
    return {.options = options, .policy = policy, .small_path = nothing_named()};
  }
  /// Of multiply(), whose C may be unsorted.
  [[nodiscard]] Settings settings_of_multiply() const {
    return {.options = options, .policy = policy, .any_order = options.unsorted, .small_path = nothing_named()};
  }
};

/// A plan's part in device memory, one for each type of values that it met.
struct PlanOnDevice {
  std::mutex lock;  // of all: a device's plan is executed once at a time
  template <class T>
  using Owned = std::unique_ptr<const HostedPlan<T>>;
  PerValue<Owned> plans = {};
};

struct Plan::State {
  std::shared_ptr<const Context::State> context;
  Decided decided;
  PlannedPattern c;
  DigestKey key = DigestKey::random();
  PatternDigest a, b;
  bool alike = false;              // a and b
  std::optional<ThinReplay> thin;  // where rows were not measured; then `decided` and `replay` are empty
  std::optional<Replay> replay;    // empty where there was no room: then rows are multiplied as the first time
  std::int64_t nprod = 0;
  std::shared_ptr<PlanOnDevice> on_device = nullptr;  // null: the host's; then `decided` and `replay` are empty
};

}  // namespace rowan
