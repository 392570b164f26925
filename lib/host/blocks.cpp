// Where the features of all rows do not fit beside C, rows go through the stages in blocks, twice: counted, so that C
// is allocated at its exact size, and then multiplied into it. What a block takes is given back before the next one.
#include "features/pattern_block.hpp"
#include "lib/core/values.hpp"
#include "lib/host/multiply.hpp"
#include "lib/host/phases.hpp"
#include "lib/host/timer.hpp"

namespace rowan {

template <class T>
Csr<T> multiply_by_blocks(const Inputs<T>& in, const std::shared_ptr<const PatternFacts>& b_facts,
                          const Settings& settings, const Team& team, Budget budget, Monitor& monitor, Stats& stats) {
  const Operand<T>& b = in.b();
  const std::string_view force = settings.options.force;
  const std::int64_t rows = in.a().rows, held = budget.held;
  // a block of B's own rows, where runs end as they did in B, is not looked at again
  const bool block_of_b = &in.a() == &b && settings.block_rows % kPatternBlock == 0;
  budget.entries = least_entries(in.a(), b, *b_facts, team), budget.entries_counted = false;
  budget.c = c_bytes<T>(in.rows(), budget.entries);
  if (!budget.fits(0)) budget.refuse();
  Array<Offset> row_ptr(rows + 1);
  row_ptr[0] = 0, budget.c = c_bytes<T>(in.rows(), 0);
  monitor.begin(2 * rows);
  std::int64_t most_held = 0;
  const auto for_blocks = [&](const auto& stages) {
    for (std::int64_t first = 0; first < rows; first += settings.block_rows) {
      Operand<T> a = in.a();
      a.rows = std::min(settings.block_rows, rows - first), a.ptr += first;
      const std::int64_t features = feature_bytes(a, b, block_of_b);
      budget.held = held;
      budget.require(features, "the features of a block of rows");
      budget.held += features;
      Decided decided = decide(a, b, settings, team, stats, {.b = b_facts, .a_first_in_b = block_of_b ? first : -1});
      stages(a, decided, row_ptr.data() + first);
    }
  };
  const auto run = [&](const Operand<T>& a, Decided& decided, Phase phase) {
    PhasePlan<T> work = phase_plan_that_fits<T>(a, b, decided, phase, team, budget, force);
    if (!budget.fits(work.least)) budget.refuse();
    most_held = std::max(most_held, budget.held + budget.c + work.bytes);
    return work;
  };

  std::int64_t nprod = 0, least = 0;  // that a block takes beside C, whatever is chosen
  for_blocks([&](const Operand<T>& a, Decided& decided, Offset* block_ptr) {
    decide_symbolic(force, decided.record);
    {
      const Timer timer(stats.symbolic);
      count_rows(run(a, decided, Phase::symbolic), block_ptr, monitor);
    }
    nprod += decided.measured.all.nprod;
    decide_again(decided.measured, block_ptr, force, decided.record);
    limit_scratch(decided.record, Phase::numeric, force, {0, sizeof(T)});
    const PhasePlan<T> numeric(a, b, decided, Phase::numeric, Team(1), 0);
    least = std::max(least, budget.held - held + numeric.least);
  });
  budget.held = held, budget.c = c_bytes<T>(in.rows(), row_ptr[rows]);
  budget.entries = row_ptr[rows], budget.entries_counted = true;
  if (!budget.fits(least)) budget.refuse();
  std::optional<CStorage<T>> storage = CStorage<T>::reserve(row_ptr[rows]);
  if (!storage) budget.refuse();
  for_blocks([&](const Operand<T>& a, Decided& decided, Offset* block_ptr) {
    decide_again(decided.measured, block_ptr, force, decided.record);
    const Timer timer(stats.numeric);
    const PhasePlan<T> numeric = run(a, decided, Phase::numeric);
    static_cast<void>(fill_rows(numeric, {block_ptr, storage->col.data(), storage->val.data()}, monitor));
    stats.threads = std::max(stats.threads, numeric.team.size());
  });
  stats.nprod = nprod, stats.method = Method::two_phase;
  stats.method_reason =
      "the features of all rows do not fit the memory limit: rows in blocks of " + std::to_string(settings.block_rows);
  return finished(in, std::move(row_ptr), std::move(*storage), most_held, stats);
}

#define ROWAN_INSTANTIATE(T)                                                                                        \
  template Csr<T> multiply_by_blocks(const Inputs<T>&, const std::shared_ptr<const PatternFacts>&, const Settings&, \
                                     const Team&, Budget, Monitor&, Stats&);
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
