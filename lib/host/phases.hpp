#pragma once
// The two phases over decided rows, and what they take beside C.
#include "lib/host/assemble.hpp"
#include "lib/host/budget.hpp"
#include "lib/host/decided.hpp"

namespace rowan {

/// One phase of some rows: what runs them, in which pieces, and as many workers as they are worth and as fit into
/// `spare` bytes; one in any case.
template <class T>
struct PhasePlan {
  PhaseRunner<T> runner;
  std::vector<Chunk> chunks;
  Team team;
  std::int64_t scratch = 0;  // bytes that a worker's candidates work in
  std::int64_t least = 0;    // bytes that one worker takes
  std::int64_t bytes = 0;    // bytes that the team takes

  PhasePlan(const Operand<T>& a, const Operand<T>& b, const Decided& decided, Phase phase, const Team& whole_team,
            std::int64_t spare);
};

/// A phase of decided rows, by other candidates that work in less memory where the chosen ones do not fit into what the
/// budget has to spare; in as little as there is where nothing fits. `force`: as decide_bins().
template <class T>
[[nodiscard]] PhasePlan<T> phase_plan_that_fits(const Operand<T>& a, const Operand<T>& b, Decided& decided, Phase phase,
                                                const Team& team, const Budget& budget, std::string_view force);

/// Symbolic: row pointers from row_ptr[0], which is given.
template <class T>
void count_rows(const PhasePlan<T>& work, Offset* row_ptr, Monitor& monitor);

/// Numeric: rows of C; returns where the last one ends.
template <class T>
[[nodiscard]] Offset fill_rows(const PhasePlan<T>& work, const CTarget<T>& c, Monitor& monitor);

/// C of which it is known where every row begins. `row_ptr` is somebody else's word for it.
template <class T>
struct CountedTarget {
  std::span<const std::int64_t> row_ptr;  // of all rows, and the end
  Column* col;                            // null: only values are wanted
  T* val;
};

/// Numeric, into exactly row_ptr.back() entries. Throws Error{invalid_argument} where a row has not as many entries as
/// row_ptr says; nothing is written outside of C then.
template <class T>
void fill_counted(const PhasePlan<T>& work, const Decided& decided, const CountedTarget<T>& c, Monitor& monitor);

}  // namespace rowan
