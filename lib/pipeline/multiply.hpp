#pragma once
// The host pipeline, top to bottom: validate, features, bins, decide, symbolic, allocate, numeric.
#include <optional>

#include "lib/core/prepared.hpp"
#include "lib/pipeline/decide.hpp"
#include "lib/pipeline/monitor.hpp"
#include <rowan/options.hpp>

namespace rowan {

/// What a pipeline works with.
struct Environment {
  const Options& options;
  const Policy& policy;
};

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

/// Stages up to the decisions, timed into `stats`.
[[nodiscard]] Decided decide(const Pattern& a, const Pattern& b, const Environment& env, const Team& team,
                             Stats& stats);

/// C's row pointers by the symbolic phase.
template <class T>
[[nodiscard]] Array<std::int64_t> count_rows(const Inputs<T>& in, const Decided& decided, const Team& team,
                                             Monitor& monitor, Stats& stats);

/// The stages behind the decisions: symbolic where it must be, reserve, numeric.
template <class T>
[[nodiscard]] Csr<T> multiply_decided(const Inputs<T>& in, Decided& decided, const Environment& env, const Team& team,
                                      Stats& stats);

/// C = A B: all stages.
template <class T>
[[nodiscard]] Csr<T> multiply(const CsrView<T>& a, const CsrView<T>& b, const Environment& env, Stats& stats);

/// C's values for a known pattern, into `val`. `row_ptr` is C's.
template <class T>
void multiply_again(const Inputs<T>& in, const Decided& decided, const std::int64_t* row_ptr, T* val,
                    const Environment& env, const Team& team);

}  // namespace rowan
