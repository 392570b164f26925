// Where the features of all rows do not fit beside C, rows go through the stages in blocks, twice: counted, so that C
// is allocated at its exact size, and then multiplied into it. What a block takes is given back before the next one.
#include "lib/pipeline/phases.hpp"
#include "lib/pipeline/timer.hpp"

namespace rowan {

template <class T>
Csr<T> multiply_by_blocks(const Inputs<T>& in, const std::shared_ptr<const PatternFacts>& b_facts,
                          const Environment& env, const Team& team, Budget budget, Monitor& monitor, Stats& stats) {
  const Operand<T>& b = in.b();
  const std::int64_t rows = in.a().rows, held = budget.held;
  Array<Offset> row_ptr(rows + 1);
  row_ptr[0] = 0, budget.c = c_bytes<T>(rows, 0);
  monitor.begin(2 * rows);
  const auto for_blocks = [&](const auto& stages) {
    for (std::int64_t first = 0; first < rows; first += env.block_rows) {
      Operand<T> a = in.a();
      a.rows = std::min(env.block_rows, rows - first), a.ptr += first;
      Decided decided = decide(a, b, env, team, stats, b_facts);
      budget.held = held + feature_bytes(a, b);
      stages(a, decided, row_ptr.data() + first);
    }
  };
  const auto run = [&](const Operand<T>& a, const Decided& decided, Phase phase) {
    Work<T> work(a, b, decided, phase, team, budget.spare());
    stats.bytes_temporary = std::max(stats.bytes_temporary, budget.held + work.bytes);
    return work;
  };

  std::int64_t nprod = 0, counting = 0, filling = 0;  // the most that a block takes with one worker
  for_blocks([&](const Operand<T>& a, Decided& decided, Offset* block_ptr) {
    decide_symbolic(env.options.force, decided.record);
    {
      const Timer timer(stats.symbolic);
      const Work<T> symbolic = run(a, decided, Phase::symbolic);
      count_rows(symbolic, block_ptr, monitor);
      counting = std::max(counting, budget.c + budget.held + symbolic.least);
    }
    decide_again(decided.measured, block_ptr, env.options.force, decided.record);
    filling = std::max(filling, budget.held + Work<T>(a, b, decided, Phase::numeric, Team(1), 0).least);
    nprod += decided.measured.all.nprod;
  });
  budget.held = filling, budget.c = c_bytes<T>(rows, row_ptr[rows]);
  if (!budget.fits(0, counting)) budget.refuse(row_ptr[rows]);
  std::optional<Room<T>> room = Room<T>::reserve(row_ptr[rows]);
  if (!room) budget.refuse(row_ptr[rows]);
  for_blocks([&](const Operand<T>& a, Decided& decided, Offset* block_ptr) {
    decide_again(decided.measured, block_ptr, env.options.force, decided.record);
    const Timer timer(stats.numeric);
    const Work<T> numeric = run(a, decided, Phase::numeric);
    static_cast<void>(fill_rows(numeric, {block_ptr, room->col.data(), room->val.data()}, monitor));
    stats.threads = std::max(stats.threads, numeric.team.size());
  });
  stats.nprod = nprod, stats.method = Method::two_phase;
  stats.method_reason =
      "the features of all rows do not fit the memory limit: rows in blocks of " + std::to_string(env.block_rows);
  return finished(in, std::move(row_ptr), std::move(*room), stats);
}

#define ROWAN_INSTANTIATE(T)                                                                                           \
  template Csr<T> multiply_by_blocks(const Inputs<T>&, const std::shared_ptr<const PatternFacts>&, const Environment&, \
                                     const Team&, Budget, Monitor&, Stats&);
ROWAN_INSTANTIATE(float)
ROWAN_INSTANTIATE(double)
#undef ROWAN_INSTANTIATE

}  // namespace rowan
