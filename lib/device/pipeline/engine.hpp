#pragma once
// What a context has of a device: its memory, and its policy.
#include <memory>
#include <vector>

#include "lib/device/pipeline/decide.hpp"
#include "lib/device/pipeline/past_launches.hpp"
#include "lib/device/pipeline/races.hpp"
#include "lib/device/pipeline/speculate.hpp"
#include "lib/device/runtime/memory.hpp"
#include <rowan/options.hpp>

namespace rowan::device::inline ROWAN_BACKEND {

class Engine {
 public:
  Engine(int ordinal, const Policy& policy, const std::string& force, bool deterministic = false,
         const DeviceAllocator& allocator = {}, bool small_path = false, bool races = false);

  [[nodiscard]] const Info& info() const noexcept { return info_; }
  [[nodiscard]] Pool& pool() noexcept { return pool_; }
  [[nodiscard]] const Policy& policy() const noexcept { return policy_; }
  /// Whether the policy, or `force` in its place, asks for runs of equal rows.
  [[nodiscard]] bool uses_runs() const noexcept { return runs_; }
  /// Whether it asks for runs of products moved by one column.
  [[nodiscard]] bool uses_shifts() const noexcept { return shifts_; }
  /// Whether the policy may ask for one phase; not where an accumulator is forced.
  [[nodiscard]] bool may_use_one_phase() const noexcept { return one_phase_; }
  /// Whether rows may be heavy (heavy.hpp).
  [[nodiscard]] bool may_use_heavy() const noexcept { return forced_ == kNotForced; }
  /// Whether sums are the textbook's, bit by bit.
  [[nodiscard]] bool deterministic() const noexcept { return deterministic_; }
  /// Whether small products are multiplied without choosing (small.hpp): nobody named a policy or an accumulator.
  [[nodiscard]] bool small_path() const noexcept { return small_path_; }
  /// Sizes of small products that were given up.
  [[nodiscard]] PastLaunches& past_launches() noexcept { return past_launches_; }
  /// Whether products of the same sizes race.
  [[nodiscard]] bool races_on() const noexcept { return races_on_; }
  [[nodiscard]] Races& races() noexcept { return races_; }
  /// Sums of products in two phases, by their sizes.
  [[nodiscard]] PastProducts& past_products() noexcept { return past_products_; }
  [[nodiscard]] Rules rules(std::int64_t columns, std::size_t value_bytes) const noexcept;

 private:
  Info info_;
  Pool pool_;
  const Policy& policy_;
  std::uint8_t forced_;
  int forced_group_;
  PastLaunches past_launches_;
  PastProducts past_products_;
  Races races_;
  bool short_rows_, shifts_, runs_, one_phase_, deterministic_, small_path_, races_on_;
};

// Of different devices: who uses them, and who keeps them.
using Engines = std::vector<Engine*>;
using SharedEngines = std::vector<std::shared_ptr<Engine>>;
[[nodiscard]] inline Engines plain(const SharedEngines& engines) {
  Engines all;
  for (const std::shared_ptr<Engine>& engine : engines) all.push_back(engine.get());
  return all;
}

}  // namespace rowan::device::inline ROWAN_BACKEND
