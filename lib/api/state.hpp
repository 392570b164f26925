#pragma once
// What contexts and plans own.
#include <mutex>
#include <optional>

#include "lib/api/digest.hpp"
#include "lib/backends/devices.hpp"
#include "lib/host/phases.hpp"
#include "lib/host/replay/replay.hpp"
#include "lib/host/timer.hpp"
#include "models/loaded.hpp"
#include <rowan/context.hpp>

namespace rowan {

struct Context::State {
  explicit State(Options given);  // as Context's
  State(const State&) = delete;   // the device looks at the policy
  State& operator=(const State&) = delete;

  Options options;
  std::optional<LoadedPolicy> loaded = {};
  Policy policy = {};
  std::shared_ptr<const DeviceEngine> device = nullptr;  // null: the host

  [[nodiscard]] Settings environment() const {
    const bool nobody_chose = !loaded && options.policy.empty() && options.force.empty() && options.memory_limit == 0;
    return {.options = options, .policy = policy, .small_path = nobody_chose};
  }
};

/// A plan's part in device memory, one for each type of values that it met.
struct PlanOnDevice {
  std::mutex lock;  // of all: a device's plan is executed once at a time
  template <class T>
  using Owned = std::unique_ptr<const DevicePlan<T>>;
  PerValue<Owned> plans = {};
};

struct Plan::State {
  std::shared_ptr<const Context::State> context;
  Decided decided;
  Array<std::int64_t> row_ptr;  // of C
  Array<Column> col;            // of C
  std::int64_t cols = 0;
  std::shared_ptr<const void> pattern = std::make_shared<char>();  // this plan's: a C that has it has C's pattern
  DigestKey key = DigestKey::random();
  PatternDigest a, b;
  bool alike = false;            // a and b
  std::optional<Replay> replay;  // empty where there was no room: then rows are multiplied as the first time
  std::int64_t nprod = 0;
  std::shared_ptr<PlanOnDevice> on_device = nullptr;  // null: the host's; then `decided` and `replay` are empty

  /// Makes an empty C one of the planned pattern; throws Error{invalid_argument} where another C has not that pattern.
  /// A C that this plan has seen before is not looked at again: nobody may change its pattern since.
  template <class T>
  void give_pattern(Csr<T>& c, const Team& team) const;
};

/// Stages of one matrix pair that inspection, plans and symbolic() share: inputs inside, decided, counted.
template <class T>
struct Counted {
  Budget budget;
  Inputs<T> in;
  Stats stats;
  Decided decided;
  Array<Offset> row_ptr;

  /// `row_report`: bytes that the caller keeps for each row of C beside this. Throws what Budget::refuse throws.
  Counted(const CsrView<T>& view_a, const CsrView<T>& view_b, const Settings& settings, const Team& team,
          EmptyRows empty_rows = EmptyRows::keep, std::int64_t row_report = 0)
      : budget(settings.options), in(view_a, view_b, settings.options.validate, team, &budget, empty_rows) {
    const Operand<T>&a = in.a(), &b = in.b();
    const std::int64_t rows = fact_bytes(b) + feature_bytes(a, b) + in.rows() * row_report;
    budget.require(rows, "the features of the rows");
    budget.held += rows;
    decided = decide(a, b, settings, team, stats);
    Monitor monitor(settings.options);
    monitor.begin(a.rows);
    row_ptr = Array<Offset>(a.rows + 1);
    row_ptr[0] = 0;
    decide_symbolic(settings.options.force, decided.record);
    const Timer timer(stats.symbolic);
    const PhasePlan<T> symbolic =
        work_that_fits<T>(a, b, decided, Phase::symbolic, team, budget, settings.options.force);
    if (!budget.fits(symbolic.least)) budget.refuse();
    count_rows(symbolic, row_ptr.data(), monitor);
    const std::int64_t counting = budget.held + budget.c + symbolic.bytes;
    stats.nnz = row_ptr[a.rows];
    budget.c = c_bytes<T>(in.rows(), stats.nnz);
    const PhasePlan<T> numeric = work_that_fits<T>(a, b, decided, Phase::numeric, team, budget, settings.options.force);
    stats.bytes_temporary = std::max(counting, budget.held + budget.c + numeric.bytes) - bytes_c();
  }
  [[nodiscard]] std::int64_t bytes_c() const {
    return (in.rows() + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)) +
           stats.nnz * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
  }
};

}  // namespace rowan
