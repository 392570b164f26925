#include "lib/host/rows_in_place.hpp"

#include <string>

#include "lib/core/values.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/sampled.hpp"
#include "lib/host/some_rows.hpp"
#include "lib/host/timer.hpp"
#include <rowan/error.hpp>

namespace rowan {
namespace {

/// A caller's row pointers; throws where they fall.
Array<Offset> rising(std::span<const std::int64_t> row_ptr) {
  Array<Offset> ptr(row_ptr.size());
  ptr[0] = 0;
  for (std::size_t i = 1; i < row_ptr.size(); i++) {
    if (row_ptr[i] < row_ptr[i - 1])
      throw Error(ErrorCode::invalid_argument, "the sizes say that row " + std::to_string(i - 1) + " of C has " +
                                                   std::to_string(row_ptr[i] - row_ptr[i - 1]) + " entries");
    ptr[i] = static_cast<Offset>(row_ptr[i]);
  }
  return ptr;
}

/// What the options say but for progress and the limit of memory, which are somebody else's.
Options of_some_rows(const Options& options) {
  Options some = options;
  some.progress = {}, some.memory_limit = 0;
  return some;
}

}  // namespace

template <class T>
void multiply_counted(const Operand<T>& a, const Operand<T>& b, const CountedTarget<T>& c, const Settings& settings,
                      const Team& team, Budget& budget, std::shared_ptr<const PatternFacts>& b_facts, Stats& stats) {
  budget.entries = c.row_ptr.back(), budget.c = c_bytes<T>(a.rows, budget.entries);
  std::optional<Decided> decided = decide_sampled(a, b, settings, team, stats);
  if (!decided) {
    const std::int64_t features = fact_bytes(b) + feature_bytes(a, b);
    budget.require(features, "the features of the rows");
    budget.held += features;
    if (!b_facts) {
      const Timer timer(stats.features);
      b_facts = std::make_shared<const PatternFacts>(pattern_facts(b, team));
    }
    decided = decide(a, b, settings, team, stats, {.b = b_facts});
    const Timer timer(stats.deciding);
    const Array<Offset> counted = rising(c.row_ptr);
    decide_again(decided->measured, counted.data(), settings.options.force, decided->record);
  }
  const Timer timer(stats.numeric);
  const auto numeric = phase_plan_that_fits<T>(a, b, *decided, Phase::numeric, team, budget, settings.options.force);
  if (!budget.fits(numeric.least)) budget.refuse();
  Monitor monitor(settings.options);
  monitor.begin(a.rows);
  fill_counted(numeric, *decided, c, monitor);
  stats.policy = settings.policy.name, stats.method = Method::two_phase, stats.threads = numeric.team.size();
  stats.nnz = budget.entries, stats.bytes_temporary = budget.held + numeric.bytes;
  stats.bytes_c = (a.rows + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)) +
                  stats.nnz * static_cast<std::int64_t>(sizeof(Column) + sizeof(T));
}

template <class T>
RowsInPlace<T>::RowsInPlace(const Operand<T>& a, const Operand<T>& b, const Settings& settings, int threads)
    : a_(a),
      b_(b),
      options_(of_some_rows(settings.options)),
      settings_{.options = options_, .policy = settings.policy},
      team_(threads) {}

template <class T>
void RowsInPlace<T>::fill(std::int64_t first, const CountedTarget<T>& c) {
  const auto rows = static_cast<std::int64_t>(c.row_ptr.size()) - 1;
  const SomeRows<T> some(a_, first, first + rows);
  Budget budget(options_);
  Stats stats;
  multiply_counted(some.operand, b_, c, settings_, team_, budget, b_facts_, stats);
}

#define ROWAN_INSTANTIATE(T)                                                                                     \
  template void multiply_counted(const Operand<T>&, const Operand<T>&, const CountedTarget<T>&, const Settings&, \
                                 const Team&, Budget&, std::shared_ptr<const PatternFacts>&, Stats&);            \
  template class RowsInPlace<T>;
ROWAN_FOR_EACH_VALUE(ROWAN_INSTANTIATE)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
