#pragma once
// Rows of C whose sizes are known, computed into their place.
#include <memory>

#include "lib/host/budget.hpp"
#include "lib/host/phases.hpp"
#include "lib/host/settings.hpp"

namespace rowan {

/// All stages but the symbolic phase. `b_facts`: of B's rows; null: made if they are needed. What is held beside C is
/// added to the budget.
template <class T>
void multiply_counted(const Operand<T>& a, const Operand<T>& b, const CountedTarget<T>& c, const Settings& settings,
                      const Team& team, Budget& budget, std::shared_ptr<const PatternFacts>& b_facts, Stats& stats);

/// C = A B, some rows at a time. All that is given outlives this.
template <class T>
class RowsInPlace {
 public:
  /// `threads`: workers, at most.
  RowsInPlace(const Operand<T>& a, const Operand<T>& b, const Settings& settings, int threads);
  /// Rows from `first` on, as many as `c` has; its row pointers begin at 0. Says nothing of progress. One call at a
  /// time. Throws Error{cancelled} where the options' stop is asked for, Error{out_of_memory} as multiply().
  void fill(std::int64_t first, const CountedTarget<T>& c);

 private:
  const Operand<T>&a_, &b_;
  const Options options_;
  const Settings settings_;
  const Team team_;
  std::shared_ptr<const PatternFacts> b_facts_ = nullptr;
};

}  // namespace rowan
