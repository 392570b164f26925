#pragma once
// The host pipeline, top to bottom: prepare, features, bins, decide, symbolic, allocate, numeric.
#include <optional>

#include "lib/host/decide.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/monitor.hpp"
#include <rowan/options.hpp>

namespace rowan {

/// What a pipeline works with.
struct Settings {
  const Options& options;
  const Policy& policy;
  std::int64_t block_rows = 65536;  // where the features of all rows do not fit; 2.4 MB of them, and work for several
  bool small_path = false;          // products of few are multiplied at once (small.hpp): nobody named a choice
};

/// Everything before the first accumulator runs.
struct Decided {
  Measured measured;
  Record record;
};

/// Stages up to the decisions, timed into `stats`. `known`: of B's rows, and A's, what is known already.
[[nodiscard]] Decided decide(const Pattern& a, const Pattern& b, const Settings& settings, const Team& team,
                             Stats& stats, KnownFacts known = {});

/// The stages behind the decisions: symbolic where it must be, reserve, numeric. Empty where C and what the decided
/// rows take exceed the budget, whatever is chosen; the budget knows by how much.
template <class T>
[[nodiscard]] std::optional<Csr<T>> multiply_decided(const Inputs<T>& in, Decided& decided, const Settings& settings,
                                                     const Team& team, Budget& budget, Monitor& monitor, Stats& stats);

/// All stages for blocks of rows, one after another: the same C in less memory. Throws Error{memory_limit} where C and
/// what one block takes exceed the budget.
template <class T>
[[nodiscard]] Csr<T> multiply_by_blocks(const Inputs<T>& in, const std::shared_ptr<const PatternFacts>& b_facts,
                                        const Settings& settings, const Team& team, Budget budget, Monitor& monitor,
                                        Stats& stats);

/// C from its parts, cut to size. `most_held`: bytes of C and all else when most was held.
template <class T>
[[nodiscard]] Csr<T> finished(const Inputs<T>& in, Array<Offset> row_ptr, CStorage<T> room, std::int64_t most_held,
                              Stats& stats);

/// C = A B: all stages.
template <class T>
[[nodiscard]] Csr<T> multiply(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings, Stats& stats);

/// C's values for a known pattern, into `val`. `row_ptr` is C's.
template <class T>
void multiply_again(const Inputs<T>& in, const Decided& decided, const std::int64_t* row_ptr, T* val,
                    const Settings& settings, const Team& team);

}  // namespace rowan
