#pragma once
// The host pipeline, top to bottom: prepare, features, bins, decide, symbolic, allocate, numeric.
#include <optional>

#include "lib/host/decided.hpp"
#include "lib/host/inputs.hpp"
#include "lib/host/monitor.hpp"
#include "lib/host/phases.hpp"

namespace rowan {

/// How C is to be divided, and what is outside: empty where C was not divided while it was made.
template <class T>
struct Division {
  ColumnRange inside;
  std::optional<Csr<T>> outside = {};
};

/// E, which is added to C, and whether that was done while C was made.
template <class T>
struct Addition {
  Adder<T> e;
  bool done = false;
};

/// What finishes C's rows while they are made; one of the two at most.
template <class T>
struct Finish {
  Division<T>* division = nullptr;
  Addition<T>* addition = nullptr;
};

/// The stages behind the decisions: symbolic where it must be, reserve, numeric. Empty where C and what the decided
/// rows take exceed the budget, whatever is chosen; the budget knows by how much. With a division C is what is inside.
template <class T>
[[nodiscard]] std::optional<Csr<T>> multiply_decided(const Inputs<T>& in, Decided& decided, const Settings& settings,
                                                     const Team& team, Budget& budget, Monitor& monitor, Stats& stats,
                                                     const Finish<T>& finish = {});

/// All stages for blocks of rows, one after another: the same C in less memory. Throws Error{memory_limit} where C and
/// what one block takes exceed the budget.
template <class T>
[[nodiscard]] Csr<T> multiply_by_blocks(const Inputs<T>& in, const std::shared_ptr<const PatternFacts>& b_facts,
                                        const Settings& settings, const Team& team, Budget budget, Monitor& monitor,
                                        Stats& stats);

/// C from its parts, cut to size. `most_held`: bytes of C and all else when most was held.
template <class T>
[[nodiscard]] Csr<T> finished(const Inputs<T>& in, Array<Offset> row_ptr, CStorage<T> storage, std::int64_t most_held,
                              Stats& stats);

/// C = A B: all stages.
template <class T>
[[nodiscard]] Csr<T> multiply(const CsrView<T>& a, const CsrView<T>& b, const Settings& settings, Stats& stats,
                              const Finish<T>& finish = {});

/// C's values for a known pattern, into `val`. `row_ptr` is C's.
template <class T>
void multiply_again(const Inputs<T>& in, const Decided& decided, std::span<const std::int64_t> row_ptr, T* val,
                    const Settings& settings, const Team& team);

/// C = A B into memory of the caller, of which it says where every row begins.
template <class T>
void multiply_into(const CsrView<T>& a, const CsrView<T>& b, const CountedTarget<T>& c, const Settings& settings,
                   Stats& stats);

}  // namespace rowan
