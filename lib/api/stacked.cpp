// Operands of several pieces: one copy, one below another, and then a multiplication like any other.
#include "lib/api/beside.hpp"
#include "lib/core/border.hpp"
#include "lib/core/stack.hpp"
#include "lib/core/view.hpp"
#include <rowan/error.hpp>
#include <rowan/operations.hpp>

namespace rowan {
namespace {

template <class T>
Csr<T> stacked(const Context::State& state, const StackedView<T>& view, const Team& team) {
  require_memory(state, stack_bytes(view), "B's pieces, one below another,");
  return stack(view, "B", state.options.validate, team);
}

template <class T>
Csr<T> multiply_pieces(const Context& context, const Context::State& state, const CsrView<T>& a,
                       const StackedView<T>& b, Stats* stats) {
  if (b.pieces.size() == 1) return context.multiply(a, b.pieces[0], stats);
  const Csr<T> all = stacked(state, b, Team(state.options.threads));
  return multiply_beside(context, state, a, all.view(), stack_bytes(b), stats);
}

/// [alpha A | beta I]: each row of A, scaled, and behind its entries beta in a column of its own.
template <class T>
Csr<T> with_identity(T alpha, const Operand<T>& a, T beta) {
  const std::int64_t nnz = a.nnz() + a.rows;
  Array<std::int64_t> row_ptr(a.rows + 1);
  Array<Column> col(nnz);
  Array<T> val(nnz);
  row_ptr[0] = 0;
  for (std::int64_t i = 0, k = 0; i < a.rows; i++) {
    for (std::int64_t e = a.ptr[i]; e < a.ptr[i + 1]; e++, k++) col[k] = a.col[e], val[k] = alpha * a.val[e];
    col[k] = static_cast<Column>(a.cols + i), val[k] = beta, k++;
    row_ptr[i + 1] = k;
  }
  return {a.rows, a.cols + a.rows, std::move(row_ptr), std::move(col), std::move(val)};
}

template <class T>
void check_sizes(const CsrView<T>& a, const CsrView<T>& b, const CsrView<T>& e) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::invalid_argument, what); };
  if (cols_of(a) != rows_of(b))
    refuse("A has " + std::to_string(cols_of(a)) + " columns, but B has " + std::to_string(rows_of(b)) + " rows");
  if (rows_of(e) != rows_of(a) || cols_of(e) != cols_of(b))
    refuse("E is " + std::to_string(rows_of(e)) + " x " + std::to_string(cols_of(e)) + ", but A B is " +
           std::to_string(rows_of(a)) + " x " + std::to_string(cols_of(b)));
}

template <class T>
Csr<T> multiply_and_add(const Context& context, const Context::State& state, T alpha, const CsrView<T>& a,
                        const CsrView<T>& b, T beta, const CsrView<T>& e, Stats* stats) {
  const Team team(state.options.threads);
  if (state.options.validate) {
    validate(a, "A", team);
    validate(b, "B", team);
    validate(e, "E", team);
  }
  check_sizes(a, b, e);
  const CsrView<T> pieces[] = {b, e};
  const StackedView<T> below{pieces};
  const std::int64_t rows = rows_of(a), entry = sizeof(Column) + sizeof(T);
  const std::int64_t held = stack_bytes(below) + (a.nnz() + rows) * entry + (rows + 1) * std::int64_t{8};
  require_memory(state, held, "A and B with the rows of E");
  const Csr<T> left = with_identity(alpha, Prepared<T>(a, "A", false, team).operand(), beta);
  const Csr<T> right = stack(below, "B", false, team);
  return multiply_beside(context, state, left.view(), right.view(), held, stats);
}

}  // namespace

#define ROWAN_DEFINE(T)                                                                                        \
  Csr<T> Context::multiply(const CsrView<T>& a, const StackedView<T>& b, Stats* stats) const try {             \
    return multiply_pieces(*this, *state(), a, b, stats);                                                      \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  Csr<T> Context::multiply_add(T alpha, const CsrView<T>& a, const CsrView<T>& b, T beta, const CsrView<T>& e, \
                               Stats* stats) const try {                                                       \
    return multiply_and_add(*this, *state(), alpha, a, b, beta, e, stats);                                     \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  Plan Context::plan(const CsrView<T>& a, const StackedView<T>& b) const try {                                 \
    return plan(a, stacked(*state(), b, Team(state()->options.threads)).view());                               \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  void Plan::execute(const CsrView<T>& a, const StackedView<T>& b, Csr<T>& c) const try {                      \
    const Context::State& context = *state().context;                                                          \
    execute(a, stacked(context, b, Team(context.options.threads)).view(), c);                                  \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }                                                                                                            \
  Csr<T> multiply_add(T alpha, const CsrView<T>& a, const CsrView<T>& b, T beta, const CsrView<T>& e,          \
                      const Options& options) try {                                                            \
    return Context(options).multiply_add(alpha, a, b, beta, e);                                                \
  } catch (...) {                                                                                              \
    rethrow_as_error();                                                                                        \
  }
ROWAN_FOR_EACH_VALUE(ROWAN_DEFINE)
#undef ROWAN_DEFINE

}  // namespace rowan
