#pragma once
// The host pipeline, top to bottom: validate, features, bins, decide, symbolic, allocate, numeric.
#include <optional>

#include "lib/core/prepared.hpp"
#include "lib/pipeline/budget.hpp"
#include "lib/pipeline/decide.hpp"
#include "lib/pipeline/monitor.hpp"
#include <rowan/options.hpp>

namespace rowan {

/// What a pipeline works with.
struct Environment {
  const Options& options;
  const Policy& policy;
  std::int64_t block_rows = 65536;  // where the features of all rows do not fit; 2.4 MB of them, and work for several
  bool small_at_once = false;       // products of few are multiplied at once (small.hpp): nobody named a choice
};

/// Whether both views show one memory in one way.
template <class T>
[[nodiscard]] bool same_matrix(const CsrView<T>& a, const CsrView<T>& b) {
  return a.rows == b.rows && a.cols == b.cols && a.row_ptr.wide() == b.row_ptr.wide() &&
         a.row_ptr.narrow() == b.row_ptr.narrow() && a.col.data() == b.col.data() && a.val.data() == b.val.data() &&
         a.nnz() == b.nnz() && a.transposed == b.transposed;
}

/// A and B inside the border; one matrix where the caller gave one twice.
template <class T>
class Inputs {
 public:
  Inputs(const CsrView<T>& a, const CsrView<T>& b, bool check, const Team& team);
  [[nodiscard]] const Operand<T>& a() const noexcept { return a_.operand(); }
  [[nodiscard]] const Operand<T>& b() const noexcept { return b_ ? b_->operand() : a_.operand(); }
  [[nodiscard]] std::int64_t bytes() const noexcept { return a_.bytes() + (b_ ? b_->bytes() : 0); }

 private:
  Prepared<T> a_;
  std::optional<Prepared<T>> b_;
};

/// Everything before the first accumulator runs.
struct Decided {
  Measured measured;
  Record record;
};

/// Stages up to the decisions, timed into `stats`. `b_facts`: B's, where they are known.
[[nodiscard]] Decided decide(const Pattern& a, const Pattern& b, const Environment& env, const Team& team, Stats& stats,
                             std::shared_ptr<const PatternFacts> b_facts = nullptr);

/// The stages behind the decisions: symbolic where it must be, reserve, numeric. Empty where C and what the decided
/// rows take exceed the budget, which knows by how much; the rows of C are counted then, unless blocks of them can be.
template <class T>
[[nodiscard]] std::optional<Csr<T>> multiply_decided(const Inputs<T>& in, Decided& decided, const Environment& env,
                                                     const Team& team, Budget& budget, Monitor& monitor, Stats& stats);

/// All stages for blocks of rows, one after another: the same C in less memory. Throws Error{memory_limit} where C and
/// what one block takes exceed the budget.
template <class T>
[[nodiscard]] Csr<T> multiply_by_blocks(const Inputs<T>& in, const std::shared_ptr<const PatternFacts>& b_facts,
                                        const Environment& env, const Team& team, Budget budget, Monitor& monitor,
                                        Stats& stats);

/// C from its parts, cut to size.
template <class T>
[[nodiscard]] Csr<T> finished(const Inputs<T>& in, Array<Offset> row_ptr, Room<T> room, Stats& stats);

/// C = A B: all stages.
template <class T>
[[nodiscard]] Csr<T> multiply(const CsrView<T>& a, const CsrView<T>& b, const Environment& env, Stats& stats);

/// C's values for a known pattern, into `val`. `row_ptr` is C's.
template <class T>
void multiply_again(const Inputs<T>& in, const Decided& decided, const std::int64_t* row_ptr, T* val,
                    const Environment& env, const Team& team);

}  // namespace rowan
